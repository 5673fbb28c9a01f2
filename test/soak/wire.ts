import type { Sandbox } from '../../sandbox/service.ts';
import type { VirtualTime } from './time.ts';

/** A request as a platform's HTTP client puts it on the wire. */
export interface WireRequest {
  method: string;
  /** Complete, including the query. */
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** An answer as it came over the wire, unparsed. */
export interface WireAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** The length of the body once it is unpacked, if it is not kept in full. */
  unpackedBytes?: number;
}

/** A connection that broke. The code is the one that an HTTP client gives. */
export class BrokenWire extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The connection broke (${code}).`);
    this.name = 'BrokenWire';
    this.code = code;
  }
}

/** Sends one request. A client that gives up aborts the signal. */
export type Wire = (request: WireRequest, signal: AbortSignal) => Promise<WireAnswer>;

/** What was sent to another origin. This must always be empty. */
export interface Elsewhere {
  requests: WireRequest[];
}

/** The path as the public document writes it: `/v1/bookings`. */
export const pathOf = ({ url }: Pick<WireRequest, 'url'>): string => new URL(url).pathname.replace(/^\/api(?=\/v1(\/|$))/, '');

/** The service without a socket. Any other origin only records what it is sent. */
export function inProcess(sandbox: Pick<Sandbox, 'origin' | 'fetch'>, time: VirtualTime, elsewhere: Elsewhere): Wire {
  return (request) =>
    time.during(async () => {
      if (new URL(request.url).origin !== sandbox.origin) {
        elsewhere.requests.push(request);
        return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
      }
      const { method, url, headers, body } = request;
      const response = await sandbox.fetch(new Request(url, { method, headers, ...(body !== undefined && { body }) }));
      return { status: response.status, headers: Object.fromEntries(response.headers), body: Buffer.from(await response.arrayBuffer()) };
    });
}

/** A text as JSON, or the text itself if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The clock for a wait: virtual time, or the process's own. */
export interface Timers {
  set(fire: () => void, ms: number): number;
  clear(id: number): void;
}

/**
 * Sends a request like an HTTP client that follows every redirect, including to other hosts, with the token. n8n's helper does so unless it
 * is told not to.
 */
export async function following(send: (request: WireRequest) => Promise<WireAnswer>, request: WireRequest): Promise<WireAnswer> {
  const answer = await send(request);
  const { location } = answer.headers;
  return answer.status >= 300 && answer.status < 400 && location !== undefined
    ? send({ ...request, url: new URL(location, request.url).href })
    : answer;
}

/** Sends a request like an HTTP client that gives up after `ms`, or when it is cancelled. */
export async function within(wire: Wire, request: WireRequest, ms: number, time: Timers, calledOff?: AbortSignal): Promise<WireAnswer> {
  if (calledOff?.aborted === true) throw new BrokenWire('ERR_CANCELED');
  const abort = new AbortController();
  const late = Promise.withResolvers<never>();
  const end = (code: string): void => {
    abort.abort(new BrokenWire(code));
    late.reject(new BrokenWire(code));
  };
  const timer = time.set(() => end('ECONNABORTED'), ms);
  const callOff = (): void => end('ERR_CANCELED');
  calledOff?.addEventListener('abort', callOff, { once: true });
  try {
    return await Promise.race([wire(request, abort.signal), late.promise]);
  } finally {
    time.clear(timer);
    calledOff?.removeEventListener('abort', callOff);
  }
}
