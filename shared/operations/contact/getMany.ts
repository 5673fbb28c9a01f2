import { listingOf } from '../../api/resources.ts';
import { defineList } from '../../define.ts';
import { contact } from '../../samples/records.ts';

export const getManyContacts = defineList({
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

  lists: () => [listingOf('contact')],
});
