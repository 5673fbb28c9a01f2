import { instant, newId, type Booking } from '../sandbox/records.ts';
import { seed } from '../sandbox/seed.ts';
import { openStore } from '../sandbox/store.ts';
import { seeded } from './virtualTime.ts';

export const aDay = 86_400_000;

/**
 * Creates the data file of a sandbox whose account has years of bookings: five created each day, up to six weeks before their start, a
 * fifth of them cancelled.
 *
 * @param change makes each booking different
 */
export function fill(
  file: string,
  count: number,
  { now = Date.now(), change = () => ({}) }: { now?: number; change?: (booking: Booking, index: number) => Partial<Booking> } = {},
): void {
  const store = openStore(file);
  seed(store, now);
  const patterns = store.bookings.all({ where: 'status = ?', values: ['CONFIRMED'] });
  const random = seeded(7);
  store.transaction(() => {
    for (const { id } of store.bookings.all()) store.bookings.delete(id);
    for (let index = 0; index < count; index += 1) {
      const pattern = patterns[index % patterns.length];
      if (pattern === undefined) throw new Error('The seed has no booking.');
      const made = now - Math.round(((count - index) / 5) * aDay);
      const day = Math.ceil(made / aDay) + 1 + Math.floor(random() * 42);
      // No two bookings of a day begin at the same time.
      const start = day * aDay + (7 + Math.floor(random() * 10)) * 3_600_000 + (index % 3_600) * 1000;
      const status = random() < 0.2 ? 'CANCELLED' : start > now && random() < 0.05 ? 'PENDING' : 'CONFIRMED';
      const booking: Booking = {
        ...pattern,
        id: newId('bkg'),
        status,
        start_time: instant(start),
        end_time: instant(start + 1_800_000),
        invitee_email: `guest${index}@example.com`,
        created_at: instant(made),
        updated_at: instant(Math.min(now, made + Math.round(random() * 30 * aDay))),
      };
      store.bookings.insert({ ...booking, ...change(booking, index) });
    }
  });
  store.close();
}
