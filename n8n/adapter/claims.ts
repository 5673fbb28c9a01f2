import { DeliveryMemory, rememberedKeys } from '../../shared/webhooks/memory.ts';

/** n8n's answer to the sender of a delivery, as far as it tells whether the delivery was taken. */
export interface Answer {
  readonly statusCode: number;
  /** Whether n8n has answered by now, also where the sender did not wait for it. */
  readonly writableEnded: boolean;
  once(event: 'close', listener: () => void): unknown;
}

interface UnderWay {
  keys: readonly string[];
  answer: Answer;
}

/**
 * The deliveries that this process has taken, so that a repeated one is not acted on again.
 *
 * Taken is what n8n has answered with a 2xx: by then the execution is stored. Until then nobody knows: the database may be
 * gone, and the sender, told "received before", would not come again. So a repeat that comes before the answer is asked to
 * come later, and one that comes after an answer which was no 2xx is as good as the first.
 */
export class Claims {
  readonly #taken = new DeliveryMemory();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #most: number;

  constructor(most = rememberedKeys) {
    this.#most = most;
  }

  /**
   * @param keys under which the delivery is known again
   * @param answer what n8n is going to answer the sender with
   */
  claim(keys: readonly string[], answer: Answer): 'first' | 'repeated' | 'underWay' {
    for (const before of keys.flatMap((key) => this.#underWay.get(key) ?? [])) {
      if (!before.answer.writableEnded) return 'underWay';
      this.#settle(before);
    }
    if (!this.#taken.claim(keys)) return 'repeated';
    const underWay = { keys, answer };
    for (const key of keys) this.#underWay.set(key, underWay);
    answer.once('close', () => {
      // A sender that did not wait closes as well. Then the next one of the same delivery sees what became of it.
      if (answer.writableEnded) this.#settle(underWay);
    });
    for (const oldest of this.#underWay.keys()) {
      if (this.#underWay.size <= this.#most) break;
      this.#underWay.delete(oldest);
    }
    return 'first';
  }

  #settle(underWay: UnderWay): void {
    const { keys, answer } = underWay;
    // Settled before, and perhaps claimed anew since.
    if (!keys.some((key) => this.#underWay.get(key) === underWay)) return;
    for (const key of keys) this.#underWay.delete(key);
    if (answer.statusCode >= 300) this.#taken.release(keys);
  }
}
