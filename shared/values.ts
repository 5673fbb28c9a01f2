/** A text or a number as text, and `''` for anything else: what came from outside may be of any type. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What bytes that are no UTF-8 are read as. In a text it may stand by right; an id with it names nothing. */
const notUtf8 = '\uFFFD';

/** A number so large that it lost its last digits when it was read, such as 9007199254740993: nobody knows what was written there. */
export const isInexact = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/**
 * An id as text: a text as it is, a whole number by its digits (G3). `undefined` for everything else, also for a
 * number that is not exact: it may by now be the id of something else.
 */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' || value.includes(notUtf8) ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}
