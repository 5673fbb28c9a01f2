import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../shared/api/errors.ts';
import { sendBy, type Exchange, type FetchRequest } from '../../shared/api/overFetch.ts';
import { NetworkFault, type ApiRequest, type ApiResponse } from '../../shared/api/transport.ts';
import { brand } from '../../shared/brand.ts';
import { noRefreshToken, readTokens, refreshExchange, revocation, type TokenRequest } from '../../shared/oauth.ts';
import { notRenewed, Renewals, unreachableRenewal } from '../../shared/renewal.ts';
import type { TransportFor } from '../adapter/account.ts';
import { exchange } from './exchange.ts';
import type { TokenFile } from './tokenFile.ts';

/** How long a request may take. One that changes something is given up early enough for looking after it. Milliseconds. */
const timeouts = { GET: 20_000, POST: 18_000, DELETE: 18_000 } as const;
const tokenMs = 15_000;

/** Where the connection is kept. */
export type Keeping = Pick<TokenFile, 'path' | 'read' | 'write' | 'alone'>;

/** What requests are sent by. */
export interface Ports {
  exchange: Exchange;
  timeout: (milliseconds: number) => AbortSignal;
  /** The renewals of this process; other processes are kept out by {@link Keeping.alone}. */
  renewals: Renewals;
}

const own: Ports = {
  exchange,
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  renewals: new Renewals({ now: () => Date.now(), sleep: (milliseconds, ended) => sleep(milliseconds, undefined, { signal: ended }) }),
};

/**
 * The core's port, with the token of the connection. A 401, which means that nothing was carried out, is answered by
 * one renewal for all who wait.
 */
export const transportOf =
  (kept: Keeping, ports: Ports = own): TransportFor =>
  (leftMs) => {
    const send = (request: ApiRequest, token: string): Promise<ApiResponse> => {
      const left = leftMs();
      if (left <= 0) throw new NetworkFault('ETIMEDOUT', false);
      return sendBy(ports.exchange, request, token, ports.timeout(Math.min(timeouts[request.method], left)));
    };
    return async (request) => {
      const { id, tokens } = kept.read();
      const answer = await send(request, tokens.access_token);
      if (answer.status !== 401) return answer;
      const now = kept.read();
      // Another request, or another process, may have renewed it meanwhile.
      const isStale = now.id === id && now.tokens.access_token === tokens.access_token;
      if (isStale) await renewed(kept, ports, tokens.access_token, ports.timeout(Math.max(1, leftMs())));
      return send(request, kept.read().tokens.access_token);
    };
  };

/** @param over frees this caller alone, whose time is over */
async function renewed(kept: Keeping, ports: Ports, used: string, over: AbortSignal): Promise<void> {
  try {
    await ports.renewals.renew(`${kept.path} ${kept.read().id}`, () => renew(kept, ports, used), over);
  } catch (error) {
    throw over.aborted && !(error instanceof ServiceError) ? notRenewed(unreachableRenewal('in time')) : error;
  }
}

const renew = (kept: Keeping, ports: Ports, used: string): Promise<void> =>
  kept.alone(async () => {
    const connected = kept.read();
    if (connected.tokens.access_token !== used) return;
    const { refresh_token: token } = connected.tokens;
    if (token === undefined) throw noRefreshToken();
    const { access_token, refresh_token } = readTokens(await post(refreshExchange(connected, token), ports), token);
    await kept.write({ ...connected, tokens: { access_token, ...(refresh_token !== undefined && { refresh_token }) } });
  });

/** @throws ServiceError where no answer came: what failed is the token call, and never what it was made for */
export async function post(
  { method, url, headers, form }: TokenRequest,
  { exchange: send, timeout }: Pick<Ports, 'exchange' | 'timeout'> = own,
): Promise<ApiResponse> {
  const request: FetchRequest = { method, headers, body: new URLSearchParams(form).toString() };
  try {
    return await send(url, request, timeout(tokenMs));
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
