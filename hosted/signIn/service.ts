import { setTimeout as sleep } from 'node:timers/promises';
import { brand } from '../../shared/brand.ts';
import { accountOf, type Account as WhoseAccount } from '../../shared/client/account.ts';
import { ServiceError } from '../../shared/client/index.ts';
import type { Tokens } from '../../shared/oauth/index.ts';
import { isObject } from '../../shared/values.ts';
import type { Scope } from '../../shared/scopes.ts';
import { createOAuth, type OAuth } from '../../sdk/oauth/oauth.ts';
import { memoryStore } from '../../sdk/stores/store.ts';
import { readAccount } from '../accounts.ts';
import { limits } from '../../shared/limits.ts';
import { throughProxy } from '../../sdk/client/proxy.ts';
import { askerNow, askToWait } from '../askers.ts';
import type { Claims } from '../../sdk/stores/claims.ts';
import { withLock } from '../database/database.ts';
import type { SealedRows } from '../database/sealedRows.ts';
import type { Share, Shares } from '../database/shares.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';

/** How long a person may take at the service's own pages. Milliseconds. */
const attemptMs = 30 * 60_000;

/** For how long the service is taken to have a limit, after it has refused a token request for that. Milliseconds. */
const scarceForMs = 60 * 60_000;

/** A refresh waits for its turn for as long, so that the call that needs it does not fail. Milliseconds. */
const refreshWaitsMs = 8_000;

/** A sign-in at the service that was begun: where it goes on, and what binds its answer to the browser. */
interface Attempt {
  attempt: string;
  /** Where the person goes on after the service's answer. */
  path: string;
  /** What only the browser that began it can show. */
  browser: string;
  scopes: readonly Scope[];
  /** What came of it, for whoever asks again in that browser. */
  result?: unknown;
  failed?: Pick<ServiceError, 'kind' | 'message' | 'advice'>;
}

/** What the service gives when a person has agreed. */
export interface Agreed {
  tokens: Tokens;
  account: WhoseAccount;
}

const isAttempt = (value: unknown): value is Attempt => isObject(value) && typeof value['attempt'] === 'string';

/** The service's own sign-in and consent page, on behalf of this server. Any process can answer what another one began. */
export class ServiceSignIn {
  readonly #rows: SealedRows;
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #locks: Claims;

  readonly #shared: Shares;
  /** Until when the service has refused token requests, or is known to. */
  #scarceUntil: number;

  constructor(rows: SealedRows, locks: Claims, shared: Shares, settings: Settings, log: Log) {
    this.#rows = rows;
    this.#locks = locks;
    this.#shared = shared;
    this.#scarceUntil = settings.tokenRequests === undefined ? 0 : Infinity;
    this.#settings = settings;
    this.#log = log;
  }

