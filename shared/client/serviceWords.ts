import { errorBody } from '../assumptions.ts';
import { isObject } from '../values.ts';
import type { FieldComplaint } from './errors.ts';

/** Where an error may have its words, the best place first. */
const places =
  'message faultstring detail error_description description error_message errorMessage msg reason error errors title fault data'.split(' ');

/**
 * The service's words in an error's body: `message` or `error` (G17), or what other services name so. Shortened, and without anything that
 * looks like a token.
 */
export const serviceWords = (body: unknown): string => (typeof body === 'string' && /^\s*[<{[]/.test(body) ? '' : tidy(wordsIn(body)));

/** A text; what the entries of a list say; the best that an object says, or else what it says about each of its fields. */
function wordsIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > 3 || typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return joined(value.map((each) => wordsIn(each, depth + 1)));
  const body = value as Record<string, unknown>;
  const said = places.map((place) => wordsIn(body[place], depth + 1)).find((words) => words !== '');
  // What has an id is a record.
  if (said !== undefined || body['id'] !== undefined) return said ?? '';
  const fields = Object.entries(body).map(([field, each]) => [field, aboutField(each, depth === 0)] as const);
  return joined(fields.map(([field, words]) => (words === '' ? '' : `${field}: ${words}`)));
}

/** At the root, a single text may be anything, such as a time or a path. */
const aboutField = (value: unknown, isAtRoot: boolean): string =>
  Array.isArray(value)
    ? joined(value.map((each) => (typeof each === 'string' ? each : '')))
    : isAtRoot || typeof value !== 'string'
      ? ''
      : value;

const joined = (said: readonly string[]): string =>
  said
    .filter((words) => words !== '')
    .slice(0, 5)
    .join('; ');

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
