import type { Client } from '../../client/client.ts';
import { maxScanned, partNote } from '../../client/scanLimit.ts';
import { paginate } from '../../client/pages.ts';
import { listingOf } from '../../records/resources.ts';
import type { ContactRecord } from '../../records/records.ts';
import { defineMany, field, type RunContext } from '../define.ts';
import { emailAddress } from '../inputs.ts';
import { isSameAddress, isSurelyAnotherAddress, letterCases } from '../../records/emailForms.ts';
import { contact } from '../../records/samples.ts';
import { instantOf } from '../../time/time.ts';

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

  run: (client, input, context) => byEmail(client, input.email, context),
});

/**
 * The contacts with this email, the most recently changed first. The service's filter may match parts of it (G30), and its records may show
 * the email in another form, or not at all: then the filter is believed, unless it
 * also returned contacts with other emails.
 */
export async function* byEmail(client: Client, wanted: string, { limit, note }: RunContext) {
  const lists = letterCases(wanted).map((email) => listingOf('contact', { email }));
  const records = paginate(client, lists, maxScanned);
  const found = await records.all();
  if (records.isTruncated) note?.(partNote('contacts', 'Use the ID.'));
  const same = found.filter(({ email }) => isSameAddress(email, wanted));
  const isOnlyTheirs = !found.some(({ email }) => isSurelyAnotherAddress(email, wanted));
  const changed = ({ updated_at: updated, created_at: created }: ContactRecord) => instantOf(updated ?? created) || 0;
  yield* (same.length === 0 && isOnlyTheirs ? found : same).sort((a, b) => changed(b) - changed(a)).slice(0, limit);
}
