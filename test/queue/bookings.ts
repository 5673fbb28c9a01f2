import type { Booking, Delivery, Sandbox } from '../../sandbox/service.ts';

const HOUR_MS = 60 * 60_000;

/** People who want to be booked, each at an hour of a year of their own: no two of them at once. */
export const people = (count: number, of: string, year: number): { name: string; email: string; start: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${of} ${index}`,
    email: `${of}.${index}@example.com`,
    start: new Date(Date.UTC(year, 0, 1) + index * HOUR_MS).toISOString(),
  }));

/** What is booked at a sandbox, and what it delivers about it. */
export class Bookings {
  readonly #sandbox: Sandbox;
  #booked = 0;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** An event type that can be booked without approval and without answers. */
  get simpleType(): string {
    const type = this.#sandbox
      .eventTypes()
      .find(({ active, requires_approval, questions }) => active && !requires_approval && questions.length === 0);
    if (type === undefined) throw new Error('The seed has no event type without questions.');
    return type.id;
  }

  /** Somebody books on the service's own page; each time another hour of one far year. */
  make(count: number): Booking[] {
    return Array.from({ length: count }, () =>
      this.#sandbox.host.book({
        event_type_id: this.simpleType,
        start_time: new Date(Date.UTC(2062, 0, 1) + (this.#booked += 1) * HOUR_MS).toISOString(),
      }),
    );
  }

  deliveriesOf(made: Booking[], to: (delivery: Delivery) => boolean = () => true): Delivery[] {
    return this.#sandbox.deliveries().filter((delivery) => to(delivery) && made.some(({ id }) => delivery.body.includes(id)));
  }

  /** Those of {@link people} that have been made. */
  of(whom: string): Booking[] {
    return this.#sandbox.bookings().filter(({ invitee_email }) => invitee_email.startsWith(`${whom}.`));
  }
}
