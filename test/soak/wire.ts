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
