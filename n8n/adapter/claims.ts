import { DeliveryMemory, rememberedDeliveries } from '../../shared/webhooks/index.ts';

/** The part of n8n's response to the sender that shows whether a delivery was accepted. */
export interface HookAnswer {
  readonly statusCode: number;
  /** Whether n8n has responded, even if the sender did not wait for it. */
  readonly writableEnded: boolean;
}

interface UnderWay {
  keys: readonly string[];
  place: string;
  answer: HookAnswer;
}

/**
 * The deliveries that this process has accepted, so that a repeat is not handled again.
 *
 * A delivery is accepted when n8n has responded with a 2xx, because only then is the execution stored. Until then, the outcome is unknown:
 * if the database fails, a sender that was told "received before" would not send again. So a repeat that arrives before the response is
 * asked to come later, and a repeat after a response other than a 2xx counts as the first one.
 *
 * One process serves many people. Deliveries are recorded for each trigger separately, because ids of different services may be equal.
 */
export class DeliveryClaims {
  readonly #taken = new DeliveryMemory();
  #underWay: UnderWay[] = [];
  readonly #max: number;

  /** @param max how many deliveries may wait for a response; beyond that, the oldest counts as accepted */
  constructor(max = rememberedDeliveries) {
    this.#max = max;
  }

  /**
   * @param keys the keys that repeats of the delivery also have
   * @param answer n8n's response to the sender
   * @param place the trigger that received it
   */
  claim(keys: readonly string[], answer: HookAnswer, place: string): 'first' | 'repeated' | 'underWay' {
    this.#settle();
    if (this.#underWay.some((each) => each.place === place && each.keys.some((key) => keys.includes(key)))) return 'underWay';
    if (!this.#taken.claim(keys, place)) return 'repeated';
    this.#underWay.push({ keys, place, answer });
    if (this.#underWay.length > this.#max) this.#underWay.shift();
    return 'first';
  }

  /** Forgets the deliveries to which n8n has responded, and releases those that it could not accept. */
  #settle(): void {
    for (const { keys, place, answer } of this.#underWay)
      if (answer.writableEnded && answer.statusCode >= 300) this.#taken.release(keys, place);
    this.#underWay = this.#underWay.filter(({ answer }) => !answer.writableEnded);
  }
}
