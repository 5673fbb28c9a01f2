import * as z from 'zod/v4';
import type { Client } from '../../api/client.ts';
import { limits, ServiceError } from '../../api/errors.ts';
import { asText } from '../../api/transport.ts';
import type { ServiceRecord } from '../../api/records.ts';
import { G31 } from '../../assumptions.ts';
import { defineMany, field } from '../../define.ts';
import { present } from '../../outputs.ts';
import { contact } from '../../samples/records.ts';
import { fetchContact } from './get.ts';
import { walkContacts } from './getMany.ts';

const email = {
  label: 'Email',
  help: 'The e-mail address of the contact, whole; upper and lower case are the same',
  control: 'email',
  example: 'ada@example.com',
} as const;

const address = z.string().trim().pipe(z.email('is not an e-mail address'));

export const searchContacts = defineMany({
  resource: 'contact',
  name: 'search',
  action: 'Search',
  description: 'Searches contacts by e-mail address',
  effect: 'read',
  scope: 'contacts:read',
  endpoint: 'GET /v1/contacts',
  input: z.object({ email: field(address, email) }),
  output: 'contact',
  sample: contact,

  run: (client, input, { limit }) => byEmail(client, input.email, limit),
});

export const findContact = defineMany({
  resource: 'contact',
  name: 'find',
  action: 'Find',
  description: 'Finds a contact by email or id; the one that was changed last comes first',
  effect: 'read',
  scope: 'contacts:read',
  endpoint: 'GET /v1/contacts',
  input: z.object({
    email: field(address.optional(), email),
    contact_id: field(z.string().optional(), {
      label: 'Contact',
      help: 'The contact itself, where an earlier step gave it; the e-mail address is then left aside',
      control: 'text',
      lookup: 'contacts',
    }),
  }),
  output: 'contact',
  sample: contact,

  /** By id, else by e-mail; none found is an empty end, not a refusal. */
  async *run(client, { email: wanted, contact_id: id }, { limit }) {
    if (id !== undefined) {
      try {
        yield present('contact', await fetchContact(client, id));
      } catch (error) {
        if (!(error instanceof ServiceError && error.kind === 'notFound')) throw error;
      }
    } else if (wanted !== undefined) {
      yield* byEmail(client, wanted, limit);
    } else {
      throw new ServiceError('invalid', { message: 'There is nothing to look for.', advice: "Fill in the contact's email." });
    }
  },
});

/** Only contacts whose e-mail equals the one wanted, for the filter may match in part (G30); newest change first. */
async function* byEmail(client: Client, wanted: string, limit = Infinity) {
  const matches: ServiceRecord[] = [];
  for await (const record of walkContacts(client, wanted, G31.pages * limits.pageSize)) {
    if (String(record['email']).toLowerCase() === wanted.toLowerCase()) matches.push(record);
  }
  const changed = (record: ServiceRecord) => asText(record['updated_at'] ?? record['created_at']);
  matches.sort((a, b) => changed(b).localeCompare(changed(a)));
  yield* matches.slice(0, limit);
}
