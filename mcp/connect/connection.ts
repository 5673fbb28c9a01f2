import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../shared/api/errors.ts';
import { exchange, sendOver, type FetchRequest } from '../../shared/api/overFetch.ts';
import { NetworkFault, type ApiRequest, type ApiResponse, type Transport } from '../../shared/api/transport.ts';
import { brand } from '../../shared/brand.ts';
import { noRefreshToken, readTokens, refreshExchange, revocation, type TokenRequest } from '../../shared/oauth.ts';
import { Renewals, unreachableRenewal } from '../../shared/renewal.ts';
import { withLock } from './lock.ts';
import type { TokenFile } from './tokenFile.ts';

/** How long a request may take. One that changes something is given up early enough for looking after it. Milliseconds. */
const timeouts = { GET: 30_000, POST: 18_000, DELETE: 18_000 } as const;
const tokenMs = 15_000;

/** The renewals of this process; other processes are kept out by the lock file. */
const renewals = new Renewals({ now: () => Date.now(), sleep: (milliseconds, ended) => sleep(milliseconds, undefined, { signal: ended }) });

/** The core's port over `fetch`, with the token of the connection. A 401, which means that nothing was carried out, is answered by one renewal for all who wait. */
export const transportOf =
  (file: TokenFile): Transport =>
  async (request) => {
    const { id, tokens } = file.read();
    const answer = await send(request, tokens.access_token);
    if (answer.status !== 401) return answer;
    const now = file.read();
    // Another request, or another process, may have renewed it meanwhile.
    if (now.id === id && now.tokens.access_token === tokens.access_token)
      await renewals.renew(`${file.path} ${id}`, () => renew(file, tokens.access_token));
    return send(request, file.read().tokens.access_token);
  };

async function renew(file: TokenFile, used: string): Promise<void> {
  await withLock(file.lock, async () => {
    const connected = file.read();
    if (connected.tokens.access_token !== used) return;
    const { refresh_token: token } = connected.tokens;
    if (token === undefined) throw noRefreshToken();
    const { access_token, refresh_token } = readTokens(await post(refreshExchange(connected, token)), token);
    await file.write({ ...connected, tokens: { access_token, ...(refresh_token !== undefined && { refresh_token }) } });
  });
}

const send = (request: ApiRequest, token: string): Promise<ApiResponse> =>
  sendOver(fetch, request, token, AbortSignal.timeout(timeouts[request.method]));

/** @throws ServiceError where no answer came: what failed is the token call, and never what it was made for */
export async function post({ method, url, headers, form }: TokenRequest): Promise<ApiResponse> {
  const request: FetchRequest = { method, headers, body: new URLSearchParams(form).toString() };
  try {
    return await exchange(fetch, url, request, AbortSignal.timeout(tokenMs));
  } catch (error) {
    throw error instanceof NetworkFault ? unreachableRenewal(error.code) : error;
  }
}

/**
 * Ends the connection at the service and forgets it here. What did not end there stays known, so that it can be tried again.
 *
 * @throws ServiceError where the service did not say that the tokens have ended
 */
export async function disconnect(file: TokenFile): Promise<void> {
  const connected = file.read();
  const { refresh_token: refresh, access_token: access } = connected.tokens;
  const { status } = await post(revocation(connected, refresh ?? access, refresh === undefined ? 'access_token' : 'refresh_token'));
  if (status < 200 || status >= 300) {
    throw new ServiceError('server', {
      message: `Not disconnected: ${brand.name} did not confirm that the tokens are revoked (status ${status}).`,
      advice: 'Try again in a few minutes, or remove the connection in the service.',
    });
  }
  await file.forget(connected.id);
}
