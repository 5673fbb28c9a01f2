// G9, G19, G43 and G45: a subscription's address, how services rewrite it, whether it is paused, and their limit. Seen: `callback_url`
// (Calendly), `subscriberUrl` (Cal.com); `state: "disabled"` (Calendly), `active: false` (GitHub), `status: "paused"` (Close).

import type { ServiceRecord } from '../records/fields.ts';
import { asText, hasValue, isNo, isYes } from '../values.ts';
import { codeWords } from './errorBody.ts';

/** An address as services may rewrite it: host in lower case and punycode, no default port, encoded path, no slash at the end. */
export function normalAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/$/, '');
  return url.href.replace(/%[0-9a-f]{2}/gi, (encoded) => encoded.toUpperCase());
}

/** How deep a record is searched for addresses. */
const deepest = 2;

/** The addresses in a subscription's record, under any name (G9, G43). One that ends with the record's id is its own API address. */
export function subscriptionAddresses(record: ServiceRecord): string[] {
  const found: string[] = [];
  const search = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (/^\s*https?:\/\//i.test(value)) found.push(value);
    } else if (depth < deepest) for (const each of Object.values(value ?? {})) search(each, depth + 1);
  };
  search(record, 0);
  return found.filter((address) => !isOwn(address, record['id']));
}

const isOwn = (address: string, id: unknown): boolean =>
  URL.canParse(address) && normalAddress(address).split(/[?#]/)[0]?.split('/').at(-1) === String(id);

/**
 * Whether a subscription's record is for this address.
 *
 * @returns `undefined` if the record shows no address
 */
export function isAtAddress(record: ServiceRecord, url: string): boolean | undefined {
  const shown = subscriptionAddresses(record);
  return shown.length === 0 ? undefined : shown.some((each) => normalAddress(each) === normalAddress(url));
}

/** Whether a subscription's record shows that it receives no deliveries (G45). */
export const isPaused = (record: ServiceRecord): boolean =>
  Object.entries(record).some(([name, value]) => {
    const [, word = name, ending] = /^(?:is_?)?(.+?)(_?at)?$/i.exec(name) ?? [];
    if (ending !== undefined) return off.test(word) && hasValue(value);
    if (/^(?:status|state)$/.test(name)) return [off, offStatus].some((each) => each.test(asText(value)));
    return /^(?:active|enabled)$/i.test(word) ? isNo(value) : off.test(word) && isYes(value);
  });

const off = /^(?:disabled|inactive|deactivated|paused|suspended|deleted)$/i;
/** Words that count only as a status: a field such as `failed_at` may be about a single delivery. */
const offStatus = /^(?:stopped|failed|revoked|expired)$/i;

const subscriptionLimitAnswer = {
  statuses: [400, 403, 409, 422, 429],
  /** A message is about the limit of subscriptions if it mentions subscriptions and a limit ... */
  names: [/\b(?:subscriptions?|(?:web)?hooks?|endpoints?)\b/i, /\b(?:limit|maximum|max|quota|too many|no more|25)\b/i],
  /** ... but neither the rate limit nor the length of the input. */
  otherLimit: /\b(?:rate|minutes?|requests?|length|long|characters?|size)\b/i,
};

/** Whether a subscription was refused because the account has too many, going by the message or the code (G19). */
export function isAboutSubscriptionLimit(status: number, words: string, code: string | undefined): boolean {
  const { names, otherLimit, statuses } = subscriptionLimitAnswer;
  const isNamed = [words, code].map(codeWords).some((text) => names.every((each) => each.test(text)) && !otherLimit.test(text));
  return isNamed && statuses.includes(status);
}
