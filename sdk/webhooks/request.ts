import type { RawDelivery } from '../../shared/webhooks/delivery.ts';
import { asText, isYes } from '../../shared/values.ts';
import { bytesOf } from '../crypto.ts';
import { brokenOff, gathered, UnreadableBody, type Bounds } from './body.ts';

/** A request in the form that all handlers pass to the receiver. */
export interface Incoming {
  method: string;
  /** The path with the query, or the whole URL, depending on the server. */
  url: string;
  headers: RawDelivery['headers'];
  /**
   * The bytes of the body as they were sent.
   *
   * @throws UnreadableBody
   */
  body(bounds: Bounds): Promise<Uint8Array>;
}

/**
 * Reads whatever a host passes as a request, by its properties: hosts and their test doubles imitate Node.js and browsers to different
 * degrees. A property that is missing, empty, of another type, or throws when accessed counts as absent.
 *
 * - Headers: as they were sent, if the host kept them, otherwise in the host's own form. Repeated headers stay separate if the host keeps
 *   them so.
 * - The body: the kept bytes or text (UTF-8, or base64 if an event says so), otherwise the stream.
 *
 * @param given a request of the Fetch API, of Node.js or of a framework, an event of a function, or an object with one of these
 */
export function incomingOf(given: unknown): Incoming {
  const parts = partsOf(given);
  const text = (...names: string[]): string => asText(first(parts, names, (value) => asText(value) !== ''));
  const { http } = (first(parts, ['requestContext'], isThing) ?? {}) as { http?: unknown };
  return {
    method: (text('method', 'httpMethod') || asText(peek(http, 'method'))).toUpperCase(),
    url: text('url', 'rawPath', 'path'),
    headers: headersOf(parts),
    body: (bounds) => bodyOf(parts, bounds),
  };
}

/** The values of each header by its lowercase name, from any form of headers that a host uses. */
export function headersIn(headers: unknown): Record<string, string[]> {
  // Without a prototype, because a sender may name a header like a member of every object.
  const read = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of pairsIn(headers))
    for (const each of [value].flat()) if (typeof each === 'string') (read[String(name).toLowerCase()] ??= []).push(each);
  return read;
}

function pairsIn(headers: unknown): [string, unknown][] {
  if (!isThing(headers)) return [];
  // Alternating names and values, as in Node.js's `rawHeaders`.
  if (Array.isArray(headers) && typeof headers[0] === 'string')
    return headers.flatMap((name, at): [string, unknown][] => (at % 2 === 0 ? [[String(name), headers[at + 1]]] : []));
  const listed = attempted(() => (Symbol.iterator in headers ? [...(headers as Iterable<[string, unknown]>)] : undefined));
  return listed?.filter(Array.isArray) ?? (attempted(() => Object.keys(headers)) ?? []).map((name) => [name, peek(headers, name)]);
}

const headersOf = (parts: readonly object[]): RawDelivery['headers'] =>
  ['rawHeaders', 'multiValueHeaders', 'headers']
    .map((name) => headersIn(first(parts, [name], (value) => Object.keys(headersIn(value)).length > 0)))
    .find((headers) => Object.keys(headers).length > 0) ?? {};

type Thing = Readonly<Record<string, unknown>>;

const isThing = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The result of a lookup; `undefined` if it throws. */
function attempted<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch {
    // Some hosts throw for each part that they lack or cannot parse.
    return undefined;
  }
}

/** A property of an object; `undefined` if it is missing or throws. */
export const peek = (object: unknown, name: string): unknown => (isThing(object) ? attempted(() => (object as Thing)[name]) : undefined);

const has = (object: unknown, method: string): boolean => typeof peek(object, method) === 'function';

/** The first of these values that is usable. */
function first(parts: readonly object[], names: readonly string[], isOfUse: (value: unknown) => boolean): unknown {
  for (const part of parts)
    for (const name of names) {
      const value = peek(part, name);
      if (isOfUse(value)) return value;
    }
  return undefined;
}

/** The properties in which frameworks keep the request that they wrap. */
const wraps = ['request', 'req', 'raw', 'node', 'source'];

