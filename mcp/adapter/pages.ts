import { createHash } from 'node:crypto';
import * as z from 'zod/v4';
import { json } from '../../sdk/node/atomicWrite.ts';
import type { ServiceError } from '../../shared/client/index.ts';
import { refusedForm, type Cursor } from '../../shared/operations/index.ts';
import { hasValue } from '../../shared/values.ts';
import { added, pageSize } from './tools.ts';

/** Identifies a list by its account, its tool and its filters. */
export type List = readonly [owner: string, tool: string, fields: Readonly<Record<string, unknown>>];

const listName = (list: List): string => createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);

/** A page that a client requests. */
export interface McpPageRequest {
  size: number;
  cursor?: Cursor | undefined;
}

const Size = z.number().int().min(1).max(pageSize.max);
const Place = z.union([z.string(), z.object({ count: z.number().int().positive(), last: z.array(z.string()) })]);
/** Includes the size, because all pages of a list have the same size. */
const Token = z.tuple([z.string(), Size, Place]);

/** The position of the next page, as text that a client sends back. */
export const tokenOf = (cursor: Cursor, size: number, list: List): string =>
  Buffer.from(JSON.stringify([listName(list), size, cursor])).toString('base64url');

/**
 * @param token from the previous page; empty for the first one
 * @throws ServiceError `invalid` if the token belongs to another list, or if the limit is wrong
 */
export function requestedPage(token: unknown, limit: unknown, list: List): McpPageRequest {
  const refused = (field: string, message: string): ServiceError => refusedForm([{ field, label: field, message }]);
  if (hasValue(token)) {
    const { data: [name, size, cursor] = [] } = Token.safeParse(json(Buffer.from(String(token), 'base64url').toString()));
    if (size !== undefined && name === listName(list)) return { size, cursor };
    const message =
      'does not come from the last page of this list: leave it out to start from the first page, and keep the other arguments';
    throw refused(added.cursor, message);
  }
  if (!hasValue(limit)) return { size: pageSize.usual };
  const { data: size } = Size.safeParse(Number(limit));
  if (size === undefined) throw refused(added.limit, `must be a whole number from 1 to ${pageSize.max}`);
  return { size };
}
