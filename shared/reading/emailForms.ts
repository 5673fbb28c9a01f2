// G30 and G43, what becomes of an email address. Seen: lower case (most services), dots and tags (Gmail), punycode (RFC 3492).

import type { ServiceRecord } from '../records/fields.ts';
import { isHostName } from './people.ts';
import { wordsOf } from './shapes.ts';

/**
 * The forms that services make of an email address. A service may store it in lower case, without its tag (`ada+work@` is `ada@`), with its
 * domain in punycode, or with the one spelling that all of Gmail's have. So the address in a record can differ from the one that was sent,
 * and a filter that compares letter by letter finds it only under the form that the service stores (G30, G43).
 */

/** One mailbox, however many dots its name is written with. */
const gmail = new Set(['gmail.com', 'googlemail.com']);

/** What can be compared: not a masked address, and none with a name around it. */
const plainAddress = /^[^\s@*<>()]+@[^\s@*<>()]+$/u;

/** How addresses are written for HTML. */
const escapes: Readonly<Record<string, string>> = { '&amp;': '&', '&#39;': "'", '&#x27;': "'", '&apos;': "'", '&#x2F;': '/', '&#43;': '+' };

/** A record's address without what some services write around it: `mailto:`, and characters as HTML. */
const bare = (address: string): string =>
  address
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/&[#\w]{2,5};/g, (escaped) => escapes[escaped] ?? escaped);

/** Whether a record shows an address that can be compared. */
export const showsAddress = (inRecord: unknown): inRecord is string => typeof inRecord === 'string' && plainAddress.test(bare(inRecord));

/** What services put in place of the parts of an address that they hide: `a***@example.com`. */
const maskSign = /[*•…]/u;

export function isMasked(inRecord: unknown): inRecord is string {
  if (typeof inRecord !== 'string' || /[\s<>()]/.test(inRecord.trim())) return false;
  const [local = '', domain = '', ...more] = inRecord.trim().split('@');
  return maskSign.test(local) && domain !== '' && more.length === 0;
}

/** Whether an address fits what a masked one shows of itself: what stands before the first sign and after the last one. */
function fitsMask(masked: string, address: string): boolean {
  const shown = masked.trim().toLowerCase().split(maskSign);
  return address.toLowerCase().startsWith(shown[0] ?? '') && address.toLowerCase().endsWith(shown.at(-1) ?? '');
}

/** How deep a record is searched for addresses. */
const deepest = 3;

/** Ids that are written like addresses. */
const ids = /^(?:ical|message)|uid$/i;

/** The addresses that a booking's record shows: the invitee's, also if masked; or if that is not shown, any others in it, such as those of its attendees. */
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
 * The addresses of other people in a list that was asked for by email. If all its records show one other address, that may be the service's
 * own for this person, such as the contact's main one. It is not if the service only compared a part of it, or does not filter (G30).
 *
 * @param find asks for the same list by another email
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

/** An address of the same domain that looks like any other and that nobody has. */
export const addressOfNobody = (email: string): string => `imogen.larkspur4817${email.trim().slice(email.trim().lastIndexOf('@'))}`;

/** An address as it was typed and in lower case, for services whose filter compares letter by letter: one request for most addresses. */
export const letterCases = (email: string): string[] => [...new Set([email.trim(), email.trim().toLowerCase()])];

/** The forms under which a service may store an address: first as it was typed, also without its tag, then in lower case, then what else it may make of it. */
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

/** Whether a record's address is the one that was looked for, apart from letter case and the spelling of its domain. */
export const isSameAddress = (inRecord: unknown, email: string): boolean =>
  typeof inRecord === 'string' && comparable(inRecord) === comparable(email);

/**
 * Whether a record's address may be what a service made of an address. Generous: what is missing, or not readable as an address, may be
 * anyone's, and a masked one that of everybody whom it fits.
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

/** An address in one spelling for each mailbox. */
function mailbox(email: string): string {
  const address = comparable(email);
  const at = address.lastIndexOf('@');
  return gmail.has(address.slice(at + 1)) ? `${address.slice(0, at).replaceAll('.', '')}@gmail.com` : address;
}

/** A domain as it is sent over the network: `bücher.example` is `xn--bcher-kva.example`. One that cannot be written so stays as it is. */
function punycode(domain: string): string {
  if (/^[\x21-\x7e]*$/.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}
