import { ignoreRefusal } from '../serviceError.ts';
import type { Client } from '../client/client.ts';
import { readUser } from '../client/account.ts';
import { defineOne } from './define.ts';
import { user } from '../records/samples.ts';
import { zoneOf } from '../records/localTimes.ts';
import { certainZone } from '../time/zones.ts';

export const getCurrentUser = defineOne({
  resource: 'user',
  name: 'getCurrent',
  action: 'Get Current',
  description: "Gets the connected account's user",
  effect: 'read',
  scope: 'any',
  endpoint: 'GET /v1/me',
  input: {},
  output: 'user',
  sample: user,

  run: readUser,
});

/** The host's time zone; `undefined` if the service does not show one, or its name is ambiguous. */
export async function hostZone(client: Client): Promise<string | undefined> {
  const host = await getCurrentUser.run(client, {}, {}).catch(ignoreRefusal);
  return certainZone(host && zoneOf(host));
}
