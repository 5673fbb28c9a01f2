import { listScan } from '../../assumptions.ts';
import type { Client } from '../../client/client.ts';
import { fetchPage } from '../../client/pages.ts';
import { limits } from '../../limits.ts';
import { letterCases } from '../../records/emailForms.ts';
import type { ContactRecord } from '../../records/records.ts';
import { listingOf } from '../../records/resources.ts';
import type { Choice } from '../define.ts';
import { hasId, notes } from './choosable.ts';
import type { Lookup, LookupPage, LookupQuery } from './index.ts';

/** The account's contacts, by name and email. A complete email address is searched by the service. */
export const contacts: Lookup = {
  async page(client, query) {
    const [email, inLowerCase] = isWholeAddress(query.text) ? letterCases(query.text ?? '') : [];
    const page = await scan(client, email, query);
    if (inLowerCase === undefined || page.choices.length > 0 || page.cursor !== undefined) return page;
    return scan(client, inLowerCase, query);
  },
};

const isWholeAddress = (text = '') => /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,24}$/.test(text.trim());

/** Choices that fill a screen: n8n asks for the next page of a search only when its list is scrolled to the end. */
const screenful = 20;

/**
 * One page of contacts. The service cannot search by name, so a search reads on until it fills a screen, and its note says so if it stopped
 * before the end of the list.
 */
async function scan(client: Client, email: string | undefined, { text, cursor }: LookupQuery): Promise<LookupPage> {
  const wanted = (text ?? '').trim().toLowerCase();
  const enough = wanted === '' ? 1 : screenful;
  const records: ContactRecord[] = [];
  let choices: Choice[];
  let next = cursor;
  let pages = 0;
  do {
    const page = await fetchPage(client, listingOf('contact', { email }), { size: limits.pageSize, cursor: next });
    records.push(...page.records);
    choices = records
      .filter(hasId)
      .map(toChoice)
      .filter(({ label, value }) => label.toLowerCase().includes(wanted) || value.toLowerCase() === wanted);
    next = page.cursor;
    pages += 1;
  } while (next !== undefined && choices.length < enough && pages < listScan.pages);

  const stopped = wanted !== '' && next !== undefined && choices.length < enough;
  const searched = `The search ended after ${records.length.toLocaleString('en')} contacts. If yours is not listed, type its whole email address.`;
  const note = notes(stopped && searched, records);
  return { choices, ...(next !== undefined && !stopped && { cursor: next }), ...(note !== undefined && { note }) };
}

function toChoice({ id, name, email }: ContactRecord): Choice {
  const parts = [name, email].filter((part) => typeof part === 'string' && part !== '');
  return { value: id, label: parts.length > 0 ? parts.join(', ') : id };
}
