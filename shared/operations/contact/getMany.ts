import { walk } from '../../api/pages.ts';
import { listingOf } from '../../api/resources.ts';
import { defineMany } from '../../define.ts';
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

  run: (client, _, { limit }) => walk(client, listingOf('contact'), limit),
});
