/** A trigger that accepts nothing for this long and refuses at least this many deliveries is probably not called only by strangers. */
const lasting = { count: 3, ms: 60_000 };

/** How often to ask the service and to tell a person. Milliseconds. */
const againMs = 3_600_000;

interface RefusedDeliveries {
  count: number;
  since: number;
  askedAt: number;
  toldAt: number;
  /** The subscription that the service no longer has. */
  goneId: string | undefined;
}

/**
 * The deliveries that each trigger has refused since it last accepted one. If n8n loses or reverts a trigger's data, the trigger refuses
 * everything, and nobody notices: a refused delivery starts no execution.
 */
export class Refusals {
  readonly #places = new Map<string, RefusedDeliveries>();

  /** The trigger accepted a delivery, so it works. */
  accepted(place: string): void {
    this.#places.delete(place);
  }

  /** The service no longer has this subscription, so no delivery can be verified with its secret. */
  gone(place: string, id: string | undefined): void {
    const refused = this.#places.get(place);
    if (refused !== undefined) refused.goneId = id;
  }

  /**
   * Counts a delivery that could not be verified.
   *
   * @param id of the subscription that n8n provides; `undefined` if n8n has lost it
   * @returns `tell` if the trigger certainly refuses everything, and a person has not been told for an hour; `ask` if the service should be
   *   asked whether it still has the subscription
   */
  refused(place: string, id: string | undefined, now: number): 'tell' | 'ask' | undefined {
    const refused = this.#places.get(place) ?? { count: 0, since: now, askedAt: -Infinity, toldAt: -Infinity, goneId: undefined };
    this.#places.set(place, refused);
    refused.count += 1;
    if (refused.count < lasting.count || now - refused.since < lasting.ms) return undefined;
    if (id === undefined || id === refused.goneId) {
      if (now - refused.toldAt < againMs) return undefined;
      refused.toldAt = now;
      return 'tell';
    }
    if (now - refused.askedAt < againMs) return undefined;
    refused.askedAt = now;
    return 'ask';
  }
}
