import { lookup as lookUp } from 'node:dns';
import { request } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { readClient } from './clients.ts';

/** Longer than any document, and how long one may take. Bytes, milliseconds. */
const most = { bytes: 64_000, ms: 5_000, aMinute: 120 } as const;

/** Networks that nobody outside reaches, or that are not one machine (IANA's special-purpose registries). */
const inside = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(network, bits, 'ipv4');

/** Only global unicast is outside, and of it not what carries or translates other addresses. */
const outside6 = new BlockList();
outside6.addSubnet('2000::', 3, 'ipv6');
const inside6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside6.addSubnet(network, bits, 'ipv6');

/** Whether an address belongs to this machine or a network that only its neighbours reach. */
export const isInside = (address: string): boolean =>
  isIP(address) === 4 ? inside.check(address, 'ipv4') : !outside6.check(address, 'ipv6') || inside6.check(address, 'ipv6');

class Refused extends Error {}

/** Looks a host up, and fails if any of its addresses is inside: the connection then goes to what was judged, and to nothing else. */
const outsideOnly: LookupFunction = (hostname, options, answer) =>
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return answer(error, []);
    if (addresses.length === 0 || addresses.some(({ address }) => isInside(address))) return answer(new Refused('inside'), []);
    if (options.all === true) return answer(null, addresses);
    const [{ address, family } = { address: '', family: 4 }] = addresses;
    answer(null, address, family);
  });

/**
 * Reads the documents in which clients describe themselves (client id metadata documents). It reaches nothing inside the operator's network,
 * follows no redirect, and passes on only what {@link readClient} reads.
 *
 * @param insideHosts may be reached wherever they are
 */
export function documentReader(insideHosts: readonly string[]): (address: string | URL | Request) => Promise<Response> {
  let minute = { at: 0, read: 0 };
  return async (address) => {
    const url = new URL(address instanceof Request ? address.url : address);
    const isAllowed = insideHosts.includes(url.host);
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (url.protocol !== 'https:' || (!isAllowed && (url.port !== '' || (isIP(literal) !== 0 && isInside(literal)))))
      throw new Refused('address');
    if (Date.now() - minute.at > 60_000) minute = { at: Date.now(), read: 0 };
    if ((minute.read += 1) > most.aMinute) throw new Refused('too many');
    const { status, text, cacheControl } = await read(url, isAllowed ? undefined : outsideOnly);
    if (status !== 200) return new Response(null, { status: status < 200 ? 502 : status });
    const said = JSON.parse(text) as { client_id?: unknown };
    return Response.json(
      { client_id: said.client_id, ...readClient(said) },
      { headers: cacheControl ? { 'cache-control': cacheControl } : {} },
    );
  };
}

const read = (url: URL, lookup: LookupFunction | undefined) =>
  new Promise<{ status: number; text: string; cacheControl: string | undefined }>((resolve, reject) => {
    const signal = AbortSignal.timeout(most.ms);
    const asked = request(url, { agent: false, signal, headers: { accept: 'application/json' }, ...(lookup && { lookup }) }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
        if (text.length > most.bytes) answer.destroy(new Refused('too long'));
      });
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text, cacheControl: answer.headers['cache-control'] }));
    });
    asked.once('error', reject);
    asked.end();
  });
