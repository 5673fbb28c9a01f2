import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { mostBytes, parsed, timeoutOf, type Exchange } from '../shared/api/overFetch.ts';
import { networkFault, NetworkFault, type ApiResponse } from '../shared/api/transport.ts';
import { brand } from '../shared/brand.ts';

/** Some services refuse requests without a user agent. */
const agentName = `${brand.slug}-mcp`;

/**
 * One request over Node.js's own HTTP client, which takes a fraction of the time of its `fetch`: a tool call is hardly more than this
 * request. Connections are kept for the next request. Redirects are not followed, because they would take the token along.
 */
export const exchange: Exchange = (address, { method, headers, body }, given) =>
  new Promise((resolve, reject) => {
    const request = address.startsWith('https:') ? overHttps : overHttp;
    const outgoing = request(address, {
      method,
      headers: {
        ...headers,
        'user-agent': agentName,
        'accept-encoding': 'gzip, br',
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      signal: given,
    });
    let isOnItsWay = false;
    const send = (): void => void (isOnItsWay = true);
    outgoing.once('socket', (socket) => (socket.connecting ? socket.once('connect', send) : send()));
    const late = (): void => fail(new NetworkFault('ETIMEDOUT', isOnItsWay));
    const fail = (error: Error): void => {
      given.removeEventListener('abort', late);
      reject(faultOf(error, isOnItsWay));
      outgoing.destroy();
    };
    // The response ended without an answer and without an error, as after a protocol change.
    const gone = (): void => fail(new NetworkFault('ECONNRESET', true));
    outgoing.once('response', (incoming) => {
      outgoing.off('close', gone);
      wholeText(incoming).then((text) => {
        given.removeEventListener('abort', late);
        resolve(answerOf(incoming, text));
      }, fail);
    });
    // Also rejected here: a request that Node.js has already given up ignores its signal.
    given.addEventListener('abort', late);
    outgoing.on('error', fail);
    outgoing.once('close', gone);
    outgoing.end(body);
  });

function answerOf({ statusCode = 0, headers }: IncomingMessage, text: string): ApiResponse {
  const said: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') said[name] = value;
  }
  return { status: statusCode, headers: said, body: parsed(text) };
}

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
    source.once('end', () => resolve(new TextDecoder().decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))));
    source.on('error', reject);
    // After the end, this has no effect.
    source.once('close', () => reject(new NetworkFault('ECONNRESET', true)));
  });
}

function unpacked(incoming: IncomingMessage): Readable {
  const packing = incoming.headers['content-encoding'];
  if (packing === undefined || packing === 'identity') return incoming;
  // An error in one stream ends the other, which reports it.
  return pipeline(incoming, packing === 'br' ? createBrotliDecompress() : createUnzip(), () => undefined);
}

/** @param isOnItsWay whether there was a connection: without one, nothing was sent */
const faultOf = (error: Error, isOnItsWay: boolean): Error => {
  const timeout = timeoutOf(error);
  if (timeout !== undefined) return isOnItsWay ? timeout : new NetworkFault(timeout.code, false);
  return networkFault(error) ?? error;
};