  /** @param scopes by default, all of them */
  oauth(scopes?: readonly Scope[]): OAuth {
    const { clientId, clientSecret, baseUrl, origin } = this.#settings;
    return createOAuth({ clientId, clientSecret, baseUrl, redirectUri: `${origin}/callback`, scopes, fetch: this.#send });
  }

  /**
   * Sends a token request. All connections share what the service allows, so refreshes go first: they are counted and never held back, and a
   * sign-in gets a part of what they leave. While the service has no limit that is known, only codes that it refuses are counted.
   */
  readonly #send: NonNullable<Parameters<typeof createOAuth>[0]['fetch']> = async (address, init) => {
    const ask = () => globalThis.fetch(address, { ...init, ...throughProxy(address) });
    const type = new URLSearchParams(typeof init.body === 'string' ? init.body : '').get('grant_type');
    if (type === null) return ask();
    const most = this.#settings.tokenRequests ?? limits.tokenExchangesPerMinute;
    const part = (of: number): number => Math.max(1, Math.floor(most * of));
    const isScarce = this.#rows.now() < this.#scarceUntil;
    const share: Share = { name: 'token requests', all: part(3 / 8), ...(isScarce && { each: part(1 / 10) }), forMs: 30_000 };
    const isExchange = type === 'authorization_code';
    const asker = askerNow();
    const seconds = isExchange ? await this.#shared.take(share, asker) : undefined;
    if (seconds !== undefined) {
      askToWait(seconds);
      return Response.json({ error: 'rate_limited' }, { status: 429, headers: { 'retry-after': String(seconds) } });
    }
    if (!isExchange && isScarce) await this.#shared.take({ name: share.name, forMs: share.forMs }, '').catch(() => undefined);
    let answer = await ask();
    if (answer.status === 429) this.#scarceUntil = Math.max(this.#scarceUntil, this.#rows.now() + scarceForMs);
    const waitMs = answer.status === 429 ? Number(answer.headers.get('retry-after')) * 1_000 : 0;
    if (!isExchange && waitMs > 0 && waitMs <= refreshWaitsMs) {
      await sleep(waitMs, undefined, { signal: init.signal ?? undefined });
      answer = await ask();
    } else if (isExchange && answer.ok && !isScarce) await this.#shared.giveBack(share, asker);
    return answer;
  };

  /** @returns the address of the service's page */
  async begin({ path, browser, scopes }: Omit<Attempt, 'attempt'>): Promise<string> {
    const { url, attempt } = await this.oauth(scopes).begin();
    await this.#rows.put('Attempt', stateOf(attempt), { attempt, path, browser, scopes } satisfies Attempt, {}, attemptMs);
    return url;
  }

  /** Where the person who came back with this answer goes on; `undefined` if it belongs to nothing that was begun. */
  async placeOf(answer: URLSearchParams): Promise<string | undefined> {
    const kept = await this.#rows.get('Attempt', answer.get('state') ?? '');
    return isAttempt(kept?.value) ? kept.value.path : undefined;
  }

  /**
   * Ends a sign-in in the browser that began it. Browsers ask twice: on a reload, on a second press, on their own. The first request does
   * the work; the others wait for it, at any process, and get what came of it.
   *
   * @param work makes something of the person's agreement, which `agreed` asks the service for. What it returns is kept, so plain data
   * @returns `undefined` if it was not begun in this browser, or took too long
   * @throws ServiceError if the person did not agree (`forbidden`), or the service cannot be asked
   */
  async finish<Result>(
    answer: URLSearchParams,
    { path, browser }: Pick<Attempt, 'path' | 'browser'>,
    work: (agreed: () => Promise<Agreed>) => Promise<Result>,
  ): Promise<Result | undefined> {
    const state = answer.get('state') ?? '';
    const own = async (): Promise<Attempt | undefined> => {
      const kept = (await this.#rows.get('Attempt', state))?.value;
      return isAttempt(kept) && browser !== '' && kept.browser === browser && kept.path === path ? kept : undefined;
    };
    if ((await own()) === undefined) return undefined;
    return withLock(this.#locks, this.#rows.hash('attempt', `${path} ${browser}`), async () => {
      const begun = await own();
      if (begun === undefined) return undefined;
      if (begun.failed !== undefined) throw new ServiceError(begun.failed.kind, begun.failed);
      if (begun.result !== undefined) return begun.result as Result;
      const keep = (end: Partial<Attempt>): Promise<void> => this.#rows.put('Attempt', state, { ...begun, ...end }, {}, attemptMs);
      let tokens: Tokens | undefined;
      try {
        const result = await work(async () => {
          tokens = await this.oauth(begun.scopes).finish(answer, begun.attempt);
          return { tokens, account: await this.#accountOf(tokens) };
        });
        await keep({ result });
        return result;
      } catch (error) {
        if (tokens !== undefined) await this.forget(tokens);
        // What was only away may be asked again.
        if (error instanceof ServiceError && (tokens !== undefined || !['unreachable', 'server', 'rateLimited'].includes(error.kind)))
          await keep({ failed: { kind: error.kind, message: error.message, advice: error.advice } });
        throw error;
      }
    });
  }

  async #accountOf(tokens: Tokens): Promise<WhoseAccount> {
    const account = await readAccount(this.#settings.baseUrl, tokens.access_token).call(new AbortController().signal, accountOf);
    if (account !== undefined) return account;
    throw new ServiceError('invalid', {
      message: `${brand.name} does not say whose account it is, so it cannot be connected.`,
      advice: `Ask the support of ${brand.name}.`,
    });
  }

  /** Revokes tokens that are not kept. */
  async forget(tokens: Tokens): Promise<void> {
    await this.oauth()
      .connection(memoryStore(tokens))
      .disconnect()
      .catch((error: unknown) => this.#log('warn', 'tokens of a sign-in not revoked', { error }));
  }
}

const stateOf = (attempt: string): string => attempt.split('.')[0] ?? '';
