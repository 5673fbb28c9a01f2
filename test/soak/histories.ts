import { startSandbox, virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { createClient, type Client } from '../../shared/client/client.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import { zapierStepPolicy } from '../../shared/client/retry.ts';
import { NetworkFault, type Transport } from '../../shared/client/transport.ts';
import { eventRows } from '../../shared/events.ts';
import { poll, type Change, type ChangeStore, type PollState } from '../../shared/polling/poll.ts';
import { sha256 } from '../../shared/webhooks/key.ts';
import { changesBetween, Happenings, sightOf } from './happenings.ts';
import { chance, seedOf, type Chance } from './random.ts';

const noCounts = {
  polls: 0,
  /** Polls that ended in a sentence, and gave nothing. */
  failed: 0,
  /** Killed after everything was read and before it was stored. */
  killed: 0,
  given: 0,
  /** What the lists had shown, but no poll gave. */
  missing: 0,
  /** What was given although the lists had not shown it, or although it was given before. */
  wrong: 0,
  /** Records that one reading showed twice, and records that one reading lacked. */
  twice: 0,
  lacking: 0,
};

const POLLS = 25;
const PAGE = '7';
const events = eventRows.map(({ name }) => name);

class Killed extends Error {}

/** One account's history: random changes, also while its lists are read, and polls that meet faults, lists that shift, and kills. */
class History {
  readonly #sandbox: Sandbox;
  readonly #luck: Chance;
  readonly #happenings: Happenings;
  readonly #client: Client;
  readonly #counts: typeof noCounts;
  /** Every record as it was when a successful poll last saw it. */
  readonly #known = new Map<string, Record<string, unknown>>();
  /** What the running poll has been shown: the first version of each record. */
  readonly #sight = new Map<string, Record<string, unknown>>();
  /** What is stored, as a program does it: as text, all or nothing. */
  #kept: string | undefined;
  /** From 0 (everything works) to 1. */
  #trouble = 0;

  constructor(sandbox: Sandbox, luck: Chance, counts: typeof noCounts) {
    this.#sandbox = sandbox;
    this.#luck = luck;
    this.#counts = counts;
    this.#happenings = new Happenings(sandbox, luck);
    this.#client = createClient({
      baseUrl: sandbox.baseUrl,
      transport: this.#transport,
      clock: { now: () => sandbox.clock.now(), sleep: (ms) => sandbox.clock.advance(ms), random: () => luck.next() },
      retryPolicy: { ...zapierStepPolicy, attempts: 1 },
    });
  }

  async live(): Promise<void> {
    await this.#poll();
    this.#trouble = 1;
    for (let left = POLLS; left > 0; left -= 1) {
      this.#happenings.happen(this.#luck.below(6));
      await this.#poll();
    }
    // A final quiet poll: everything that exists now was given before, or is given by this one.
    this.#trouble = 0;
    await this.#poll();
    this.#counts.missing += changesBetween(this.#known, sightOf(this.#sandbox), this.#sandbox.eventTypes()).length;
  }

  async #poll(): Promise<void> {
    this.#sight.clear();
    this.#counts.polls += 1;
    const isFirst = this.#kept === undefined;
    try {
      const { changes } = await poll(this.#client, this.#store, { events }, sha256);
      this.#judge(isFirst ? [] : changesBetween(this.#known, this.#sight, this.#sandbox.eventTypes()), changes);
      for (const [id, record] of this.#sight) this.#known.set(id, record);
    } catch (error) {
      if (error instanceof Killed) this.#counts.killed += 1;
      else if (error instanceof ServiceError) this.#counts.failed += 1;
      else throw error;
    }
  }

  #judge(expected: readonly string[], changes: readonly Change[]): void {
    const given = changes.map(({ row, record }) => `${row.name} ${String(record['id'])}`);
    this.#counts.given += given.length;
    this.#counts.missing += expected.filter((each) => !given.includes(each)).length;
    this.#counts.wrong += given.filter((each) => !expected.includes(each)).length + (given.length - new Set(given).size);
  }

  readonly #store: ChangeStore = {
    read: () => (this.#kept === undefined ? undefined : (JSON.parse(this.#kept) as unknown)),
    write: (kept: PollState) => {
      if (this.#luck.happens(0.1 * this.#trouble)) throw new Killed();
      this.#kept = JSON.stringify(kept);
    },
  };

  readonly #transport: Transport = async ({ method, url, query = {}, headers }) => {
    const address = new URL(url);
    const isOurs = /\/(bookings|contacts)$/.test(address.pathname);
    for (const [name, value] of Object.entries({ ...query, ...(isOurs && { limit: PAGE }) })) address.searchParams.set(name, value);
    // Between two pages things keep happening, and requests are lost.
    if (isOurs && this.#luck.happens(0.1 * this.#trouble)) this.#happenings.happen(1 + this.#luck.below(2));
    if (isOurs && this.#luck.happens(0.03 * this.#trouble)) throw new NetworkFault('ECONNRESET', true);
    const authorization = `Bearer ${this.#sandbox.issueToken({ expiresInSeconds: 1_000_000_000 }).access_token}`;
    const response = await this.#sandbox.fetch(new Request(address, { method, headers: { ...headers, authorization } }));
    const body = (await response.json()) as { data?: Record<string, unknown>[] };
    if (isOurs && body.data !== undefined) body.data = this.#shown(body.data);
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  };

  /** A page of a list that shifts: a record is skipped between two pages, or comes again on the next one. */
  #shown(page: Record<string, unknown>[]): Record<string, unknown>[] {
    const shown = page.filter(() => !this.#luck.happens(0.01 * this.#trouble));
    this.#counts.lacking += page.length - shown.length;
    for (const record of shown) {
      const id = String(record['id']);
      if (this.#sight.has(id)) this.#counts.twice += 1;
      else this.#sight.set(id, structuredClone(record));
    }
    return shown;
  }
}

/** @param histories how many accounts are simulated */
export async function polledHistories(histories: number, seed: number): Promise<typeof noCounts> {
  const counts = { ...noCounts };
  for (let index = 0; index < histories; index += 1) {
    const luck = chance(seedOf('polls', seed, index));
    const sandbox = await startSandbox({
      clock: virtualClock(Date.parse('2030-01-02T08:00:00Z')),
      limits: false,
      forms: { cursors: luck.pick(['opaque', 'page']), slots: 'shared' },
    });
    await new History(sandbox, luck, counts).live().finally(() => sandbox.stop());
  }
  return counts;
}
