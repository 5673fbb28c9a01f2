import { Refusal } from '../../../sandbox/errors.ts';
import { DEFAULT_LIMITS, RateLimits, type Limits } from '../../../sandbox/limits.ts';
import type { ApiRequest, ApiResponse, Clock, Transport } from '../../../shared/client/transport.ts';

export const limitKinds = ['fixed', 'sliding', 'bucket'] as const satisfies Limits['kind'][];

/** The time for the way there and back, in milliseconds. */
const latency = { least: 80, most: 160 };

/** The answer of an account to a request within its limit. @param number counts these requests */
type Answering = (request: ApiRequest, number: number) => unknown;

/** One account of the service with its rate limit, counted as the sandbox counts. Nothing else of the service is modelled. */
export class LimitedAccount {
  /** The number of requests that were done, and of those that the rate limit refused. */
  done = 0;
  refused = 0;
  readonly #limits: RateLimits;
  readonly #clock: Clock;
  readonly #answering: Answering;

  constructor(kind: Limits['kind'], clock: Clock, answering: Answering = (_, number) => ({ id: String(number) })) {
    this.#limits = new RateLimits({ ...DEFAULT_LIMITS, kind }, 'retry-after');
    this.#clock = clock;
    this.#answering = answering;
  }

  /** Takes a request to the account and back. Every request within the limit succeeds. */
  readonly transport: Transport = async (request) => {
    const way = latency.least + this.#clock.random() * (latency.most - latency.least);
    await this.#clock.sleep(way / 2);
    const answer = this.#answer(request);
    await this.#clock.sleep(way / 2);
    return answer;
  };

  #answer(request: ApiRequest): ApiResponse {
    try {
      this.#limits.take('api', 'the account', this.#clock.now());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused += 1;
      return { status: 429, headers: error.headers, body: { error: error.message, code: error.code } };
    }
    this.done += 1;
    return { status: 200, headers: {}, body: { data: this.#answering(request, this.done) } };
  }
}
