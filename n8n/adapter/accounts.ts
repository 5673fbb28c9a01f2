import { checkBaseUrl } from '../../shared/oauth/index.ts';

/** What is kept for an account says whether it is in use. */
export interface Kept {
  /** Whether something is open: a write with an unknown result, or a waiting request. */
  isBusy(): boolean;
}

/** An account that was used within this time is in use, because the service still counts its requests. Milliseconds. */
const recently = 120_000;

/**
 * What this process keeps for each account, by the credential and the service's address in its normal form, so that an extra slash does not
 * count as another account.
 *
 * There is room for `most`. Beyond that, the least recently used one is removed, but never one that is in use: it could exceed the limit,
 * or book an open write twice.
 */
export class Accounts<Account extends Kept> {
  readonly #make: () => Account;
  readonly #now: () => number;
  readonly #max: number;
  /** The least recently used first. */
  readonly #accounts = new Map<string, { account: Account; usedAt: number }>();

  constructor(make: () => Account, now: () => number, max = 500) {
    this.#make = make;
    this.#now = now;
    this.#max = max;
  }

  /** @throws ServiceError `invalid` if the base URL cannot be used */
  of(credential: string, baseUrl: string): Account {
    const key = JSON.stringify([credential, checkBaseUrl(baseUrl)]);
    const account = this.#accounts.get(key)?.account ?? this.#make();
    this.#accounts.delete(key);
    if (this.#accounts.size >= this.#max) this.#makeRoom();
    this.#accounts.set(key, { account, usedAt: this.#now() });
    return account;
  }

  #makeRoom(): void {
    for (const [key, { account, usedAt }] of this.#accounts) {
      if (this.#now() - usedAt < recently || account.isBusy()) continue;
      this.#accounts.delete(key);
      return;
    }
  }
}
