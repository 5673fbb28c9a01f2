// G30 and G43: how services change an email address. Seen: lower case (most services), dots and tags (Gmail), punycode (RFC 3492).

import type { ServiceRecord } from '../records/fields.ts';
import { isHostName } from './people.ts';
import { wordsOf } from './shapes.ts';

/**
 * The forms in which services store an email address: in lower case, without its tag (`ada+work@` becomes `ada@`), with its domain in
 * punycode, or in one spelling for all that reach the same Gmail mailbox. So the address in a record can differ from the one that was sent,
 * and a filter that compares letter by letter finds it only in its stored form (G30, G43).
 */

/** Domains that ignore dots in the local part of an address. */
const gmail = new Set(['gmail.com', 'googlemail.com']);

/** An address that can be compared: not masked, and without a display name. */
const plainAddress = /^[^\s@*<>()]+@[^\s@*<>()]+$/u;

/** HTML escapes in addresses. */
const escapes: Readonly<Record<string, string>> = { '&amp;': '&', '&#39;': "'", '&#x27;': "'", '&apos;': "'", '&#x2F;': '/', '&#43;': '+' };

/** A record's address without the `mailto:` and HTML escapes that some services add. */
const bare = (address: string): string =>
  address
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/&[#\w]{2,5};/g, (escaped) => escapes[escaped] ?? escaped);

/** Whether a record shows an address that can be compared. */
export const showsAddress = (inRecord: unknown): inRecord is string => typeof inRecord === 'string' && plainAddress.test(bare(inRecord));

/** The characters that services put in place of hidden parts of an address: `a***@example.com`. */
const maskSign = /[*•…]/u;

export function isMasked(inRecord: unknown): inRecord is string {
  if (typeof inRecord !== 'string' || /[\s<>()]/.test(inRecord.trim())) return false;
  const [local = '', domain = '', ...more] = inRecord.trim().split('@');
  return maskSign.test(local) && domain !== '' && more.length === 0;
}

/** Whether an address fits the visible parts of a masked one: those before its first mask character and after its last. */
function fitsMask(masked: string, address: string): boolean {
  const shown = masked.trim().toLowerCase().split(maskSign);
  return address.toLowerCase().startsWith(shown[0] ?? '') && address.toLowerCase().endsWith(shown.at(-1) ?? '');
}

/** How deep a record is searched for addresses. */
const deepest = 3;

/** Keys of ids that look like addresses. */
const ids = /^(?:ical|message)|uid$/i;

/** The addresses in a booking's record: the invitee's, even if masked. If there is none, all others in it, such as the attendees'. */
export function addressesIn(record: Readonly<ServiceRecord>): string[] {
  const { invitee_email: email } = record;
  if (showsAddress(email) || isMasked(email)) return [email];
  const found: string[] = [];
  const search = (value: unknown, depth: number): void => {
    if (showsAddress(value)) found.push(value);
    else if (typeof value === 'object' && value !== null && depth < deepest)
      for (const [key, each] of Object.entries(value)) if (!isHostName(wordsOf(key)) && !ids.test(key)) search(each, depth + 1);
  };
  search(record, 0);
  return found;
}

/**
 * The addresses of other people in a list that was requested by email. If all records show one other address, it may be the service's form
 * of this person's, such as a contact's main address. Not if the service matches a part of it, or does not filter (G30).
 *
 * @param find requests the same list by another email
 */
export async function addressesOfOthers(
  records: readonly ServiceRecord[],
  email: string,
  find: (email: string) => Promise<readonly unknown[]>,
): Promise<string[]> {
  const shown = [...new Set(records.flatMap(addressesIn).map((address) => address.toLowerCase()))];
  const others = shown.filter((address) => !mayBeSameAddress(address, email));
  const [only = ''] = others;
  if (others.length !== 1 || shown.length > 1 || only.includes(email.trim().toLowerCase())) return others;
  return (await find('nobody@host.invalid')).length > 0 ? others : [];
}

/** An address in the same domain that looks ordinary but belongs to nobody. */
export const addressOfNobody = (email: string): string => `imogen.larkspur4817${email.trim().slice(email.trim().lastIndexOf('@'))}`;

/** An address as typed and in lower case, for services whose filter is case-sensitive. Most addresses need only one request. */
export const letterCases = (email: string): string[] => [...new Set([email.trim(), email.trim().toLowerCase()])];

/** The forms in which a service may store an address: as typed, the same without its tag, in lower case, then the other forms. */
export function addressForms(email: string): string[] {
  const typed = email.trim();
  const lower = typed.normalize('NFC').toLowerCase();
  const at = lower.lastIndexOf('@');
  const [name, domain] = [lower.slice(0, at), lower.slice(at + 1)];
  const untagged = name.split('+', 1)[0] || name;
  const typedName = typed.slice(0, typed.lastIndexOf('@'));
  const typedUntagged = typedName.split('+', 1)[0] || typedName;
  const forms = [typed, `${typedUntagged}${typed.slice(typedName.length)}`, lower];
  for (const each of [name, untagged]) for (const host of [domain, punycode(domain)]) forms.push(`${each}@${host}`);
  if (gmail.has(domain)) forms.push(`${untagged.replaceAll('.', '')}@${domain}`, `${untagged.replaceAll('.', '')}@gmail.com`);
  return [...new Set(forms)];
}

/** Whether a record's address is the wanted one, apart from letter case and the spelling of its domain. */
export const isSameAddress = (inRecord: unknown, email: string): boolean =>
  typeof inRecord === 'string' && comparable(inRecord) === comparable(email);

/**
 * Whether a record's address may be a service's form of this one. When in doubt, yes: a missing or unreadable address may be anyone's, and
 * a masked one belongs to anyone whom it fits.
 */
export function mayBeSameAddress(inRecord: unknown, email: string): boolean {
  if (isMasked(inRecord)) return addressForms(email).some((form) => fitsMask(inRecord, form));
  if (!showsAddress(inRecord)) return true;
  const stored = mailbox(inRecord);
  return addressForms(email).some((form) => mailbox(form) === stored);
}

function comparable(email: string): string {
  const lower = bare(email).normalize('NFC').toLowerCase();
  const at = lower.lastIndexOf('@');
  return `${lower.slice(0, at)}@${punycode(lower.slice(at + 1))}`;
}

/** The one spelling that stands for all addresses of a mailbox. */
function mailbox(email: string): string {
  const address = comparable(email);
  const at = address.lastIndexOf('@');
  return gmail.has(address.slice(at + 1)) ? `${address.slice(0, at).replaceAll('.', '')}@gmail.com` : address;
}

/** A domain as it is sent over the network: `bücher.example` becomes `xn--bcher-kva.example`. Unchanged if that is impossible. */
function punycode(domain: string): string {
  if (/^[\x21-\x7e]*$/.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}
