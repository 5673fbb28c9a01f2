import { ServiceError } from '../../shared/api/errors.ts';
import { GivenUp } from './calls.ts';

/** How many calls of one account may run at the service, and how many may wait. */
export const most = { underWay: 32, waiting: 1_000 } as const;

export interface TurnsClock {
  now(): number;
  /** A wait that does not keep the program running. */
  pause(milliseconds: number): Promise<void>;
}

interface Waiting {
  /** When its time is over. Milliseconds since the epoch. */
  until: number;
  begin(): void;
  refuse(error: Error): void;
}

/**
 * The running and waiting calls of an account. A client may send thousands of calls at once; they run in the order in which they came. A
 * cancelled call leaves the queue. A call whose time is over, or that arrives when the queue is full, is reported as not started.
 */
export class Turns {
  readonly #clock: TurnsClock;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  #underWay = 0;
  #isWatched = false;

  constructor(clock: TurnsClock) {
    this.#clock = clock;
  }

  /**
   * @param left ends the wait only
   * @param until when the call's time is over. Milliseconds since the epoch
   * @throws GivenUp, or ServiceError `rateLimited`, if the work was not started
   */
  async take<Result>(left: AbortSignal, until: number, work: () => Promise<Result>): Promise<Result> {
    await this.#admit(left, until);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  async #admit(left: AbortSignal, until: number): Promise<void> {
    if (left.aborted) throw new GivenUp();
    if (this.#underWay < most.underWay) {
      this.#underWay += 1;
      return;
    }
    if (this.#waiting.size >= most.waiting) throw notBegun(`${most.underWay + most.waiting} calls are already running or waiting`);
    await new Promise<void>((resolve, reject) => {
      const settled = new AbortController();
      const end = (settle: () => void): void => {
        this.#waiting.delete(waiting);
        settled.abort();
        settle();
      };
      const waiting: Waiting = { until, begin: () => end(resolve), refuse: (error) => end(() => reject(error)) };
      this.#waiting.add(waiting);
      left.addEventListener('abort', () => waiting.refuse(new GivenUp()), { once: true, signal: settled.signal });
      void this.#watch();
    });
  }

  /** When a call ends, its place goes to the next one. */
  #handOn(): void {
    this.#refuseLate();
    const [next] = this.#waiting;
    if (next === undefined) this.#underWay -= 1;
    else next.begin();
  }

  /** All calls get the same time, so the first one's time ends first: one timer serves all. */
  async #watch(): Promise<void> {
    if (this.#isWatched) return;
    this.#isWatched = true;
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      await this.#clock.pause(Math.max(1, first.until - this.#clock.now()));
      this.#refuseLate();
    }
    this.#isWatched = false;
  }

  #refuseLate(): void {
    const now = this.#clock.now();
    for (const waiting of this.#waiting) {
      if (waiting.until > now) break;
      waiting.refuse(waitedInVain());
    }
  }
}

/** The error of a call whose time was over before it could be sent. */
export const waitedInVain = (): ServiceError => notBegun('so many calls are running that its turn did not come in time');

const notBegun = (why: string): ServiceError =>
  new ServiceError('rateLimited', {
    message: `This call was not started, and nothing was sent: ${why}.`,
    advice: 'Wait for the answers to the others, then call it again.',
  });
