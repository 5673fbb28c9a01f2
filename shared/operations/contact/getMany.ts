import * as z from 'zod/v4';
import type { Client } from '../../api/client.ts';
import { walk } from '../../api/pages.ts';
import type { ServiceRecord } from '../../api/records.ts';
import { defineMany } from '../../define.ts';
import { present } from '../../outputs.ts';
import { contact } from '../../samples/records.ts';

export const getManyContacts = defineMany({
  resource: 'contact',
  name: 'getMany',
  action: 'Get Many',
  description: 'Lists contacts',
  effect: 'read',
  scope: 'contacts:read',
  endpoint: 'GET /v1/contacts',
  input: z.object({}),
  output: 'contact',
  sample: contact,

  async *run(client, _, { limit }) {
    for await (const record of walkContacts(client, undefined, limit)) yield present('contact', record);
  },
});

/** Contacts as the service lists them, all or by e-mail. */
export const walkContacts = (client: Client, email?: string, most?: number): AsyncGenerator<ServiceRecord> =>
  walk(client, { path: ['contacts'], scope: 'contacts:read', thing: 'contacts', record: 'contact', query: { email } }, most);
