import { DeliveryMemory, rememberedDeliveries } from '../../shared/webhooks/memory.ts';

/** n8n's answer to the sender of a delivery, as far as it tells whether the delivery was taken. */
export interface Answer {
  readonly statusCode: number;
  /** Whether n8n has answered by now, also where the sender did not wait for it. */
  readonly writableEnded: boolean;
  once(event: 'close', listener: () => void): unknown;
}

interface UnderWay {
  keys: readonly string[];
  place: string;
  answer: Answer;
}

/**
 * The deliveries that this process has taken, so that a repeated one is not acted on again.
 *
 * Taken is what n8n has answered with a 2xx: by then the execution is stored. Until then nobody knows: the database may be
 * gone, and the sender, told "received before", would not come again. So a repeat that comes before the answer is asked to
 * come later, and one that comes after an answer which was no 2xx is as good as the first.
 *
 * One process serves many people. What one trigger has received is known to no other, whatever ids their services count by.
 */
export class Claims {
  readonly #taken = new DeliveryMemory();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #most: number;

  /** @param most deliveries that may wait for an answer */
  constructor(most = rememberedDeliveries) {
    this.#most = most;
  }

  /** How many keys of deliveries wait to be known as taken or not. */
  get waiting(): number {
    return this.#underWay.size;
  }

  /**
   * @param keys under which the delivery is known again
   * @param answer what n8n is going to answer the sender with
   * @param place the trigger that received it
   */
  claim(keys: readonly string[], answer: Answer, place: string): 'first' | 'repeated' | 'underWay' {
    for (const before of keys.flatMap((key) => this.#underWay.get(named(key, place)) ?? [])) {
      if (!before.answer.writableEnded) return 'underWay';
      this.#settle(before);
    }
    if (!this.#taken.claim(keys, place)) return 'repeated';
    const underWay = { keys, place, answer };
    for (const key of keys) this.#underWay.set(named(key, place), underWay);
    answer.once('close', () => {
      // A sender that did not wait closes as well. Then the next one of the same delivery sees what became of it.
      if (answer.writableEnded) this.#settle(underWay);
    });
    this.#bound();
    return 'first';
  }

  /** What was answered behind its sender's back goes first; of what is really open, the oldest counts as taken. */
  #bound(): void {
    if (this.#underWay.size <= this.#most) return;
    for (const each of [...this.#underWay.values()]) if (each.answer.writableEnded) this.#settle(each);
    for (const oldest of this.#underWay.keys()) {
      if (this.#underWay.size <= this.#most) break;
      this.#underWay.delete(oldest);
    }
  }

  #settle(underWay: UnderWay): void {
    const { keys, place, answer } = underWay;
    // Settled before, and perhaps claimed anew since.
    if (!keys.some((key) => this.#underWay.get(named(key, place)) === underWay)) return;
    for (const key of keys) this.#underWay.delete(named(key, place));
    if (answer.statusCode >= 300) this.#taken.release(keys, place);
  }
}

const named = (key: string, place: string): string => `${key} ${place}`;
