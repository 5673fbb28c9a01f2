import { ServiceError } from '../../api/errors.ts';
import { defineMany, field } from '../../define.ts';
import { optionalEmailAddress, optionalText } from '../../inputs.ts';
import { present } from '../../outputs.ts';
import { contact } from '../../samples/records.ts';
import { fetchContact } from './get.ts';
import { byEmail, emailWords } from './search.ts';

export const findContact = defineMany({
  resource: 'contact',
  name: 'find',
  action: 'Find',
  description: 'Finds a contact by email or ID; the one that was changed last comes first',
  effect: 'read',
  scope: 'contacts:read',
  endpoint: 'GET /v1/contacts',
  input: {
    email: field(optionalEmailAddress, emailWords),
    contact_id: field(optionalText, {
      label: 'Contact',
      help: 'The contact itself, where an earlier step gave it; the e-mail address is then left aside',
      control: 'text',
      lookup: 'contacts',
    }),
  },
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
