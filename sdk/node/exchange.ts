// Not imported by name: tools that intercept requests, for tests or traces, replace the functions of these modules.
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { mostBytes, type Exchange, type FetchRequest } from '../../shared/api/overFetch.ts';
import { networkFault, NetworkFault } from '../../shared/api/transport.ts';
import { answerOf } from './answer.ts';

/**
 * Requests over Node.js's own HTTP client, which takes a fraction of the time of its `fetch`. Connections belong to Node.js's global
 * agents: they are kept for the next request, do not keep the process running, and use the proxy that Node.js uses. Redirects are not
 * followed, because they would take the token along.
 *
 * If a kept connection turns out to be closed, a read is sent again over another one: the service may close an idle connection just as it
 * is used again. A request that changes something is never sent again here.
 *
 * @param agentName the user agent, because some services refuse requests without one
 */
export function nodeExchange(agentName: string): Exchange {
  const exchange: Exchange = (address, request, given) =>
    new Promise((resolve, reject) => {
      if (given.aborted) return reject(new NetworkFault('ETIMEDOUT', false));
      const outgoing = begun(agentName, address, request);
      let [isAnswered, isOver] = [false, false];
      const end = (): boolean => {
        if (isOver) return false;
        isOver = true;
        given.removeEventListener('abort', late);
        return true;
      };
      const fail = (error: Error): void => {
        if (!end()) return;
        outgoing.destroy();
        if (request.method === 'GET' && !isAnswered && wasDead(outgoing, error)) resolve(exchange(address, request, given));
        else reject(networkFault(error) ?? error);
      };
      // Before there is a connection, nothing was sent. Connections of other agents may not say whether they are connected.
      const late = (): void => fail(new NetworkFault('ETIMEDOUT', outgoing.socket !== null && !outgoing.socket.connecting));
      outgoing.once('response', (incoming) => {
        isAnswered = true;
        // What is complete is an answer, even if the time is over while it is unpacked.
        wholeBody(incoming).then((body) => {
          if (end()) resolve(answerOf({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }));
        }, fail);
      });
      given.addEventListener('abort', late);
      outgoing.on('error', fail);
      // The response ended without an answer and without an error, as after a protocol change.
      outgoing.once('close', () => isAnswered || fail(new NetworkFault('ECONNRESET', true)));
      outgoing.end(request.body);
    });
  return exchange;
}

function begun(agentName: string, address: string, { method, headers, body }: FetchRequest): ClientRequest {
  const { protocol, hostname, port, pathname, search } = new URL(address);
  const given: Record<string, string | number> = { ...headers, 'user-agent': agentName, 'accept-encoding': 'gzip, br' };
  if (body !== undefined) given['content-length'] = Buffer.byteLength(body);
  // In parts, because Node.js copies every property of an address that it gets whole.
  const parts = { protocol, hostname: unbracketed(hostname), port, path: pathname + search };
  return (protocol === 'https:' ? https : http).request({ ...parts, method, headers: given });
}

/** The address of a host as sockets take it: that of IPv6 stands in brackets in a URL. */
const unbracketed = (hostname: string): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname);

/** Each try uses up one kept connection, so the tries come to an end. */
const wasDead = ({ reusedSocket }: ClientRequest, error: Error): boolean =>
  reusedSocket && !(error instanceof NetworkFault) && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** @throws NetworkFault if it is cut off, or too long */
function wholeBody(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let read = 0;
    incoming.on('data', (piece: Buffer) => {
      read += piece.length;
      if (read > mostBytes) reject(new NetworkFault('EMSGSIZE', true));
      else pieces.push(piece);
    });
    incoming.once('end', () => resolve(Buffer.concat(pieces)));
    incoming.on('error', reject);
    incoming.once('close', () => incoming.readableEnded || reject(new NetworkFault('ECONNRESET', true)));
  });
}
