import { fetchClient, type Fetch } from '../../shared/client/httpClient.ts';
import { TokenRefresher } from '../../shared/oauth/tokenRefresher.ts';
import { operations, type Operation } from '../../shared/operations/index.ts';
import { clientOf, type Method } from '../../sdk/client/methods.ts';
import { placeOf } from '../../sdk/client/names.ts';
import { isServiceError, type Client } from '../../sdk/index.ts';
import type { Connected, Keeping } from '../../sdk/node/connectionFile.ts';
import { connectionIn, type Ports } from '../../sdk/node/connectionIn.ts';
import type { VirtualTime } from './time.ts';
import { BrokenWire, type Wire, type WireAnswer } from './wire.ts';

/** What the user sees at the end of an operation. */
export type Told =
  | { outcome: 'done'; value: unknown }
  | {
      outcome: 'failed';
      /** Everything that is shown of the error. */
      words: string;
      /** Whether the words leave open what happened. */
      isUnsure: boolean;
      /** Why these words do not help a person; absent if they do. */
      defect?: string;
    };

/** A connected account. */
export interface Connection {
  id: string;
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  accessToken: string;
  refreshToken: string;
}

/** Where an application runs. */
export interface Surroundings {
  wire: Wire;
  time: Pick<VirtualTime, 'date' | 'set' | 'sleep'>;
  connection: Connection;
}

/** An application on the package for developers. It shows what it gets, and retries nothing by itself. */
export class Application {
  readonly client: Client;

  constructor({ wire, time, connection }: Surroundings) {
    const ports = portsOver(wire, time);
    const made = clientOf(operations, {
      now: () => time.date(),
      sleep: (milliseconds, over) => time.sleep(milliseconds, over),
      timeout: ports.timeout,
    });
    const auth = connectionIn(keeping(connection), ports);
    this.client = made({ auth, baseUrl: connection.baseUrl, fetch: fetchOver(wire) }) as unknown as Client;
  }

  /** Runs an operation, and reads all pages of a list. */
  run(operation: Operation, input: Record<string, unknown>): Promise<Told> {
    const { group, method } = placeOf(operation);
    const found = (this.client as unknown as Record<string, Record<string, Method>>)[group]?.[method];
    if (found === undefined) throw new Error(`There is no ${group}.${method}.`);
    return toldBy(async () => {
      const answer = found(input);
      return 'all' in answer ? answer.all() : answer;
    });
  }
}

/** How a piece of work ends for its user. */
export async function toldBy(work: () => Promise<unknown>): Promise<Told> {
  try {
    return { outcome: 'done', value: await work() };
  } catch (error) {
    return isServiceError(error) ? failure(error.message, error.advice) : failure(String(error), 'Nobody said anything.');
  }
}

/** A failure in the words that a person reads: what happened, and what to do. */
function failure(message: string, advice: string): Told {
  const words = `${message} ${advice}`.trim();
  const isUnsure = /may or may not/.test(words);
  const defect = defectOf(message, advice);
  return { outcome: 'failed', words, isUnsure, ...(defect !== undefined && { defect }) };
}

function defectOf(message: string, advice: string): string | undefined {
  if (!/^["A-Z]|^[\d.]+:\d+ /.test(message) || !/[.!?]"?$|: npx [\w -]+$/.test(message.trim())) return 'what happened is not a sentence';
  if (advice !== '' && !/^["A-Z].*[.!]$/s.test(advice.trim())) return 'what to do is not a sentence';
  if (advice === '' && message.split('. ').length < 2) return 'nothing says what to do';
  if (/\bundefined\b|\[object|\bNaN\b|TypeError|<html|<!DOCTYPE/.test(`${message} ${advice}`)) return 'something raw shows through';
  return undefined;
}

/** The token file, without a file. */
function keeping(connection: Connection): Keeping {
  const read = (): Connected => ({
    id: '0123456789abcdef',
    baseUrl: connection.baseUrl,
    clientId: connection.clientId,
    clientSecret: connection.clientSecret,
    tokens: { access_token: connection.accessToken, refresh_token: connection.refreshToken },
  });
  return {
    path: connection.id,
    read,
    async write({ tokens }) {
      connection.accessToken = tokens.access_token;
      connection.refreshToken = tokens.refresh_token ?? '';
    },
    withLock: (work) => work(),
  };
}

const portsOver = (wire: Wire, time: Surroundings['time']): Ports => ({
  httpClient: fetchClient(fetchOver(wire)),
  timeout(milliseconds) {
    const over = new AbortController();
    time.set(() => over.abort(new DOMException('The time is over.', 'TimeoutError')), milliseconds);
    return over.signal;
  },
  renewals: new TokenRefresher({
    now: () => time.date(),
    async sleep(milliseconds, ended) {
      await time.sleep(milliseconds, ended);
      ended?.throwIfAborted();
    },
  }),
});

/** `fetch` like Node's: an error on the way is the cause of a `TypeError`. */
const fetchOver =
  (wire: Wire): Fetch =>
  async (address, { method = 'GET', headers, body, signal }) => {
    const given = signal ?? new AbortController().signal;
    const over = new Promise<never>((_, reject) => given.addEventListener('abort', () => reject(given.reason as Error), { once: true }));
    const request = { method, url: address, headers: headers as Record<string, string>, ...(typeof body === 'string' && { body }) };
    try {
      return responseOf(await Promise.race([wire(request, given), over]));
    } catch (error) {
      if (!(error instanceof BrokenWire)) throw error;
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(error.message), { code: error.code }) });
    }
  };

const CHUNK = new Uint8Array(1_000_000);

function responseOf({ status, headers, body, unpackedBytes = 0 }: WireAnswer): Response {
  let left = unpackedBytes;
  const unpacked = (): ReadableStream =>
    new ReadableStream({
      pull(controller) {
        if (left <= 0) return controller.close();
        left -= CHUNK.length;
        controller.enqueue(CHUNK);
      },
    });
  const isBare = [101, 204, 205, 304].includes(status);
  return new Response(isBare ? null : unpackedBytes > body.length ? unpacked() : new Uint8Array(body), { status, headers });
}
