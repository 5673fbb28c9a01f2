import { ServiceError } from '../api/errors.ts';
import { brand } from '../brand.ts';
import { checkBaseUrl } from '../oauth.ts';

/** The trigger for hosts that the service cannot reach: it asks by itself, and needs no address. */
export const pollingTriggerName = `${brand.name} Polling Trigger`;

/** Who can reach an address, judged by its form alone: no name is ever looked up. */
export type Whereabouts = 'thisMachine' | 'privateNetwork' | 'anywhere';

/**
 * Whether what the service sends can arrive. `unlikely` is what only a network of one's own can tell: a route to it may exist
 * that the address does not show.
 */
export type Reach = 'possible' | 'unlikely' | 'impossible';

/** Names that every machine gives to itself (RFC 6761, and what systems write into their hosts file). */
const ownNames = /^(?:(?:.+\.)?localhost|localhost[46]|localhost[46]?\.localdomain[46]?|ip6-(?:localhost|loopback))$/;

/** Names that no public server answers for: of one part, or under an ending that is kept for private use. */
const privateNames = /^[^.]+$|\.(?:local|localdomain|internal|lan|home\.arpa)$/;

type Ranges = readonly (readonly [address: readonly number[], bits: number])[];

/** In bytes (RFC 6890): loopback, and "this host", which also is what `0.0.0.0` means. */
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
/** Unique local, link-local, and what was site-local. */
const private6: Ranges = [
  [[0xfc], 7],
  [[0xfe, 0x80], 10],
  [[0xfe, 0xc0], 10],
];
/** Ranges of IPv6 that end in an address of IPv4, which then decides: mapped, translated (RFC 6052), compatible. */
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

/** The bytes of an address of IPv6 as `URL` writes it: hexadecimal groups, the longest row of zeros left out. */
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
  // `::` and `::1` are among the addresses that carry one of IPv4, 0.0.0.0 and 0.0.0.1: both are this host.
  if (isWithin(bytes, carrying4)) return whereIs4(bytes.slice(12));
  return isWithin(bytes, private6) ? 'privateNetwork' : 'anywhere';
}

/**
 * Who can reach an address. `URL` has brought it into its one form by then: `127.1`, `0x7f.1` and `LOCALHOST` are no others.
 * What is no address with a host counts as one that anybody reaches: the service is who says what is wrong with it.
 */
export function whereIs(address: string): Whereabouts {
  const hostname = URL.canParse(address) ? new URL(address).hostname : '';
  if (hostname.startsWith('[')) return whereIs6(bytesOf6(hostname.slice(1, -1)));
  if (/^\d+(?:\.\d+){3}$/.test(hostname)) return whereIs4(hostname.split('.').map(Number));
  const name = hostname.replace(/\.$/, '');
  if (name === '') return 'anywhere';
  if (ownNames.test(name)) return 'thisMachine';
  return privateNames.test(name) ? 'privateNetwork' : 'anywhere';
}

/**
 * Whether a service can deliver to a receiver. One on this machine, or within a private network, may reach whatever is there.
 *
 * @param service its base address
 * @param receiver the address that is to be subscribed
 */
export function reachOf(service: string, receiver: string): Reach {
  const from = whereIs(service);
  const to = whereIs(receiver);
  if (from === 'thisMachine' || to === 'anywhere') return 'possible';
  if (to === 'privateNetwork') return from === 'privateNetwork' ? 'possible' : 'unlikely';
  return from === 'privateNetwork' ? 'unlikely' : 'impossible';
}

/** Why deliveries do not arrive, or probably do not, in words for who sets the receiver up. */
export interface Doubt {
  reach: Exclude<Reach, 'possible'>;
  error: ServiceError;
}

/**
 * What speaks against a receiver; `undefined` where nothing does.
 *
 * @param advice how a receiver gets another address on its platform: a sentence
 * @throws ServiceError `invalid` where the base address cannot be used
 */
export function doubtAbout(baseUrl: string, receiver: string, advice: string): Doubt | undefined {
  const service = checkBaseUrl(baseUrl);
  const reach = reachOf(service, receiver);
  if (reach === 'possible') return undefined;
  const { origin } = new URL(receiver);
  const sender = `${brand.name} at ${new URL(service).host}`;
  const network = whereIs(receiver) === 'thisMachine' ? 'of this machine alone' : 'within a private network';
  const message =
    reach === 'impossible'
      ? `${sender} cannot deliver to ${origin}: only this machine reaches that address, so no event would ever arrive.`
      : `${sender} may not be able to deliver to ${origin}, an address ${network}: then no event arrives.`;
  return { reach, error: new ServiceError('invalid', { message, advice }) };
}
