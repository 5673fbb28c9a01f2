import type { Client } from './client/api/methods.ts';
import operations from './client/api/operations.ts';
import type { ClientOptions } from './client/options.ts';
import { createClientOf } from './operations.ts';

/**
 * Creates a client of the service for one account. Its methods are described in `Client`. Each call checks its input before it sends
 * anything and stays within the service's limits. It repeats a request only if that is safe. If the response to a change is lost, it looks
 * for the result.
 *
 * @throws ServiceError `invalid` if the base URL cannot be used
 *
 * @example
 * ```ts
 * const client = createClient({ auth: accessToken });
 * for await (const { id, start_time } of client.bookings.list({ status: 'CONFIRMED' })) console.log(id, start_time);
 * ```
 */
export const createClient = (options: ClientOptions): Client => createClientOf(options, operations);

export type {
  Auth,
  Authorization,
  CallOptions,
  ClientOptions,
  ListOptions,
  RecordList,
  RequestInfo,
  TelemetryHooks,
} from './client/options.ts';
export type * from './client/api/inputs.ts';
export type * from './client/api/methods.ts';
export type * from './client/api/records.ts';
export type { Fetch } from '../shared/client/httpClient.ts';
export { isServiceError, ServiceError, type ErrorDetails, type ErrorKind, type FieldComplaint, type ServiceFailure } from './errors.ts';
export { readableTime } from '../shared/time/readable.ts';
