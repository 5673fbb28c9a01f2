import type { Client } from '../../api/client.ts';
import { readOne, type ContactRecord } from '../../api/records.ts';
import { defineOne, field } from '../../define.ts';
import { filledText } from '../../inputs.ts';
import { present } from '../../outputs.ts';
import { contact } from '../../samples/records.ts';

export const getContact = defineOne({
  resource: 'contact',
  name: 'get',
  action: 'Get',
  description: 'Gets one contact',
  effect: 'read',
  scope: 'contacts:read',
  endpoint: 'GET /v1/contacts/:id',
  input: {
    contact_id: field(filledText, {
      label: 'Contact',
      help: 'The contact to get',
      control: 'text',
      lookup: 'contacts',
    }),
  },
  output: 'contact',
  sample: contact,

  run: async (client, { contact_id: id }) => present('contact', await fetchContact(client, id)),
});

/** One contact as the service has it now. */
export const fetchContact = async (client: Client, id: string): Promise<ContactRecord> =>
  readOne('contact', await client.send({ method: 'GET', path: ['contacts', { id }], scope: 'contacts:read', thing: 'contact', id }), 'GET /v1/contacts/:id');
