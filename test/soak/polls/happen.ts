import type { Booking, Sandbox } from '../../../sandbox/service.ts';
import type { Chance } from '../random.ts';

const HOUR_MS = 3_600_000;

/** What happens in an account between polls: bookings are made, moved, cancelled, approved and denied, and contacts are edited. */
export class Happenings {
  readonly #sandbox: Sandbox;
  readonly #luck: Chance;
  readonly #simple: string;
  readonly #asking: string;
  /** Records that were there at the start and have not changed since. */
  readonly #untouched: Set<string>;
  #serial = 0;

  constructor(sandbox: Sandbox, luck: Chance) {
    this.#sandbox = sandbox;
    this.#luck = luck;
    this.#untouched = new Set([...sandbox.bookings(), ...sandbox.contacts()].map(({ id }) => id));
    const types = sandbox.eventTypes();
    this.#simple = types.find(({ name }) => name === 'Coffee Chat')?.id ?? '';
    this.#asking = types.find(({ name }) => name === 'Design Review')?.id ?? '';
  }

  /** A number of random changes to random records. One record may change several times. */
  happen(count: number): void {
    let bookings = this.#sandbox.bookings();
    for (let left = count; left > 0; left -= 1) {
      if (this.#one(bookings)) bookings = this.#sandbox.bookings();
    }
  }

  /**
   * This many changes, none to a record that another of them made or changed. So exactly these changes must be given, whenever the poll
   * comes.
   */
  happenToEach(count: number): void {
    const bookings = this.#sandbox.bookings().filter(({ id }) => this.#untouched.has(id));
    const contacts = this.#sandbox.contacts().filter(({ id }) => this.#untouched.has(id));
    const future = bookings.filter(({ start_time }) => Date.parse(start_time) > this.#sandbox.clock.now());
    const waiting = future.filter(({ status }) => status === 'PENDING');
    const standing = future.filter(({ status }) => status === 'CONFIRMED');
    for (let left = count; left > 0; left -= 1) {
      const kind = this.#luck.below(6);
      const booking = kind < 2 ? standing.pop() : kind < 4 ? waiting.pop() : undefined;
      if (booking !== undefined) this.#change(booking, kind);
      else if (kind === 4 && contacts.length > 0) this.#edit(contacts.pop()?.id ?? '');
      else this.#book();
    }
  }

  #one(bookings: readonly Booking[]): boolean {
    if (this.#luck.happens(0.3)) {
      this.#book();
      return true;
    }
    if (this.#luck.happens(0.2)) {
      const contacts = this.#sandbox.contacts();
      this.#edit(contacts[this.#luck.below(contacts.length)]?.id ?? '');
      return false;
    }
    const booking = bookings[this.#luck.below(bookings.length)];
    if (booking === undefined || Date.parse(booking.start_time) <= this.#sandbox.clock.now()) return false;
    if (booking.status === 'CONFIRMED') this.#change(booking, this.#luck.below(2));
    if (booking.status === 'PENDING') this.#change(booking, 2 + this.#luck.below(2));
    return booking.status !== 'CANCELLED';
  }

  #change({ id }: Booking, kind: number): void {
    const { host } = this.#sandbox;
    this.#untouched.delete(id);
    if (kind === 0) host.reschedule(id, { start_time: this.#start() });
    else if (kind === 1) host.cancel(id, { reason: 'Ill' });
    else if (kind === 2) host.approve(id);
    else host.deny(id, { reason: 'That week is full' });
  }

  #book(): void {
    const asks = this.#luck.happens(0.4);
    this.#serial += 1;
    const known = this.#luck.happens(0.8);
    this.#sandbox.host.book({
      event_type_id: asks ? this.#asking : this.#simple,
      start_time: this.#start(),
      invitee_name: known ? 'Robin Sample' : `Guest ${this.#serial}`,
      invitee_email: known ? 'robin.sample@example.com' : `guest.${this.#serial}.${this.#luck.below(1_000_000)}@example.com`,
      ...(asks && { question_responses: { link: 'https://example.com/drafts' } }),
    });
  }

  #edit(id: string): void {
    this.#untouched.delete(id);
    this.#serial += 1;
    this.#sandbox.host.editContact(id, { notes: `Note ${this.#serial} ${this.#luck.below(1_000_000)}` });
  }

  /** Years ahead, in a slot that nothing else has. */
  #start(): string {
    this.#serial += 1;
    const ahead = 20_000 * HOUR_MS + this.#serial * 3 * HOUR_MS + this.#luck.below(50) * 60_000;
    return new Date(Math.ceil(this.#sandbox.clock.now() / HOUR_MS) * HOUR_MS + ahead).toISOString();
  }
}
