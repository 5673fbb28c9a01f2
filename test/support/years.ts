import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aDay, fill } from '../../bench/years.ts';
import { instant, type Booking } from '../../sandbox/records.ts';
import { startSandbox, virtualClock, type Forms, type Sandbox } from '../../sandbox/service.ts';
import { testStart } from './service.ts';

/** The orders in which services list bookings. */
export const orders = ['created', 'created-up', 'start', 'start-up', 'changed', 'none'] as const satisfies readonly Forms['order'][];

/** The number of bookings, and what makes each one different. */
interface YearsOptions {
  count?: number;
  change?: (booking: Booking, index: number) => Partial<Booking>;
}

/** A sandbox whose account has this many bookings. The caller stops it. */
export async function withYears(forms: Partial<Forms> = {}, { count = 10_000, change }: YearsOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'years-'));
  const file = join(folder, 'sandbox.sqlite');
  fill(file, count, { now: testStart, ...(change && { change }) });
  const sandbox = await startSandbox({ file, forms, limits: false, clock: virtualClock(testStart) });
  return {
    sandbox,
    async end(): Promise<void> {
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Years = Awaited<ReturnType<typeof withYears>>;

/** The week that begins when tests begin. */
export const thisWeek = { from: instant(testStart), to: instant(testStart + 7 * aDay) };

/** The ids of the bookings that start in this week, by start. */
export const inThisWeek = (sandbox: Sandbox, wanted: (booking: Booking) => boolean = () => true): string[] =>
  sandbox
    .bookings()
    .filter((booking) => booking.start_time >= thisWeek.from && booking.start_time < thisWeek.to && wanted(booking))
    .sort((a, b) => a.start_time.localeCompare(b.start_time))
    .map(({ id }) => id);

/** How many requests for lists of bookings the service got. */
export const pagesAsked = (sandbox: Sandbox): number => sandbox.requests().filter(({ path }) => path === '/v1/bookings').length;
