import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { textOf } from '../../mcp/adapter/serving.ts';
import type { SealedRows } from '../database/sealedRows.ts';
import { shares, type Share } from '../database/shares.ts';
import { askerNow, refuseFor } from '../askers.ts';
import type { Some } from '../basis.ts';
import { isInside, readClient } from './clients.ts';

/** The limits for a document's size and duration, and for the documents of one host in a minute. Bytes, milliseconds. */
const most = { bodyBytes: 64_000, bodyMs: 5_000 } as const;
const ofHost: Share = { name: 'documents of a host', each: 30, forMs: 60_000 };

/** How long the document of a connected client outlives its host. Milliseconds. */
const documentForMs = 90 * 24 * 60 * 60_000;

class RefusedDocument extends Error {}

/** Slow look-ups of the system's own resolver would block all others, so this asks the name servers itself. */
const resolver = new Resolver({ timeout: 2_000, tries: 1 });

/** Looks a host up, and fails if any address is internal. The connection uses exactly the checked addresses. */
const outsideOnly: LookupFunction = (hostname, { all }, answer) =>
  void Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]).then((found) => {
    const addresses = found
      .flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
      .map((address) => ({ address, family: isIP(address) }));
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => isInside(address))) return answer(new RefusedDocument('inside'), []);
    return all === true ? answer(null, addresses) : answer(null, first.address, first.family);
  });

/** Keeps a connected client's document in case its host stops responding. @param said what {@link readClient} reads */
export const keepDocument = (rows: SealedRows, clientId: string, said: object): Promise<void> =>
  rows.put('Document', clientId, said, {}, documentForMs);

/**
 * Reads the documents in which clients describe themselves (client id metadata documents). It reaches nothing inside the operator's
 * network, follows no redirects, and passes on only what {@link readClient} reads. A connected client survives an outage of its host: its
 * last document counts, unless the host says that there is none.
 *
 * @param settings.insideHosts hosts that may be reached even if they are internal
 */
export function documentReader({ settings, rows, shared }: Some<'settings' | 'rows' | 'shared'>) {
  const readNow = async (url: URL, isKnown: boolean) => {
    const isAllowed = settings.insideHosts.includes(url.host);
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (url.protocol !== 'https:' || (!isAllowed && (url.port !== '' || (isIP(literal) !== 0 && isInside(literal)))))
      throw new RefusedDocument('address');
    if (!isKnown) {
      // The requester's own share is taken first, so that nobody uses up the shares of others or of the host.
      refuseFor(await shared.take(shares.documents, askerNow()), 'documents');
      refuseFor(await shared.take(ofHost, url.host), ofHost.name);
    }
    const found = await read(url, isAllowed ? undefined : outsideOnly);
    if (![200, 404, 410].includes(found.status)) throw new RefusedDocument('status');
    return found;
  };
  return async (address: string | URL | Request): Promise<Response> => {
    const id = address instanceof Request ? address.url : String(address);
    const kept = await rows.get('Document', id);
    const found = await readNow(new URL(id), kept !== undefined).catch((error: unknown) => {
      if (kept === undefined) throw error;
      return undefined;
    });
    if (found === undefined) return Response.json({ client_id: id, ...readClient(kept?.value) });
    const { status, text, cacheControl } = found;
    if (status !== 200) return new Response(null, { status });
    const said = JSON.parse(text) as { client_id?: unknown };
    const client = readClient(said);
    if (kept !== undefined && said.client_id === id) await keepDocument(rows, id, client);
    return Response.json({ client_id: said.client_id, ...client }, { headers: cacheControl ? { 'cache-control': cacheControl } : {} });
  };
}

async function read(url: URL, lookup: LookupFunction | undefined) {
  const [signal, headers] = [AbortSignal.timeout(most.bodyMs), { accept: 'application/json' }];
  const asked = request(url, { agent: false, signal, headers, ...(lookup && { lookup }) }).end();
  // Anything but a response, such as an upgrade to another protocol, ends with the connection.
  const [answer] = (await Promise.race([once(asked, 'response'), once(asked, 'close')])) as [IncomingMessage?];
  if (answer === undefined) throw new RefusedDocument('no answer');
  return { status: answer.statusCode ?? 0, text: await textOf(answer, most), cacheControl: answer.headers['cache-control'] };
}
