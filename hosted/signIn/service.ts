import { setTimeout as sleep } from 'node:timers/promises';
import { brand } from '../../shared/brand.ts';
import { accountOf, type Account as WhoseAccount } from '../../shared/client/account.ts';
import { ServiceError } from '../../shared/client/index.ts';
import type { Tokens } from '../../shared/oauth/index.ts';
import { isObject } from '../../shared/values.ts';
import type { Scope } from '../../shared/scopes.ts';
import { createOAuth, type OAuth } from '../../sdk/oauth/oauth.ts';
import { withClaim } from '../../sdk/stores/sqlClaims.ts';
import { memoryStore } from '../../sdk/stores/store.ts';
import { readAccount } from '../readAccount.ts';
import { runtimeFetch } from '../../sdk/client/transport.ts';
import { askerNow } from '../askers.ts';
import type { Some } from '../basis.ts';

/** How long a person may take at the service's own pages. Milliseconds. */
const attemptMs = 30 * 60_000;

/** How long a refresh waits after a 429, so that the call that needs it does not fail. Milliseconds. */
const refreshWaitsMs = 8_000;

/** A sign-in that began at the service: where it continues, and what binds its result to the browser. */
interface SignInAttempt {
  attempt: string;
  /** Where the person continues after the service's response. */
  path: string;
  /** A hash of what only the browser that began it can show. */
  browser: string;
  scopes: readonly Scope[];
  /** The result, in case that browser asks again. */
  result?: unknown;
  failed?: Pick<ServiceError, 'kind' | 'message' | 'advice'>;
}

/** What the service provides after a person has agreed. */
export interface Agreed {
  tokens: Tokens;
  account: WhoseAccount;
}

const isAttempt = (value: unknown): value is SignInAttempt => isObject(value) && typeof value['attempt'] === 'string';

/** The service's own sign-in and consent page, on behalf of this server. Any process can finish what another began. */
export function makeServiceSignIn({ rows, database, shared, settings, log }: Some<'rows' | 'database' | 'shared' | 'settings' | 'log'>) {
  const { clientId, clientSecret, baseUrl, origin, tokenRequests } = settings;
  const partOf = (of: number): number => Math.max(1, Math.floor(tokenRequests * of));
  /** The part of the service's limit that sign-ins may use, for half a minute. */
  const share = { name: 'token requests', all: partOf(3 / 8), each: partOf(1 / 10), forMs: 30_000 };

  /**
   * Sends a token request. All connections share the service's limit. Refreshes have priority: they are counted but never held back, and
   * sign-ins get part of what they leave.
   */
  const send: NonNullable<Parameters<typeof createOAuth>[0]['fetch']> = async (address, init) => {
    const ask = () => runtimeFetch(address, init);
    const type = new URLSearchParams(typeof init.body === 'string' ? init.body : '').get('grant_type');
    if (type === null) return ask();
    if (type === 'authorization_code') {
      const seconds = await shared.take(share, askerNow());
      if (seconds === undefined) return ask();
      return Response.json({ error: 'rate_limited' }, { status: 429, headers: { 'retry-after': String(seconds) } });
    }
    await shared.take({ name: share.name, forMs: share.forMs }, '').catch(() => undefined);
    const answer = await ask();
    const waitMs = answer.status === 429 ? Number(answer.headers.get('retry-after')) * 1_000 : 0;
    if (!(waitMs > 0 && waitMs <= refreshWaitsMs)) return answer;
    await sleep(waitMs, undefined, { signal: init.signal ?? undefined });
    return ask();
  };

  /** @param scopes by default, all of them */
  const oauth = (scopes?: readonly Scope[]): OAuth =>
    createOAuth({ clientId, clientSecret, baseUrl, redirectUri: `${origin}/callback`, scopes, fetch: send });

  const whose = async (tokens: Tokens): Promise<WhoseAccount> => {
    const account = await readAccount(baseUrl, tokens.access_token).call(new AbortController().signal, accountOf);
    if (account !== undefined) return account;
    throw new ServiceError('invalid', {
      message: `${brand.name} does not say whose account it is, so it cannot be connected.`,
      advice: `Ask the support of ${brand.name}.`,
    });
  };

  /** Revokes tokens that are not kept. */
  const forget = (tokens: Tokens): Promise<void> =>
    oauth()
      .connection(memoryStore(tokens))
      .disconnect()
      .catch((error: unknown) => log('warn', 'tokens of a sign-in not revoked', { error }));

  const begunWith = async (answer: URLSearchParams): Promise<SignInAttempt | undefined> => {
    const kept = (await rows.get('Attempt', answer.get('state') ?? ''))?.value;
    return isAttempt(kept) ? kept : undefined;
  };

  return {
    oauth,
    forget,

    /** @returns the address of the service's page */
    async begin({ path, browser, scopes }: Omit<SignInAttempt, 'attempt'>): Promise<string> {
      const { url, attempt } = await oauth(scopes).begin();
      await rows.put('Attempt', stateOf(attempt), { attempt, path, browser, scopes } satisfies SignInAttempt, {}, attemptMs);
      return url;
    },

    /** Where a person who returns with this response continues; `undefined` if it belongs to no sign-in. */
    placeOf: async (answer: URLSearchParams): Promise<string | undefined> => (await begunWith(answer))?.path,

    /**
     * Finishes a sign-in in the browser that began it. Browsers repeat requests: on a reload, on a second press, on their own. The first
     * request does the work; the others wait for it, in any process, and get the same result.
     *
     * @param work uses the person's agreement, which `agreed` fetches from the service. Its result is stored, so it must be plain data
     * @returns `undefined` if it was not begun in this browser, or took too long
     * @throws ServiceError if the person did not agree (`forbidden`), or the service cannot be asked
     */
    async finish<Result>(
      answer: URLSearchParams,
      { path, browsers }: Pick<SignInAttempt, 'path'> & { browsers: readonly string[] },
      work: (agreed: () => Promise<Agreed>) => Promise<Result>,
    ): Promise<Result | undefined> {
      const own = async (): Promise<SignInAttempt | undefined> => {
        const begun = await begunWith(answer);
        return begun !== undefined && browsers.includes(begun.browser) && begun.path === path ? begun : undefined;
      };
      const browser = (await own())?.browser;
      if (browser === undefined) return undefined;
      return withClaim(database.locks, rows.hash('attempt', `${path} ${browser}`), async () => {
        const begun = await own();
        if (begun === undefined) return undefined;
        if (begun.failed !== undefined) throw new ServiceError(begun.failed.kind, begun.failed);
        if (begun.result !== undefined) return begun.result as Result;
        const keep = (end: Partial<SignInAttempt>): Promise<void> =>
          rows.put('Attempt', stateOf(begun.attempt), { ...begun, ...end }, {}, attemptMs);
        let tokens: Tokens | undefined;
        try {
          const result = await work(async () => {
            tokens = await oauth(begun.scopes).finish(answer, begun.attempt);
            return { tokens, account: await whose(tokens) };
          });
          await keep({ result });
          return result;
        } catch (error) {
          if (tokens !== undefined) await forget(tokens);
          // If the service was only unavailable, it may be asked again.
          if (error instanceof ServiceError && (tokens !== undefined || !['unreachable', 'server', 'rateLimited'].includes(error.kind)))
            await keep({ failed: { kind: error.kind, message: error.message, advice: error.advice } });
          throw error;
        }
      });
    },
  };
}

export type ServiceSignIn = ReturnType<typeof makeServiceSignIn>;

const stateOf = (attempt: string): string => attempt.split('.')[0] ?? '';
