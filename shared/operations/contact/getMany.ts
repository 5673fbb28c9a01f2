import { listingOf } from '../../records/resources.ts';
import { defineList } from '../define.ts';
import { contact } from '../../records/samples.ts';

export const getManyContacts = defineList({
  resource: 'contact',
  name: 'getMany',
  action: 'List',
  description: 'Lists contacts',
  effect: 'read',
  scope: 'contacts:read',
  endpoint: 'GET /v1/contacts',
  input: {},
  output: 'contact',
  sample: contact,

  lists: () => [listingOf('contact')],
});
