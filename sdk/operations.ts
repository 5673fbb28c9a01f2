import type { Operation } from '../shared/operations/define.ts';
import { clientOf } from './client/methods.ts';
import type { ClientOptions } from './client/options.ts';
import type { ClientOf, ClientOperation } from './client/picked.ts';

/**
 * Creates a client that has only the methods of these operations. It works like that of `createClient`, but a bundler leaves out the code
 * that these operations do not need.
 *
 * @throws ServiceError `invalid` if the base URL cannot be used
 *
 * @example
 * ```ts
 * const client = createClientOf({ auth: accessToken }, [listEventTypes, createBooking]);
 * for await (const { id, name } of client.eventTypes.list()) console.log(id, name);
 * ```
 */
export const createClientOf = <Place extends string = never>(
  options: ClientOptions,
  operations: readonly ClientOperation<Place>[],
): ClientOf<Place> => clientOf(operations as readonly ClientOperation[] as Operation[])(options);

export type { AnyClient, ClientOf, ClientOperation } from './client/picked.ts';
export * from './client/api/operations.ts';
