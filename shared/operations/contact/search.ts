import type { Client } from '../../api/client.ts';
import { looked } from '../../api/looked.ts';
import { listingOf } from '../../api/resources.ts';
import { asText } from '../../values.ts';
import type { ContactRecord } from '../../api/records.ts';
import { defineMany, field } from '../../define.ts';
import { emailAddress } from '../../inputs.ts';
import { contact } from '../../samples/records.ts';

/** The texts of the field for a contact's email address. */
export const emailWords = {
  label: 'Email',
  help: 'Full email address of the contact, not case-sensitive',
  control: 'email',
  example: 'ada@example.com',
} as const;

export const searchContacts = defineMany({
  resource: 'contact',
  name: 'search',
  action: 'Search',
  description: 'Searches contacts by email address',
  effect: 'read',
  scope: 'contacts:read',
  endpoint: 'GET /v1/contacts',
  input: { email: field(emailAddress, emailWords) },
  output: 'contact',
  sample: contact,

  run: (client, input, { limit }) => byEmail(client, input.email, limit),
});

/** Only contacts with exactly this email, because the service's filter may match parts of it (G30). The most recently changed first. */
export async function* byEmail(client: Client, wanted: string, limit = Infinity) {
  const matches: ContactRecord[] = [];
  for await (const record of looked(client, listingOf('contact', { email: wanted }))) {
    if (String(record.email).toLowerCase() === wanted.toLowerCase()) matches.push(record);
  }
  const changed = (record: ContactRecord) => asText(record.updated_at ?? record.created_at);
  matches.sort((a, b) => changed(b).localeCompare(changed(a)));
  yield* matches.slice(0, limit);
}
