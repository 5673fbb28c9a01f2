import { DeliveryMemory, rememberedDeliveries } from '../../shared/webhooks/index.ts';

/** n8n's answer to the sender of a delivery, as far as it shows whether the delivery was accepted. */
export interface Answer {
  readonly statusCode: number;
  /** Whether n8n has answered, even if the sender did not wait for it. */
  readonly writableEnded: boolean;
  once(event: 'close', listener: () => void): unknown;
}

interface UnderWay {
  keys: readonly string[];
  place: string;
  answer: Answer;
}

/**
 * The deliveries that this process has accepted, so that a repeat is not handled again.
 *
 * A delivery is accepted when n8n has answered with a 2xx, because only then is the execution stored. Before that, the outcome is unknown:
 * if the database fails, a sender that was told "received before" would not send again. So a repeat that arrives before the answer is asked
 * to come later, and a repeat after an answer other than a 2xx counts as the first one.
 *
 * One process serves many people. What one trigger has received is not known to any other, whatever ids their services use.
 */
export class Claims {
  readonly #taken = new DeliveryMemory();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #max: number;

  /** @param max how many deliveries may wait for an answer */
  constructor(max = rememberedDeliveries) {
    this.#max = max;
  }

  /** How many keys belong to deliveries that wait for an answer. */
  get waiting(): number {
    return this.#underWay.size;
  }

  /**
   * @param keys the keys that repeats of the delivery also have
   * @param answer n8n's answer to the sender
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
      // A sender that did not wait also closes the connection. Then the next try of the delivery shows the result.
      if (answer.writableEnded) this.#settle(underWay);
    });
    this.#bound();
    return 'first';
  }

  /** Removes deliveries that were answered after their sender had left. Of those that are really open, the oldest counts as accepted. */
  #bound(): void {
    if (this.#underWay.size <= this.#max) return;
    for (const each of [...this.#underWay.values()]) if (each.answer.writableEnded) this.#settle(each);
    for (const oldest of this.#underWay.keys()) {
      if (this.#underWay.size <= this.#max) break;
      this.#underWay.delete(oldest);
    }
  }

  #settle(underWay: UnderWay): void {
    const { keys, place, answer } = underWay;
    // Already settled, and perhaps claimed again since.
    if (!keys.some((key) => this.#underWay.get(named(key, place)) === underWay)) return;
    for (const key of keys) this.#underWay.delete(named(key, place));
    if (answer.statusCode >= 300) this.#taken.release(keys, place);
  }
}

const named = (key: string, place: string): string => `${key} ${place}`;
