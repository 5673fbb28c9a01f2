import type { StoredSubscription } from '../../shared/webhooks/index.ts';

/** What n8n stores of a trigger's subscription. */
export interface TriggerSubscription extends StoredSubscription {
  /** When it was made. Milliseconds since the epoch. */
  since?: number;
  /** What another account still has for the same address. Its deliveries are refused. */
  left?: { id: string; account: string };
}

/** More triggers than one process serves. */
const maxTriggers = 10_000;

/** What this process knows of one trigger's subscription. */
interface Remembered extends TriggerSubscription {
  /** Whether this process subscribed it, and did not only verify a delivery with it. */
  isOwn: boolean;
}

/**
 * What this process knows of the subscriptions of its triggers. n8n's API, an import or a restored database can put static data back to an
 * older state or clear it, and n8n then asks no trigger about it. Without this memory, every delivery would be refused from then on.
 *
 * Only what this process has subscribed itself, or has verified a delivery with, is in it, and only until it sees something newer. It ends
 * with the process, and other processes have their own.
 */
export class SubscriptionMemory {
  readonly #newest = new Map<string, Remembered>();

  /** This process subscribed: nothing that was known before counts any more. @param place see {@link placeOf} */
  made(place: string, kept: TriggerSubscription): void {
    this.#keep(place, { ...kept, isOwn: true });
  }

  /** A delivery was verified with it. If this process knows a newer one, that one stays. */
  verified(place: string, kept: TriggerSubscription): void {
    const known = this.#newest.get(place);
    if (known?.signing_secret === kept.signing_secret || timeOf(kept) < timeOf(known)) return;
    this.#keep(place, { ...kept, isOwn: false });
  }

  /** The subscription has ended, so its deliveries are no longer accepted. */
  ended(place: string): void {
    this.#newest.delete(place);
  }

  /**
   * The subscriptions with which a delivery may be verified, the newest first. Usually that is only the one that n8n hands out. If that one
   * is newer than the known one, another process has made it, for example to replace a secret that leaked: then the known one is forgotten.
   * If it is older than one that this process made, its secret does not count any more.
   *
   * @param kept what n8n hands out
   */
  candidates(place: string, kept: TriggerSubscription): readonly [TriggerSubscription, ...TriggerSubscription[]] {
    const known = this.#newest.get(place);
    if (known === undefined || known.signing_secret === kept.signing_secret) return [kept];
    if (!kept.signing_secret) return [known];
    const later = timeOf(kept) - timeOf(known);
    if (later === 0) return [kept, known];
    if (later < 0) return known.isOwn ? [known] : [known, kept];
    this.#newest.delete(place);
    return [kept];
  }

  #keep(place: string, remembered: Remembered): void {
    this.#newest.delete(place);
    this.#newest.set(place, remembered);
    for (const oldest of this.#newest.keys()) if (this.#newest.size > maxTriggers) this.#newest.delete(oldest);
  }
}

const timeOf = (kept: TriggerSubscription | undefined): number => kept?.since ?? 0;
