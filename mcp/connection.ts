import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionFile, connectionIn } from '../sdk/node/connectionFile.ts';
import { connectedAgain, type TokenWire } from '../sdk/oauth/connection.ts';
import { brand } from '../shared/brand.ts';
import { ServiceError } from '../shared/client/index.ts';
import { loginCommand } from './options.ts';
import type { CallingAccount, TransportFor } from './adapter/account.ts';
import { transportWith, wireAs } from './adapter/transport.ts';

/** Names this program to the service. */
export const agentWire = wireAs(`${brand.slug}-mcp`);

/**
 * The core's transport with the connection's token, for one call.
 *
 * @param id the connection's. A call that began in one account never continues in another
 * @param ended gets the refusal of a connection that has expired or was revoked, and returns the error to report
 */
export const transportOf = (
  kept: ConnectionFile,
  id: string,
  wire: TokenWire = agentWire,
  ended?: (refused: ServiceError) => ServiceError,
): TransportFor => {
  const connection = connectionIn(kept, wire);
  const checked = async <Result>(work: Promise<Result>): Promise<Result> => {
    const result = await work.catch((error: unknown) => {
      throw error instanceof ServiceError && error.kind === 'unauthenticated' ? (ended?.(error) ?? error) : error;
    });
    if (kept.read().id !== id) throw connectedAgain();
    return result;
  };
  return transportWith(
    (leftMs) => ({
      token: () => checked(connection.token()),
      renew: (refused) => checked(connection.renew(refused, wire.timeout(Math.max(1, leftMs())))),
    }),
    wire,
  );
};

/** How long a call waits for the person: less than clients wait for a response. Milliseconds. */
const callWaitMs = 45_000;

/**
 * The connected account. If there is none, a call opens the consent page and continues when the person has allowed access. The page stays
 * open for later calls.
 *
 * @param current throws ServiceError `unauthenticated` if no account is connected
 * @param connect opens the consent page, passes its address to `shown`, and ends when the account is connected
 * @param waitMs how long a call waits for the person. Milliseconds
 */
export function connectingAtFirst(
  current: () => CallingAccount,
  connect: (shown: (address: string) => void) => Promise<void>,
  waitMs = callWaitMs,
): () => Promise<CallingAccount> {
  let open: { address: string; ended: Promise<void> } | undefined;
  return async () => {
    try {
      return current();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'unauthenticated') throw error;
    }
    if (open === undefined) {
      const begun = { address: '', ended: Promise.resolve() };
      open = begun;
      begun.ended = connect((address) => (begun.address = address)).finally(() => (open = undefined));
    }
    const page = open;
    const isLate = await Promise.race([page.ended.then(() => false), sleep(waitMs, true, { ref: false })]).catch((error: unknown) => {
      throw error instanceof ServiceError ? error : notConnected((error as Error).message);
    });
    if (isLate)
      throw notConnected('No account is connected yet.', `Allow access on this page, then call this again: ${page.address} ${elsewhere}`);
    return current();
  };
}

/** A browser on another machine cannot return the authorization to this program, and there is no terminal to paste it into. */
const elsewhere = `(If your browser is on another machine than this server, run \`${loginCommand}\` in a terminal there instead.)`;

/** The error of a call after which the next call opens the consent page. */
export const notConnected = (message: string, advice = 'Call this again to open the consent page.'): ServiceError =>
  new ServiceError('unauthenticated', { message, advice });
