import { createHash } from 'node:crypto';
import { refusedForm, type Cursor } from '../../shared/operations/index.ts';
import { added, pageSize } from './tools.ts';

/** A list is the same as long as its tool and its filters are. */
const listName = (tool: string, fields: Readonly<Record<string, unknown>>): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, fields]))
    .digest('base64url')
    .slice(0, 12);

/** A page that a client asks for. */
export interface Wanted {
  size: number;
  cursor?: Cursor | undefined;
}

/** Where the next page begins, as text that a client sends back. It holds the size, because all pages of a list have the same. */
export const tokenOf = (cursor: Cursor, size: number, tool: string, fields: Readonly<Record<string, unknown>>): string =>
  Buffer.from(
    JSON.stringify([listName(tool, fields), size, ...(typeof cursor === 'string' ? [cursor] : [cursor.count, ...cursor.last])]),
  ).toString('base64url');

/**
 * @param token from the last page; empty on the first one
 * @throws ServiceError `invalid` if it does not belong to this list, or if the limit is wrong
 */
export function pageWanted(token: unknown, limit: unknown, tool: string, fields: Readonly<Record<string, unknown>>): Wanted {
  if (token === undefined || token === null || token === '') return { size: sizeOf(limit) };
  const [name, size, cursor, ...last] = partsOf(token);
  if (name === listName(tool, fields) && isSize(size)) {
    if (typeof cursor === 'string') return { size, cursor };
    if (typeof cursor === 'number' && Number.isSafeInteger(cursor) && cursor > 0)
      return { size, cursor: { count: cursor, last: last.map(String) } };
  }
  throw refusedForm([
    {
      field: added.cursor,
      label: added.cursor,
      message: 'does not come from the last page of this list: leave it out to start from the first page, and keep the other arguments',
    },
  ]);
}

function partsOf(cursor: unknown): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(String(cursor), 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

const isSize = (size: unknown): size is number => typeof size === 'number' && Number.isInteger(size) && size >= 1 && size <= pageSize.max;

/** @throws ServiceError `invalid` */
function sizeOf(limit: unknown): number {
  if (limit === undefined || limit === null || limit === '') return pageSize.usual;
  const size = Number(limit);
  if (isSize(size)) return size;
  throw refusedForm([{ field: added.limit, label: added.limit, message: `must be a whole number from 1 to ${pageSize.max}` }]);
}
