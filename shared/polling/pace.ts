import { KeyedMutex } from '../client/keyedMutex.ts';
import { limits } from '../limits.ts';

/** The share of the requests per minute (section 8) that the polls of one trigger may use. The rest is for everything else. */
export const pollShare = 0.1;

const minute = 60_000;

/** The minimum time between two polls, so that polls of this many calls stay within their share. Milliseconds. */
export const leastBetween = (calls: number): number => (calls / (limits.requestsPerMinute * pollShare)) * minute;

/** The few calls in addition to full pages: the account, and the last page of each list. They do not justify another minute of waiting. */
const besidePages = 5;

/** The pause between two polls for a scheduler that counts in minutes; at least one minute. Milliseconds. */
export const pollEvery = (calls: number): number => Math.max(1, Math.ceil(leastBetween(calls - besidePages) / minute)) * minute;

/** A poll that begins this much too early still counts as on time, because schedulers that count in minutes are inexact. Milliseconds. */
const tolerance = minute / 2;

/** The polls of one process. Polls of the same trigger run one after another, and none begins too early. */
export class Polls {
  readonly #turns = new KeyedMutex();
  readonly #shared = new KeyedMutex();
  /** When a trigger's last poll began, and how much later the next one may begin. Discarded once that time is over. */
  readonly #last = new Map<string, { at: number; every: number }>();

  /**
   * By how much a poll would be too early.
   *
   * @param trigger the trigger that polls
   * @param now milliseconds since the epoch
   * @returns by how many milliseconds a poll that begins now is too early; 0 if it may begin
   */
  early(trigger: string, now: number): number {
    for (const [key, { at, every }] of this.#last) if (now < at || now >= at + every - tolerance) this.#last.delete(key);
    const last = this.#last.get(trigger);
    return last === undefined ? 0 : last.at + last.every - now;
  }

  isUnderWay(trigger: string): boolean {
    return this.#turns.isBusyWith(trigger);
  }

  /**
   * Polls after all earlier polls of the trigger have ended. @param id shared with triggers that may be the same one, before or after a
   * change
   */
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
