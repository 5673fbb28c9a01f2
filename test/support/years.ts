import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant, newId, type Booking } from '../../sandbox/records.ts';
import { seed } from '../../sandbox/seed.ts';
import { startSandbox, virtualClock, type Forms, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { openStore } from '../../sandbox/store.ts';
import { seeded } from '../../tools/rigs/virtualTime.ts';
import { testStart } from './service.ts';

const aDay = 86_400_000;

/** The orders in which services list bookings. */
export const orders = ['created', 'created-up', 'start', 'start-up', 'changed', 'none'] as const satisfies readonly Forms['order'][];

/** An account with years of bookings: some thirty in each week, made up to six weeks ahead, a fifth of them cancelled. */
export interface YearsOptions {
  count?: number;
  /** Makes each booking different. */
  change?: (booking: Booking, index: number) => Partial<Booking>;
  options?: SandboxOptions;
}

/** A sandbox whose account has so many bookings. It is stopped by its caller. */
export async function withYears(forms: Partial<Forms> = {}, { count = 10_000, change = () => ({}), options = {} }: YearsOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'years-'));
  const file = join(folder, 'sandbox.sqlite');
  const store = openStore(file);
  seed(store, testStart);
  const patterns = store.bookings.all({ where: 'status = ?', values: ['CONFIRMED'] });
  const random = seeded(7);
  store.transaction(() => {
    for (const { id } of store.bookings.all()) store.bookings.delete(id);
    for (let index = 0; index < count; index += 1) {
      const pattern = patterns[index % patterns.length];
      if (pattern === undefined) throw new Error('The seed has no booking.');
      const made = testStart - Math.round(((count - index) / 5) * aDay);
      const day = Math.ceil(made / aDay) + 1 + Math.floor(random() * 42);
      // No two begin at once.
      const start = day * aDay + (7 + Math.floor(random() * 10)) * 3_600_000 + (index % 3_600) * 1000;
      const isOver = start < testStart;
      const status = random() < 0.2 ? 'CANCELLED' : !isOver && random() < 0.05 ? 'PENDING' : 'CONFIRMED';
      const booking: Booking = {
        ...pattern,
        id: newId('bkg'),
        status,
        start_time: instant(start),
        end_time: instant(start + 1_800_000),
        invitee_email: `guest${index}@example.com`,
        created_at: instant(made),
        updated_at: instant(Math.min(testStart, made + Math.round(random() * 30 * aDay))),
      };
      store.bookings.insert({ ...booking, ...change(booking, index) });
    }
  });
  store.close();
  const sandbox = await startSandbox({ file, forms, limits: false, clock: virtualClock(testStart), ...options });
  return {
    sandbox,
    async end(): Promise<void> {
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Years = Awaited<ReturnType<typeof withYears>>;

/** This week, from the moment at which tests begin. */
export const thisWeek = { from: instant(testStart), to: instant(testStart + 7 * aDay) };

/** The ids of the bookings that start in this week, by start. */
export const inThisWeek = (sandbox: Sandbox, wanted: (booking: Booking) => boolean = () => true): string[] =>
  sandbox
    .bookings()
    .filter((booking) => booking.start_time >= thisWeek.from && booking.start_time < thisWeek.to && wanted(booking))
    .sort((a, b) => a.start_time.localeCompare(b.start_time))
    .map(({ id }) => id);

/** How many requests for lists of bookings the service was sent. */
export const pagesAsked = (sandbox: Sandbox): number => sandbox.requests().filter(({ path }) => path === '/v1/bookings').length;
