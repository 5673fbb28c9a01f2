import { createHash } from 'node:crypto';
import { refusedForm } from '../../shared/define.ts';
import { start, type Place } from '../../shared/place.ts';
import { added, pageSize } from './tools.ts';

/** A list is the same as long as its tool and its filters are. */
const listName = (tool: string, fields: Readonly<Record<string, unknown>>): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, fields]))
    .digest('base64url')
    .slice(0, 12);

/** Where the next page begins, as text that a client sends back. */
export const cursorOf = ({ count, last }: Place, tool: string, fields: Readonly<Record<string, unknown>>): string =>
  Buffer.from(JSON.stringify([listName(tool, fields), count, ...last])).toString('base64url');

/** @throws ServiceError `invalid` if it does not belong to this list */
export function placeAt(cursor: unknown, tool: string, fields: Readonly<Record<string, unknown>>): Place {
  if (cursor === undefined || cursor === null || cursor === '') return start;
  const [name, count, ...last] = partsOf(cursor);
  const isOurs = name === listName(tool, fields) && typeof count === 'number' && Number.isSafeInteger(count) && count > 0;
  if (!isOurs)
    throw refusedForm([
      {
        field: added.cursor,
        label: added.cursor,
        message: 'does not come from the last page of this list: leave it out to start from the first page, and keep the other arguments',
      },
    ]);
  return { count, last: last.map(String) };
}

function partsOf(cursor: unknown): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(String(cursor), 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** @throws ServiceError `invalid` */
export function sizeOf(limit: unknown): number {
  if (limit === undefined || limit === null || limit === '') return pageSize.usual;
  const size = Number(limit);
  if (Number.isInteger(size) && size >= 1 && size <= pageSize.most) return size;
  throw refusedForm([{ field: added.limit, label: added.limit, message: `must be a whole number from 1 to ${pageSize.most}` }]);
}
