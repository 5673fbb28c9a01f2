import { ServiceError } from '../serviceError.ts';

/** Longer than any real id. Without this limit, a URL could become arbitrarily long. */
const longestId = 512;

/** Whether an id can be a segment of a path, see {@link pathSegment}. */
export const isUsableId = (id: string): boolean =>
  id !== '' && id.length <= longestId && id !== '.' && id !== '..' && !/[/\\\p{Cc}\p{Cs}]/u.test(id);

/**
 * Encodes one segment of a path. `..` survives `encodeURIComponent` and would turn `/bookings/../cancel` into `/cancel`, so anything that
 * could leave its segment is refused. Everything else is encoded, because a narrower rule could refuse real ids (G3).
 *
 * @throws ServiceError `invalid` for an empty id, `.`, `..`, slashes, backslashes, control characters, lone surrogates or more than 512
 * characters
 */
export function pathSegment(id: string, thing: string): string {
  if (id === '') throw unusable(thing, 'It is empty.', `Choose the ${thing} from the list, or enter its id.`);
  if (!isUsableId(id)) {
    throw unusable(thing, `"${id.slice(0, 60)}" cannot be an id.`, `Enter the id alone, without an address around it.`);
  }
  return encodeURIComponent(id);
}

const unusable = (thing: string, why: string, advice: string) =>
  new ServiceError('invalid', {
    message: `The id of the ${thing} cannot be used. ${why}`,
    advice,
    fields: [{ field: 'id', message: why }],
  });
