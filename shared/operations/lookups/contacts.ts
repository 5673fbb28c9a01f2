import type { ContactRecord } from '../../records/records.ts';
import { listingOf } from '../../records/resources.ts';
import type { Choice } from '../define.ts';
import { letterCases } from '../../records/emailForms.ts';
import type { Lookup } from './index.ts';
import { scan } from './scan.ts';

/** The account's contacts, by name and email. A complete email address is searched by the service. */
export const contacts: Lookup = {
  async page(client, query) {
    const [email, inLowerCase] = isWholeAddress(query.text) ? letterCases(query.text ?? '') : [];
    const page = await scan(client, listingOf('contact', { email }), query, toChoice);
    if (inLowerCase === undefined || page.choices.length > 0 || page.cursor !== undefined) return page;
    return scan(client, listingOf('contact', { email: inLowerCase }), query, toChoice);
  },
};

const isWholeAddress = (text = '') => /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,24}$/.test(text.trim());

function toChoice({ id, name, email }: ContactRecord): Choice {
  const parts = [name, email].filter((part) => typeof part === 'string' && part !== '');
  return { value: id, label: parts.length > 0 ? parts.join(', ') : id };
}
