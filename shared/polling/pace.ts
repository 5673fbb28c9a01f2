import { KeyedMutex } from '../client/keyedMutex.ts';
import { limits } from '../limits.ts';

/** The share of the requests a minute (section 8) that the polls of one trigger may use. The rest is for everything else. */
export const pollShare = 0.1;

const minute = 60_000;

/** Milliseconds between two polls, so that polls of this many calls stay within their share. */
export const leastBetween = (calls: number): number => (calls / (limits.requestsPerMinute * pollShare)) * minute;

/** The few calls beside full pages: whose account it is, and the last page of each list. They do not cost a whole minute. */
const besidePages = 5;

/** The pause between two polls for a scheduler that counts in minutes; at least one. */
export const pollEvery = (calls: number): number => Math.max(1, Math.ceil(leastBetween(calls - besidePages) / minute)) * minute;

/** A poll that begins this much too early is on time, because schedulers count in minutes and are not exact. */
const tolerance = minute / 2;

/** The polls of one process. Polls of the same trigger run one after another, and none begins too early. */
export class Polls {
  readonly #turns = new KeyedMutex();
  readonly #shared = new KeyedMutex();
  /** When a trigger's last poll began, and how long after it the next one may begin. A trigger is forgotten once that time is over. */
  readonly #last = new Map<string, { at: number; every: number }>();

  /**
   * How much too early a poll would be.
   *
   * @param trigger whose poll it is
   * @param now milliseconds
   * @returns how many milliseconds too early a poll is that begins now; 0 if it may begin
   */
  early(trigger: string, now: number): number {
    for (const [key, { at, every }] of this.#last) if (now < at || now >= at + every - tolerance) this.#last.delete(key);
    const last = this.#last.get(trigger);
    return last === undefined ? 0 : last.at + last.every - now;
  }

  isUnderWay(trigger: string): boolean {
    return this.#turns.isBusyWith(trigger);
  }

  /** Polls after all earlier polls of the trigger have ended. @param id what it has in common with one that may become, or have been, the same */
  run<Result extends { calls: number }>(trigger: string, now: () => number, work: () => Promise<Result>, id = trigger): Promise<Result> {
    const poll = async (): Promise<Result> => {
      const at = now();
      const result = await work();
      this.#last.set(trigger, { at, every: pollEvery(result.calls) });
      return result;
    };
    return this.#turns.run(trigger, undefined, () => this.#shared.run(id, undefined, poll));
  }
}
