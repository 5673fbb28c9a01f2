import { errorBody } from '../assumptions.ts';
import { isObject } from '../values.ts';
import type { FieldComplaint } from './errors.ts';

/**
 * The service's words in an error's body: `message` or `error` (G17), or what other services name so. Shortened, and without anything that
 * looks like a token.
 */
export function serviceWords(body: unknown): string {
  if (typeof body === 'string') return /^\s*[<{[]/.test(body) ? '' : tidy(body);
  if (!isObject(body)) return '';
  const { error, errors } = body;
  const inside = isObject(error) ? error : {};
  for (const value of [body['message'], inside['message'], body['detail'], body['error_description'], error, body['title'], errors]) {
    const said = wordsIn(value);
    if (said !== '') return tidy(said);
  }
  return '';
}

/** A text; of a list or an object, each text or `message` in it, with the field's name if that is its key. */
function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value
      .slice(0, 5)
      .map((each: unknown) =>
        isObject(each) ? wordsIn(each['message'] ?? each['detail'] ?? each['title']) : typeof each === 'string' ? each : '',
      )
      .filter((said) => said !== '')
      .join('; ');
  if (!isObject(value)) return '';
  return Object.entries(value)
    .slice(0, 5)
    .flatMap(([field, each]) => (typeof each === 'string' || Array.isArray(each) ? [[field, wordsIn(each)]] : []))
    .filter(([, said]) => said !== '')
    .map(([field, said]) => `${field}: ${said}`)
    .join('; ');
}

/** Makes text from outside safe to show: one line, at most 300 characters, bearer tokens hidden. */
export const tidy = (words: string): string =>
  words
    .slice(0, 600)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/bearer \S+/gi, 'Bearer [hidden]')
    .trim()
    .slice(0, 300);

/** What the service says about single fields of the form (G17). */
export function complaints(body: Record<string, unknown>): FieldComplaint[] {
  const details = body[errorBody.detailsKey];
  if (!Array.isArray(details)) return [];
  return details
    .slice(0, 20)
    .flatMap((detail) =>
      isObject(detail) && typeof detail['field'] === 'string' && typeof detail['message'] === 'string'
        ? [{ field: tidy(detail['field']), message: tidy(detail['message']) }]
        : [],
    );
}
