import { ServiceError } from '../client/errors.ts';
import { brand } from '../brand.ts';
import { checkBaseUrl } from '../oauth/oauth.ts';

/** The trigger for hosts that the service cannot reach: it sends the requests itself and needs no address. */
export const pollingTriggerName = `${brand.name} Polling Trigger`;

/** Who can reach an address, judged only by its form: no name is ever looked up. */
export type Whereabouts = 'thisMachine' | 'privateNetwork' | 'anywhere';

/**
 * Whether deliveries can arrive. `unlikely` means that only the network itself can tell: there may be a route that the address does not
 * show.
 */
export type Reach = 'possible' | 'unlikely' | 'impossible';

/** Names that every machine has for itself (RFC 6761, and common entries of hosts files). */
const ownNames = /^(?:(?:.+\.)?localhost|localhost[46]|localhost[46]?\.localdomain[46]?|ip6-(?:localhost|loopback))$/;

/** Names that no public server has: without a dot, or with an ending for private use. */
const privateNames = /^[^.]+$|\.(?:local|localdomain|internal|lan|home\.arpa)$/;

type Ranges = readonly (readonly [address: readonly number[], bits: number])[];

/** In bytes (RFC 6890): loopback, and "this host", which `0.0.0.0` also means. */
const own4: Ranges = [
  [[127], 8],
  [[0], 8],
];
/** RFC 1918, link-local, and the addresses that providers share among customers. */
const private4: Ranges = [
  [[10], 8],
  [[172, 16], 12],
  [[192, 168], 16],
  [[169, 254], 16],
  [[100, 64], 10],
];
/** Unique local, link-local, and the former site-local addresses. */
const private6: Ranges = [
  [[0xfc], 7],
  [[0xfe, 0x80], 10],
  [[0xfe, 0xc0], 10],
];
/** Ranges of IPv6 that end in an IPv4 address, which then decides: mapped, translated (RFC 6052), compatible. */
const carrying4: Ranges = [
  [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96],
  [[0, 0x64, 0xff, 0x9b], 96],
  [[0], 96],
];

const isWithin = (bytes: readonly number[], ranges: Ranges): boolean =>
  ranges.some(([address, bits]) =>
    bytes.every((byte, index) => {
      const left = Math.min(8, Math.max(0, bits - index * 8));
      return ((byte ^ (address[index] ?? 0)) & (0xff00 >> left) & 0xff) === 0;
    }),
  );

/** The bytes of an IPv6 address in the form of `URL`: hexadecimal groups, with the longest row of zeros left out. */
function bytesOf6(text: string): number[] {
  const [head = [], tail = []] = text.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  return groups.map((group) => parseInt(group, 16)).flatMap((group) => [group >> 8, group & 0xff]);
}

function whereIs4(bytes: readonly number[]): Whereabouts {
  if (isWithin(bytes, own4)) return 'thisMachine';
  return isWithin(bytes, private4) ? 'privateNetwork' : 'anywhere';
}

function whereIs6(bytes: readonly number[]): Whereabouts {
  // `::` and `::1` contain the IPv4 addresses 0.0.0.0 and 0.0.0.1: both are this host.
  if (isWithin(bytes, carrying4)) return whereIs4(bytes.slice(12));
  return isWithin(bytes, private6) ? 'privateNetwork' : 'anywhere';
}

/**
 * Who can reach an address. `URL` has already normalised it: `127.1`, `0x7f.1` and `LOCALHOST` are the usual addresses by then. An address
 * without a host counts as reachable, because the service then says what is wrong with it.
 */
export function whereIs(address: string): Whereabouts {
  const hostname = URL.canParse(address) ? new URL(address).hostname : '';
  if (hostname.startsWith('[')) return whereIs6(bytesOf6(hostname.slice(1, -1)));
  if (/^\d+(?:\.\d+){3}$/.test(hostname)) return whereIs4(hostname.split('.').map(Number));
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

/** Why deliveries do not arrive, or probably do not, for the person who sets up the receiver. */
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
