import { checkBaseUrl } from '../../shared/oauth.ts';

/** What is kept for an account says whether any of it is in use. */
export interface Kept {
  /** Something is open in it: a write whose end is not known, a request that waits. */
  isBusy(): boolean;
}

/** An account that was used so short a time ago is in use: the service still counts what it sent. Milliseconds. */
const recently = 120_000;

/**
 * What this process keeps for each account: by credential and by the address of the service in its one normal form, so that
 * an address with a slash more is no other account.
 *
 * There is room for `most`. Beyond that, the one that was used least recently makes room, but never one that is in use:
 * it would send beyond the limit, or book twice what it had left open.
 */
export class Accounts<Account extends Kept> {
  readonly #make: () => Account;
  readonly #now: () => number;
  readonly #most: number;
  /** The least recently used first. */
  readonly #accounts = new Map<string, { account: Account; usedAt: number }>();

  constructor(make: () => Account, now: () => number, most = 500) {
    this.#make = make;
    this.#now = now;
    this.#most = most;
  }

  /** @throws ServiceError `invalid` where the base address cannot be used */
  of(credential: string, baseUrl: string): Account {
    const key = JSON.stringify([credential, checkBaseUrl(baseUrl)]);
    const account = this.#accounts.get(key)?.account ?? this.#make();
    this.#accounts.delete(key);
    if (this.#accounts.size >= this.#most) this.#makeRoom();
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
