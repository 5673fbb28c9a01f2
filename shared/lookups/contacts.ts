import type { ContactRecord } from '../api/records.ts';
import { listingOf } from '../api/resources.ts';
import type { Choice } from '../define.ts';
import type { Lookup } from './index.ts';
import { scan } from './scan.ts';

/** The account's contacts, by name and email. A complete email address is searched by the service. */
export const contacts: Lookup = {
  page: (client, query) =>
    scan(client, listingOf('contact', { email: isWholeAddress(query.text) ? query.text?.trim() : undefined }), query, toChoice),
};

const isWholeAddress = (text = '') => /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,24}$/.test(text.trim());

function toChoice({ id, name, email }: ContactRecord): Choice {
  const parts = [name, email].filter((part) => typeof part === 'string' && part !== '');
  return { value: id, label: parts.length > 0 ? parts.join(', ') : id };
}
