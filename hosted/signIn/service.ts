import { brand } from '../../shared/brand.ts';
import { accountOf, type Account as WhoseAccount } from '../../shared/client/account.ts';
import { ServiceError } from '../../shared/client/index.ts';
import type { Tokens } from '../../shared/oauth/index.ts';
import { isObject } from '../../shared/values.ts';
import type { Scope } from '../../shared/scopes.ts';
import { createOAuth, type OAuth } from '../../sdk/oauth/oauth.ts';
import { memoryStore } from '../../sdk/stores/store.ts';
import { readAccount } from '../accounts.ts';
import type { SealedRows } from '../database/sealedRows.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';

/** How long a person may take at the service's own pages. Milliseconds. */
const attemptMs = 30 * 60_000;

/** A sign-in at the service that was begun: where it goes on, and what binds its answer to the browser. */
interface Attempt {
  attempt: string;
  /** Where the person goes on after the service's answer. */
  path: string;
  /** What only the browser that began it can show. */
  browser: string;
  scopes: readonly Scope[];
}

const isAttempt = (value: unknown): value is Attempt => isObject(value) && typeof value['attempt'] === 'string';

/** The service's own sign-in and consent page, on behalf of this server. Any process can answer what another one began. */
export class ServiceSignIn {
  readonly #rows: SealedRows;
  readonly #settings: Settings;
  readonly #log: Log;

  constructor(rows: SealedRows, settings: Settings, log: Log) {
    this.#rows = rows;
    this.#settings = settings;
    this.#log = log;
  }

  /** @param scopes by default, all of them */
  oauth(scopes?: readonly Scope[]): OAuth {
    const { clientId, clientSecret, baseUrl, origin } = this.#settings;
    return createOAuth({ clientId, clientSecret, baseUrl, redirectUri: `${origin}/callback`, scopes });
  }

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
   * Ends a sign-in in the browser that began it. Each answer counts once.
   *
   * @returns `undefined` if it was not begun in this browser, or has been answered
   * @throws ServiceError if the person did not agree (`forbidden`), or the service cannot be asked
   */
  async finish(answer: URLSearchParams, browser: string): Promise<{ tokens: Tokens; account: WhoseAccount } | undefined> {
    const state = answer.get('state') ?? '';
    const kept = await this.#rows.get('Attempt', state);
    if (!isAttempt(kept?.value) || browser === '' || kept.value.browser !== browser) return undefined;
    const taken = await this.#rows.take('Attempt', state);
    if (!isAttempt(taken)) return undefined;
    const tokens = await this.oauth(taken.scopes).finish(answer, taken.attempt);
    try {
      const account = await readAccount(this.#settings.baseUrl, tokens.access_token).call(new AbortController().signal, accountOf);
      if (account !== undefined) return { tokens, account };
      throw new ServiceError('invalid', {
        message: `${brand.name} does not say whose account it is, so it cannot be connected.`,
        advice: `Ask the support of ${brand.name}.`,
      });
    } catch (error) {
      await this.forget(tokens);
      throw error;
    }
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
