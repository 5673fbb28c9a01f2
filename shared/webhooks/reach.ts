import { ServiceError } from '../serviceError.ts';
import { brand } from '../brand.ts';
import { checkBaseUrl } from '../client/baseUrl.ts';
import { quoteValue, visible } from '../values.ts';

/** The trigger for hosts that the service cannot reach: it sends the requests itself and needs no address. */
export const pollingTriggerName = `${brand.name} Polling Trigger`;

/** Who can reach an address, judged only by its form: names are never looked up. */
export type Whereabouts = 'thisMachine' | 'privateNetwork' | 'anywhere';

/** Whether deliveries can arrive. `unlikely` means that only the network can tell: there may be a route that the address does not show. */
export type Reach = 'possible' | 'unlikely' | 'impossible';

/** Names that every machine uses for itself (RFC 6761, and common entries of hosts files). */
const ownNames = /^(?:(?:.+\.)?localhost|localhost[46]|localhost[46]?\.localdomain[46]?|ip6-(?:localhost|loopback))$/;

/** Names that no public server has: without a dot, or with an ending for private use. */
const privateNames = /^[^.]+$|\.(?:local|localdomain|internal|lan|home\.arpa)$/;

/** IPv4 (RFC 6890): loopback and "this host", which includes `0.0.0.0`. */
const own4 = /^(?:127|0)\./;
/** RFC 1918, link-local, and the addresses that providers share among customers. */
const private4 = /^(?:10|172\.(?:1[6-9]|2\d|3[01])|192\.168|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
/** IPv6: unique local, link-local, and the former site-local addresses. */
const private6 = /^(?:f[cd][0-9a-f]|fe[89a-f])[0-9a-f]:/;
/**
 * An IPv6 address that contains an IPv4 address, which then decides: mapped, translated (RFC 6052) or compatible. `::` and `::1` are this
 * host.
 */
const carrying4 = /^(?:::ffff:([0-9a-f]+):([0-9a-f]+)|(?:64:ff9b)?::(?:([0-9a-f]+):)?([0-9a-f]+)?)$/;

function whereIs4(address: string): Whereabouts {
  if (own4.test(address)) return 'thisMachine';
  return private4.test(address) ? 'privateNetwork' : 'anywhere';
}

/** @param address as `URL` writes it: hexadecimal groups, with the longest run of zeros left out */
function whereIs6(address: string): Whereabouts {
  const carried = carrying4.exec(address);
  if (carried === null) return private6.test(address) ? 'privateNetwork' : 'anywhere';
  const [, high, low, first = '0', second = '0'] = carried;
  const groups = [high ?? first, low ?? second].map((group) => parseInt(group, 16));
  return whereIs4(groups.flatMap((group) => [group >> 8, group & 0xff]).join('.'));
}

/**
 * Who can reach an address. `URL` normalizes it first, so `127.1`, `0x7f.1` and `LOCALHOST` become the usual forms. An address without a
 * host counts as reachable, because the service then says what is wrong with it.
 */
export function whereIs(address: string): Whereabouts {
  const hostname = URL.canParse(address) ? new URL(address).hostname : '';
  if (hostname.startsWith('[')) return whereIs6(hostname.slice(1, -1));
  if (/^\d+(?:\.\d+){3}$/.test(hostname)) return whereIs4(hostname);
  const name = hostname.replace(/\.$/, '');
  if (ownNames.test(name)) return 'thisMachine';
  return privateNames.test(name) ? 'privateNetwork' : 'anywhere';
}

/**
 * Whether a service can deliver to a receiver. A service on this machine or in a private network may reach anything there.
 *
 * @param service its base URL
 * @param receiver the address to subscribe
 */
export function reachOf(service: string, receiver: string): Reach {
  const from = whereIs(service);
  const to = whereIs(receiver);
  if (from === 'thisMachine' || to === 'anywhere') return 'possible';
  if (to === 'privateNetwork') return from === 'privateNetwork' ? 'possible' : 'unlikely';
  return from === 'privateNetwork' ? 'unlikely' : 'impossible';
}

/** Whether an address is one that deliveries can be sent to at all. */
export const isWebAddress = (address: string): boolean => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

/** @throws ServiceError `invalid` if deliveries cannot be sent to the address */
export function checkReceiver(address: string): void {
  if (isWebAddress(address)) return;
  throw new ServiceError('invalid', {
    message: `Nothing can be delivered to ${address === '' ? 'an empty address' : quoteValue(visible(address))}: it is not a web address.`,
    advice: 'Set an address that begins with https://.',
  });
}

/** Why deliveries cannot arrive, or probably cannot, for the person who sets up the receiver. */
export interface Doubt {
  reach: Exclude<Reach, 'possible'>;
  error: ServiceError;
}

/**
 * The problem with a receiver's address; `undefined` if there is none.
 *
 * @param advice a sentence that says how to get another address on the receiver's platform
 * @throws ServiceError `invalid` if the base URL cannot be used
 */
export function doubtAbout(baseUrl: string, receiver: string, advice: string): Doubt | undefined {
  const service = checkBaseUrl(baseUrl);
  const reach = reachOf(service, receiver);
  if (reach === 'possible') return undefined;
  const { origin } = new URL(receiver);
  const sender = `${brand.name} at ${new URL(service).host}`;
  const network = whereIs(receiver) === 'thisMachine' ? 'of this machine only' : 'in a private network';
  const message =
    reach === 'impossible'
      ? `${sender} cannot deliver to ${origin}: only this machine can reach that address, so no events would arrive.`
      : `${sender} may not be able to deliver to ${origin}, an address ${network}, so events may not arrive.`;
  return { reach, error: new ServiceError('invalid', { message, advice }) };
}
