import type { Client } from '../../api/client.ts';
import { walk, type Records } from '../../api/pages.ts';
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
  input: {},
  output: 'contact',
  sample: contact,

  run: (client, _, { limit }) => walkContacts(client, undefined, limit),
});

/** Contacts ready for people, all or by e-mail. */
export const walkContacts = (client: Client, email?: string, most?: number): Records =>
  walk(client, { path: ['contacts'], scope: 'contacts:read', thing: 'contacts', record: 'contact', query: { email } }, most, (record) => present('contact', record));