/** The passed object and the requests that it wraps. */
function partsOf(given: unknown): object[] {
  const parts = new Set<object>();
  const collect = (value: unknown, depth: number): void => {
    if (!isThing(value) || parts.has(value)) return;
    parts.add(value);
    if (depth > 0) for (const name of wraps) collect(peek(value, name), depth - 1);
  };
  collect(given, 2);
  return [...parts];
}

/** A body that a host has kept as bytes or text; `undefined` if there is none. */
function keptIn(part: object, name: string): Uint8Array | undefined {
  // An object that contains a request is a context: its own `body` is that of the response.
  const kept = name === 'body' && isThing(peek(part, 'request')) ? undefined : peek(part, name);
  if (typeof kept !== 'string' || !isYes(peek(part, 'isBase64Encoded'))) return bytesIn(kept);
  try {
    return Uint8Array.from(atob(kept), (letter) => letter.charCodeAt(0));
  } catch {
    throw brokenOff();
  }
}

/** Bytes, also from another realm, where they have another class; a text as UTF-8; `undefined` for anything else. */
export function bytesIn(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string') return bytesOf(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const form = attempted(() => Object.prototype.toString.call(value));
  return form === '[object ArrayBuffer]' ? new Uint8Array(value as ArrayBuffer) : undefined;
}

async function bodyOf(parts: readonly object[], bounds: Bounds): Promise<Uint8Array> {
  const kept = ['rawBody', 'body', 'payload'].flatMap((name) => parts.flatMap((part) => keptIn(part, name) ?? []));
  const filled = kept.find(({ length }) => length > 0);
  if (filled !== undefined) return filled;
  const length = headersOf(parts)['content-length']?.[0];
  const node = parts.find(isNode);
  // A test double may have only `text`. With a Node.js stream, such a method belongs to a framework's wrapper and is not used.
  const double = node === undefined ? parts.find((part) => has(part, 'text')) : undefined;
  const web = parts.find(isWeb) ?? parts.find((part) => has(part, 'arrayBuffer')) ?? double;
  if (web !== undefined) return bytesOfWeb(web as WebRequest, length, bounds);
  if (node !== undefined && !wasRead(node)) return bytesOfNode(node, length, bounds);
  const isParsed = (part: object): boolean => ['body', 'payload'].some((name) => isThing(peek(part, name))) || has(part, 'json');
  const isGone = node !== undefined || parts.some((part) => isParsed(part) && !isThing(peek(part, 'request')));
  if (kept.length === 0 && isGone) throw new UnreadableBody('readBefore', `${readBefore} ${wayOut(parts)}`);
  return new Uint8Array();
}

/** The part of the Fetch API's request that is used to read a delivery. */
interface WebRequest {
  readonly body?: unknown;
  arrayBuffer(): Promise<ArrayBuffer>;
  text(): Promise<string>;
}

const isWeb = (part: object): boolean => typeof peek(part, 'bodyUsed') === 'boolean' || has(peek(part, 'body'), 'getReader');

async function bytesOfWeb(request: WebRequest, length: string | undefined, bounds: Bounds): Promise<Uint8Array> {
  const body = peek(request, 'body');
  if (peek(request, 'bodyUsed') === true || peek(body, 'locked') === true)
    throw new UnreadableBody('readBefore', `${readBefore} ${waysOut.web}`);
  const reader = has(body, 'getReader') ? (body as ReadableStream<unknown>).getReader() : undefined;
  try {
    return await gathered(bounds, length, async (take) => {
      if (reader === undefined) {
        // Without a stream, there is no body or the host has its own way to read it.
        if (body !== null) take(asBytes(await (has(request, 'arrayBuffer') ? request.arrayBuffer() : request.text())));
        return;
      }
      for (let piece = await reader.read(); piece.value !== undefined; piece = await reader.read()) take(asBytes(piece.value));
    });
  } catch (error) {
    // A stream that has already failed cannot be cancelled.
    void reader?.cancel().catch(() => undefined);
    throw error instanceof UnreadableBody ? error : brokenOff();
  }
}

/** The part of Node.js's stream that is used to read a delivery. */
interface NodeStream {
  on(event: string, listener: (given: unknown) => void): NodeStream;
  resume?(): unknown;
  readonly destroyed?: boolean;
  readonly httpVersionMajor?: number | string;
}

