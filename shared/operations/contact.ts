import type { ContactRecord } from '../records/fields.ts';
import { addressesIn, addressesOfOthers, isSameAddress, letterCases } from '../reading/index.ts';
import { ServiceError } from '../serviceError.ts';
import { listingOf } from '../records/resources.ts';
import { fetchIfThere, fetchOne } from '../client/fetchOne.ts';
import { defineOne, field, defineList, defineMany, type RunContext } from './define.ts';
import { idText, emailAddress, optionalEmailAddress, optionalId } from './commonSchemas.ts';
import { ofContact } from './idFields.ts';
import { contact } from '../records/samples.ts';
import type { Client } from '../client/client.ts';
import { maxScanned, partNote, paginate, tooMany } from '../client/pages.ts';
import { comparableTime } from '../time/time.ts';

/** What these operations have in common. */
const readsContacts = { resource: 'contact', effect: 'read', scope: 'contacts:read', output: 'contact', sample: contact } as const;

export const getContact = defineOne({
  ...readsContacts,
  name: 'get',
  action: 'Get',
  description: 'Gets a contact',
  endpoint: 'GET /v1/contacts/:id',
  input: {
    contact_id: field(idText, { ...ofContact, help: 'The contact to get' }),
  },

  run: (client, { contact_id: id }) => fetchOne(client, 'contact', id),
});

export const getManyContacts = defineList({
  ...readsContacts,
  name: 'getMany',
  action: 'List',
  description: 'Lists contacts',
  endpoint: 'GET /v1/contacts',
  input: {},

  lists: () => [listingOf('contact')],
});

const emailWords = {
  label: 'Email',
  help: 'Full email address of the contact, not case-sensitive',
  control: 'email',
  example: 'ada@example.com',
} as const;

export const searchContacts = defineMany({
  ...readsContacts,
  name: 'search',
  action: 'Search',
  description: 'Searches contacts by email address',
  endpoint: 'GET /v1/contacts',
  input: { email: field(emailAddress, emailWords) },

  run: (client, input, context) => byEmail(client, input.email, context),
});

/**
 * The contacts with this email, most recently changed first. The service's filter may match parts of it (G30), and its records may show the
 * email in another form, next to a main one, or not at all. The filter is then trusted, unless it also returned contacts with other emails.
 */
async function* byEmail(client: Client, wanted: string, { limit, note, partNote: tell = note }: RunContext) {
  const lists = letterCases(wanted).map((email) => listingOf('contact', { email }));
  const records = paginate(client, lists, maxScanned);
  const found = await records.all();
  let fitting = found.filter(({ email }) => isSameAddress(email, wanted));
  if (fitting.length === 0) fitting = found.filter((each) => addressesIn(each).some((address) => isSameAddress(address, wanted)));
  if (fitting.length === 0) {
    const others = await addressesOfOthers(found, wanted, (email) => paginate(client, listingOf('contact', { email }), 1).all());
    if (others.length === 0) fitting = found;
  }
  if (records.isTruncated && fitting.length === 0) throw tooMany('contacts that may have this email', 'Use the ID.');
  if (records.isTruncated) tell?.(partNote('contacts', 'Use the ID.'));
  const changed = ({ updated_at: updated, created_at: created }: ContactRecord) => comparableTime(updated) ?? comparableTime(created) ?? 0;
  yield* fitting.sort((a, b) => changed(b) - changed(a)).slice(0, limit);
}

export const findContact = defineMany({
  ...readsContacts,
  name: 'find',
  action: 'Find',
  description: 'Finds a contact by email or ID, most recently changed first',
  endpoint: 'GET /v1/contacts',
  input: {
    email: field(optionalEmailAddress, emailWords),
    contact_id: field(optionalId, { ...ofContact, help: 'A contact from an earlier step. The email to search for is then ignored' }),
  },

  /** By id, otherwise by email. If no contact is found, the result is empty; that is not an error. */
  async *run(client, { email: wanted, contact_id: id }, context) {
    if (id !== undefined) {
      const found = await fetchIfThere(client, 'contact', id);
      if (found !== undefined) yield found;
    } else if (wanted !== undefined) {
      yield* byEmail(client, wanted, context);
    } else {
      throw new ServiceError('invalid', { message: 'Enter at least one search field.', advice: "The contact's email finds it." });
    }
  },
});
