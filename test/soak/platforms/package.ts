import { fetchClient, type Fetch } from '../../../shared/client/httpClient.ts';
import { TokenRefresher } from '../../../shared/oauth/tokenRefresher.ts';
import { operations, type Operation } from '../../../shared/operations/index.ts';
import { clientOf, type Method } from '../../../sdk/client/methods.ts';
import { placeOf } from '../../../sdk/client/names.ts';
import { isServiceError } from '../../../sdk/errors.ts';
import type { Connected, Keeping } from '../../../sdk/node/connectionFile.ts';
import { connectionIn, type Ports } from '../../../sdk/node/connectionIn.ts';
import type { VirtualTime } from '../time.ts';
import { BrokenWire, type Wire, type WireAnswer } from '../wire.ts';
import { failure, type Connection, type Told } from './told.ts';

/** Where a program runs. */
export interface Surroundings {
  wire: Wire;
  time: VirtualTime;
  connection: Connection;
}

/** An application on the package for developers. It shows what it gets, and retries nothing by itself. */
export class Application {
  readonly #client: Record<string, Record<string, Method>>;

  constructor({ wire, time, connection }: Surroundings) {
    const ports = portsOver(wire, time);
    const made = clientOf(operations, {
      now: () => Date.now(),
      sleep: (milliseconds, over) => time.sleep(milliseconds, over),
      timeout: ports.timeout,
    });
    this.#client = made({ auth: connectionIn(keeping(connection), ports), baseUrl: connection.baseUrl, fetch: fetchOver(wire) });
  }

  /** Runs an operation, and reads all pages of a list. */
  async run(operation: Operation, input: Record<string, unknown>): Promise<Told> {
    const { group, method } = placeOf(operation);
    const found = this.#client[group]?.[method];
    if (found === undefined) throw new Error(`There is no ${group}.${method}.`);
    try {
      const answer = found(input);
      return { outcome: 'done', value: 'all' in answer ? await answer.all() : await answer };
    } catch (error) {
      if (isServiceError(error)) return failure(error.message, error.advice);
      return failure(String(error), 'Nobody said anything.');
    }
  }
}

/** The token file, without a file. */
export function keeping(connection: Connection): Keeping {
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

export const portsOver = (wire: Wire, time: VirtualTime): Ports => ({
  httpClient: fetchClient(fetchOver(wire)),
  timeout(milliseconds) {
    const over = new AbortController();
    time.set(() => over.abort(new DOMException('The time is over.', 'TimeoutError')), milliseconds);
    return over.signal;
  },
  renewals: new TokenRefresher({
    now: () => Date.now(),
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
