import { readOne } from '../reading/index.ts';
import type { ServiceRecord } from '../records/fields.ts';
import { asText } from '../values.ts';
import type { Client } from './client.ts';

/** The account of a connection, as stored with the data that belongs to it. */
export interface Account {
  /** Distinguishes accounts: the id of the user, or else the email address. */
  id: string;
  /** The name that people know it by: the email address, or else the name or the id. */
  name: string;
}

/** Reads the user of the connection. @throws ServiceError */
export async function readUser(client: Client): Promise<ServiceRecord> {
  const { body } = await client.read({ method: 'GET', path: ['me'], scope: 'any', resourceName: 'user' });
  return readOne('user', body, 'GET /v1/me');
}

/**
 * The account that a connection belongs to now, which a person may change at any time. One request.
 *
 * @returns `undefined` if the service shows nothing that identifies it (G4)
 * @throws ServiceError if the service cannot be asked
 */
export async function accountOf(client: Client): Promise<Account | undefined> {
  const user = await readUser(client);
  const email = asText(user['email']);
  const id = asText(user['id']) || email.toLowerCase();
  return id === '' ? undefined : { id, name: email || asText(user['name']) || id };
}

/** Whether two accounts are certainly different. If one is unknown, the result is false. */
export const isOtherAccount = (one: Account | undefined, other: Account | undefined): boolean =>
  one !== undefined && other !== undefined && one.id !== other.id;

/** Reads a stored account; `undefined` for anything else. */
export function parseAccount(value: unknown): Account | undefined {
  const { id, name }: { id?: unknown; name?: unknown } = typeof value === 'object' && value !== null ? value : {};
  return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined;
}
