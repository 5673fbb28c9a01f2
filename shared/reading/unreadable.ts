import { brand } from '../brand.ts';
import { ServiceError } from '../serviceError.ts';
import type { RecordKind } from '../records/fields.ts';
import { asText, isObject, tidy } from '../values.ts';
import { reader } from './reader.ts';

/** The error for a value that should have been or contained a record. */
export function noRecord(kind: RecordKind, value: unknown, request: string, expected: string): ServiceError {
  const field = inexactIn(kind, value);
  if (field === undefined) return unreadable(request, expected, value);
  return new ServiceError('unreadable', {
    message: `${brand.name} answered ${request} with ${inexactWords(field)}.`,
    advice: 'Report this message to the provider of the service: ids of this size must be sent as text.',
  });
}

/** The field of a body, or of an object in it, with an id that is too large to read exactly. */
export const inexactIn = (kind: RecordKind, body: unknown): string | undefined =>
  [body, ...(isObject(body) ? Object.values(body) : [])].map((each) => reader.inexactId(kind, each)).find((field) => field !== undefined);

/** Leaves out the number, because reading has already changed it. */
export const inexactWords = (field: string): string => `a number as "${field}" that is too large to read exactly`;

/** The error for a response in no known form. It names the request, the expected form and the keys that came. */
export function unreadable(request: string, expected: string, body: unknown): ServiceError {
  const words = isObject(body) ? tidy(asText(body['message'] ?? body['error'])).replace(/\.$/, '') : '';
  return new ServiceError('unreadable', {
    message: `Unexpected response from ${brand.name} to ${request}: expected ${expected}, but got ${shapeOf(body)}.${words === '' ? '' : ` ${brand.name} says: "${words}".`}`,
    advice: 'Check the base URL of the connection. If it is right, report this message to the maker of this integration.',
  });
}

/** Describes a response in a sentence, without its values, which may be personal data. */
export function shapeOf(body: unknown): string {
  const keys = isObject(body) ? Object.keys(body).map((key) => `"${key.slice(0, 40)}"`) : [];
  if (isObject(body)) return `the keys ${keys.slice(0, 12).join(', ') || '(none)'}`;
  if (Array.isArray(body)) return 'a list';
  if (body === undefined || body === '') return 'an empty body';
  return typeof body === 'string' ? 'text that is not JSON' : `the value ${JSON.stringify(body)}`;
}
