import { fetchOne } from '../../records/resources.ts';
import { defineOne, field } from '../define.ts';
import { idText } from '../inputs.ts';
import { contact } from '../../records/samples.ts';

export const getContact = defineOne({
  resource: 'contact',
  name: 'get',
  action: 'Get',
  description: 'Gets one contact',
  effect: 'read',
  scope: 'contacts:read',
  endpoint: 'GET /v1/contacts/:id',
  input: {
    contact_id: field(idText, {
      label: 'Contact',
      help: 'The contact to get',
      control: 'text',
      lookup: 'contacts',
    }),
  },
  output: 'contact',
  sample: contact,

  run: (client, { contact_id: id }) => fetchOne(client, 'contact', id),
});
