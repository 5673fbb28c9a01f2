import { readOne } from '../reading/index.ts';
import type { RecordOf } from '../records/fields.ts';
import { one, resources, type ListedKind } from '../records/resources.ts';
import { ServiceError } from '../serviceError.ts';
import type { Client } from './client.ts';

/**
 * Reads one record in its current state.
 *
 * @throws ServiceError `notFound` if it does not exist, `unreadable` if the response does not contain it
 */
export const fetchOne = async <Kind extends ListedKind>(client: Client, kind: Kind, id: string): Promise<RecordOf[Kind]> =>
  readOne(kind, (await client.read(one(kind, id))).body, `GET /v1/${resources[kind].path}/:id`, id);

/** Reads one record in its current state; `undefined` if it does not exist. */
export const fetchIfThere = <Kind extends ListedKind>(client: Client, kind: Kind, id: string): Promise<RecordOf[Kind] | undefined> =>
  fetchOne(client, kind, id).catch((error: unknown) => {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
    throw error;
  });
