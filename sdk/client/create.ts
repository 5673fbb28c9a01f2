import { operations, searches } from '../../shared/operations/index.ts';
import type { Client } from './api/methods.ts';
import { clientOf } from './methods.ts';
import type { ClientOptions } from './options.ts';

/**
 * A client of the service for one account. What is typed about its methods is in `Client`; what they do is what is declared of
 * each operation: the form is checked before anything is sent, requests keep to the service's limits and are sent again where that
 * does no harm, and what changes something is settled by looking when its answer is lost.
 *
 * @throws ServiceError `invalid` where the base address cannot be used
 *
 * @example
 * ```ts
 * const client = createClient({ auth: process.env.ACCESS_TOKEN });
 * for await (const { id, start_time } of client.bookings.list({ status: 'CONFIRMED' })) console.log(id, start_time);
 * ```
 */
export const createClient = (options: ClientOptions): Client => clientOf([...operations, ...searches])(options) as unknown as Client;
