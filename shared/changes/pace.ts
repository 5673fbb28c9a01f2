import { limits } from '../limits.ts';

/** What polls of one trigger may use of the requests a minute (section 8): the rest is for everybody else. */
export const pollShare = 0.1;

const minute = 60_000;

/** Milliseconds from one poll to the next, so that polls of so many calls keep to their share. */
export const leastBetween = (calls: number): number => (calls / (limits.requestsPerMinute * pollShare)) * minute;

/** The same where a scheduler goes by the minute; one minute at least. */
export const pollEvery = (calls: number): number => Math.max(1, Math.ceil(leastBetween(calls) / minute)) * minute;

/** A poll that comes this much too early is on time: schedulers go by the minute and are never quite exact. */
const tolerance = minute / 2;

/** The polls of one process: none of them overtakes another of the same trigger, and none comes too early for its cost. */
export class Polls {
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** When the last poll of a trigger began, and how long after it the next may. A trigger is forgotten once that is over. */
  readonly #last = new Map<string, { at: number; every: number }>();

  /**
   * @param trigger whose polls they are
   * @param now milliseconds
   * @returns how many milliseconds too early a poll is that begins now; 0 where it may begin
   */
  early(trigger: string, now: number): number {
    for (const [key, { at, every }] of this.#last) if (now < at || now >= at + every - tolerance) this.#last.delete(key);
    const last = this.#last.get(trigger);
    return last === undefined ? 0 : last.at + last.every - now;
  }

  isUnderWay(trigger: string): boolean {
    return this.#underWay.has(trigger);
  }

  /** Polls once all earlier polls of the trigger have ended. */
  async run<Result extends { calls: number }>(trigger: string, now: () => number, work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn(trigger, now, work);
    const waiting = turn.catch(() => undefined);
    this.#underWay.set(trigger, waiting);
    try {
      return await turn;
    } finally {
      if (this.#underWay.get(trigger) === waiting) this.#underWay.delete(trigger);
    }
  }

  async #turn<Result extends { calls: number }>(trigger: string, now: () => number, work: () => Promise<Result>): Promise<Result> {
    await this.#underWay.get(trigger);
    const at = now();
    const result = await work();
    this.#last.set(trigger, { at, every: pollEvery(result.calls) });
    return result;
  }
}
