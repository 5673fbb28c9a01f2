import { fetchClient, type Fetch } from '../../../shared/client/httpClient.ts';
import { TokenRefresher } from '../../../shared/oauth/tokenRefresher.ts';
import type { Connected, Keeping } from '../../../sdk/node/connectionFile.ts';
import type { Ports } from '../../../sdk/node/connectionIn.ts';
import type { VirtualTime } from '../time.ts';
import { BrokenWire, type Wire, type WireAnswer } from '../wire.ts';
import type { Connection } from './told.ts';

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
export const fetchOver =
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