/** The stream of a request on Node.js, if it has one. */
export const streamIn = (given: unknown): NodeStream | undefined => partsOf(given).find(isNode);

const isNode = (part: object): part is NodeStream => has(part, 'on') && has(part, 'pipe');

/** Imitations of Node.js show it in different ways. A stream that broke off is not readable either, but was not read. */
const wasRead = (stream: object): boolean =>
  peek(stream, 'readableDidRead') === true ||
  peek(stream, 'readableEnded') === true ||
  (peek(stream, 'readable') === false && peek(stream, 'destroyed') !== true);

// No check for contradictory lengths is needed: Node.js itself refuses such requests.
const bytesOfNode = (request: NodeStream, length: string | undefined, bounds: Bounds): Promise<Uint8Array> =>
  gathered(bounds, length, (take) => {
    if (peek(request, 'destroyed') === true) throw brokenOff();
    const encoding = peek(request, 'readableEncoding') ?? 'utf8';
    return new Promise((resolve, reject) => {
      const breakOff = (): void => reject(brokenOff());
      const takePiece = (piece: unknown): void => {
        try {
          if (typeof piece === 'string' && encoding !== 'utf8') throw new UnreadableBody('readBefore', notBytes);
          take(asBytes(piece));
        } catch (error) {
          reject(error instanceof Error ? error : brokenOff());
        }
      };
      // Over HTTP/2, a body that breaks off may end like a complete one, after `aborted`.
      request.on('data', takePiece).on('aborted', breakOff).on('error', breakOff).on('close', breakOff);
      request.on('end', () => resolve());
    });
  });

/** @throws UnreadableBody for anything but bytes or text */
function asBytes(piece: unknown): Uint8Array {
  const bytes = bytesIn(piece);
  if (bytes === undefined) throw new UnreadableBody('readBefore', notBytes);
  return bytes;
}

const notBytes =
  'The body of the delivery does not come as bytes, so its signature cannot be checked. Do not call setEncoding() on the request.';

const readBefore = 'The body of the delivery was read before it came to this handler, so its signature cannot be checked.';

/** What to do if the body was already read, by host. */
const waysOut = {
  next: "Export `config = { api: { bodyParser: false } }` from this file of Next.js's pages.",
  fastify:
    'Fastify parsed it: register fastify-raw-body and pass the handler its request, or give the route a parser that leaves the body unread. In Nest, create the application with { rawBody: true }.',
  koa: 'A body parser of Koa did that: put the delivery route before it, or let it keep the text as ctx.request.rawBody.',
  h3: 'In h3, Nitro and Nuxt, pass the event on before anything calls readBody(), readRawBody() or readFormData() on it.',
  hapi: "hapi parsed it: give the route the option payload: { parse: false, output: 'data' }.",
  express:
    'A body parser such as express.json() did that. In Express, put the delivery route before it, or use only express.raw({ type: "*/*" }) for that route. In Nest, create the application with { rawBody: true }.',
  web: 'Pass the request on before anything calls json(), text() or formData() on it. If something else must read it too, give that a request.clone().',
  event: 'Pass the event on before anything parses its body, or keep the text as event.rawBody.',
  other:
    'Put the delivery route before the body parser, or let the parser keep the bytes as request.rawBody. In Koa, pass ctx.request instead of ctx.req, and in Fastify the request instead of request.raw: they have what a parser kept.',
} as const;

/** Recognizes each host by properties that only its requests have. */
function wayOut(parts: readonly object[]): string {
  const are = (...names: string[]): boolean => parts.some((part) => names.every((name) => peek(part, name) !== undefined));
  if (are('raw', 'payload')) return waysOut.hapi;
  if (are('raw', 'routeOptions') || are('raw', 'server')) return waysOut.fastify;
  if (are('ctx', 'req') || are('request', 'req', 'app')) return waysOut.koa;
  if (are('app', 'res')) return waysOut.express;
  if (are('node', 'context')) return waysOut.h3;
  if (are('requestContext', 'isBase64Encoded') || are('httpMethod')) return waysOut.event;
  if (are('query', 'cookies') && !are('baseUrl')) return waysOut.next;
  return parts.some((part) => has(part, 'json')) ? waysOut.web : waysOut.other;
}
