import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { mostBytes, parsed, timeoutOf, type Exchange } from '../shared/api/overFetch.ts';
import { networkFault, NetworkFault, type ApiResponse } from '../shared/api/transport.ts';
import { brand } from '../shared/brand.ts';

/** Some services turn away who does not say who they are. */
const agentName = `${brand.slug}-mcp`;

/**
 * One request over Node's own HTTP, which takes a fraction of the time of its `fetch`: a call of a tool is hardly more than this.
 * Its connections are kept for the next one, and no redirect is followed, because the token would travel along.
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
    // An end without an answer and without an error, as after one that changes the protocol.
    const gone = (): void => fail(new NetworkFault('ECONNRESET', true));
    outgoing.once('response', (incoming) => {
      outgoing.off('close', gone);
      wholeText(incoming).then((text) => {
        given.removeEventListener('abort', late);
        resolve(answerOf(incoming, text));
      }, fail);
    });
    // By itself too: a request that Node has given up already takes no notice of its signal.
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
    // After its end this says nothing new.
    source.once('close', () => reject(new NetworkFault('ECONNRESET', true)));
  });
}

function unpacked(incoming: IncomingMessage): Readable {
  const packing = incoming.headers['content-encoding'];
  if (packing === undefined || packing === 'identity') return incoming;
  // What goes wrong in one ends the other, and is told by the latter.
  return pipeline(incoming, packing === 'br' ? createBrotliDecompress() : createUnzip(), () => undefined);
}

/** @param isOnItsWay whether there was a connection: while it is being made, nothing has been carried */
const faultOf = (error: Error, isOnItsWay: boolean): Error => {
  const timeout = timeoutOf(error);
  if (timeout !== undefined) return isOnItsWay ? timeout : new NetworkFault(timeout.code, false);
  return networkFault(error) ?? error;
};
