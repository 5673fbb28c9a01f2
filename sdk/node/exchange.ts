// Not by name: what intercepts requests, for a test or for a trace, puts its own functions into these modules.
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { mostBytes, parsed, type Exchange, type FetchRequest } from '../../shared/api/overFetch.ts';
import { networkFault, NetworkFault, type ApiResponse } from '../../shared/api/transport.ts';

/**
 * Requests over Node's own HTTP, which takes a fraction of the time of its `fetch`. Connections are those of Node's global agents: they
 * are kept for the next request, keep no process running, and take the proxy that Node takes. No redirect is followed, because the token
 * would travel along.
 *
 * A read whose connection turns out to be dead is sent again over another one: the service may close a connection that nobody uses at
 * the very moment in which somebody does. What changes something never is.
 *
 * @param agentName who sends them: some services turn away who does not say
 */
export function nodeExchange(agentName: string): Exchange {
  const exchange: Exchange = (address, request, given) =>
    new Promise((resolve, reject) => {
      if (given.aborted) return reject(new NetworkFault('ETIMEDOUT', false));
      const outgoing = begun(agentName, address, request);
      let [isOnItsWay, isAnswered, isOver] = [false, false, false];
      const send = (): void => void (isOnItsWay = true);
      outgoing.once('socket', (socket) => (socket.connecting ? socket.once('connect', send) : send()));
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
      // While a connection is being made, nothing has been carried.
      const late = (): void => fail(new NetworkFault('ETIMEDOUT', isOnItsWay));
      outgoing.once('response', (incoming) => {
        isAnswered = true;
        wholeText(incoming).then((text) => {
          if (end()) resolve(answerOf(incoming, text));
        }, fail);
      });
      given.addEventListener('abort', late);
      outgoing.on('error', fail);
      // An end without an answer and without an error, as after one that changes the protocol.
      outgoing.once('close', () => isAnswered || fail(new NetworkFault('ECONNRESET', true)));
      outgoing.end(request.body);
    });
  return exchange;
}

const begun = (agentName: string, address: string, { method, headers, body }: FetchRequest): ClientRequest =>
  (address.startsWith('https:') ? https : http).request(address, {
    method,
    headers: {
      ...headers,
      'user-agent': agentName,
      'accept-encoding': 'gzip, br',
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
  });

/** Each try uses up a connection that was kept, so that this comes to an end. */
const wasDead = ({ reusedSocket }: ClientRequest, error: Error): boolean =>
  reusedSocket && !(error instanceof NetworkFault) && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

function answerOf({ statusCode = 0, headers }: IncomingMessage, text: string): ApiResponse {
  const said: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') said[name] = value;
  }
  return { status: statusCode, headers: said, body: parsed(text) };
}

const decoder = new TextDecoder();

function wholeText(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const source = unpacked(incoming);
    const pieces: Buffer[] = [];
    let read = 0;
    source.on('data', (piece: Buffer) => {
      read += piece.length;
      if (read > mostBytes) reject(new NetworkFault('EMSGSIZE', true));
      else pieces.push(piece);
    });
    source.once('end', () => resolve(decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))));
    source.on('error', reject);
    source.once('close', () => source.readableEnded || reject(new NetworkFault('ECONNRESET', true)));
  });
}

function unpacked(incoming: IncomingMessage): Readable {
  const packing = incoming.headers['content-encoding'];
  if (packing === undefined || packing === 'identity') return incoming;
  // What goes wrong in one ends the other, and is told by the latter.
  return pipeline(incoming, packing === 'br' ? createBrotliDecompress() : createUnzip(), () => undefined);
}
