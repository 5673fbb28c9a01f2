import { ServiceError } from '../../client/errors.ts';
import { defineMany, field } from '../define.ts';
import { optionalEmailAddress, optionalId } from '../inputs.ts';
import { contact } from '../../records/samples.ts';
import { fetchOne } from '../../records/resources.ts';
import { byEmail, emailWords } from './search.ts';

export const findContact = defineMany({
  resource: 'contact',
  name: 'find',
  action: 'Find',
  description: 'Finds a contact by email or ID, most recently changed first',
  effect: 'read',
  scope: 'contacts:read',
  endpoint: 'GET /v1/contacts',
  input: {
    email: field(optionalEmailAddress, emailWords),
    contact_id: field(optionalId, {
      label: 'Contact',
      help: 'A contact from an earlier step. The email to search for is then ignored',
      control: 'text',
      lookup: 'contacts',
    }),
  },
  output: 'contact',
  sample: contact,

  /** By id, otherwise by email. If none is found, the result is empty and not an error. */
  async *run(client, { email: wanted, contact_id: id }, context) {
    if (id !== undefined) {
      try {
        yield await fetchOne(client, 'contact', id);
      } catch (error) {
        if (!(error instanceof ServiceError && error.kind === 'notFound')) throw error;
      }
    } else if (wanted !== undefined) {
      yield* byEmail(client, wanted, context);
    } else {
      throw new ServiceError('invalid', { message: 'Enter at least one search field.', advice: "The contact's email finds it." });
    }
  },
});
