import digest from '../../docs/templates/weekly-digest.json' with { type: 'json' };
import { execute } from '../../n8n/adapter/execute.ts';
import { inThisWeek, pagesAsked, thisWeek, withYears, type Years } from '../support/years.ts';
import { executeHost, type HostOptions } from './support/host.ts';

/** The node at an account with ten thousand bookings, in no order. */
let years: Years;
beforeAll(async () => (years = await withYears({ order: 'none' })));
beforeEach(() => {
  years.sandbox.forgetRequests();
  // On a machine with other work, the requests may take longer than somebody waits.
  jest.spyOn(Date, 'now').mockImplementation(() => years.sandbox.clock.now());
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => years.end());

async function run(parameters: Record<string, unknown>, options: Partial<HostOptions> = {}) {
  const hints: string[] = [];
  const [items = []] = [
    await execute(executeHost({ sandbox: years.sandbox, hints, parameters: { resource: 'booking', ...parameters }, ...options })),
  ];
  return { items: items.map(({ json }) => json), hints };
}

const many = (filters: object, more: object = { returnAll: true }) => ({ operation: 'getMany', filters, ...more });

it('Return All reads a window to its end, each list once', async () => {
  const { items, hints } = await run(many(thisWeek));
  expect(items.map(({ id }) => id)).toEqual(inThisWeek(years.sandbox));
  expect(hints).toEqual([]);
  expect(pagesAsked(years.sandbox)).toBeLessThanOrEqual(103);
});

it('the weekly digest is whole', async () => {
  const { filters, ...parameters } = digest.nodes.find(({ name }) => name === 'Get bookings')?.parameters ?? {};
  // From now on, which n8n computes: its own clock is the real one.
  expect(filters).toEqual({ from: '={{ $now.toISO() }}', to: '={{ $now.plus({ days: 7 }).toISO() }}', status: 'CONFIRMED' });
  // A credential of its own, because the clock stands still, and the requests of all tests would be more than a minute has.
  const { items, hints } = await run({ ...parameters, filters: { ...filters, ...thisWeek } }, { credentialId: 'digest' });
  expect([items.map(({ id }) => id), hints]).toEqual([inThisWeek(years.sandbox, ({ status }) => status === 'CONFIRMED'), []]);
});

it('with a limit, what is upcoming in a window is whole; a window that is not says so first, and to an agent in its first item', async () => {
  const whole = await run(many({ ...thisWeek, upcoming: true }, { limit: 50 }));
  expect(whole.items.map(({ id }) => id)).toEqual(inThisWeek(years.sandbox, ({ status }) => status !== 'CANCELLED'));
  years.sandbox.forgetRequests();
  const part = await run(many(thisWeek, { limit: 5 }));
  expect(pagesAsked(years.sandbox)).toBeLessThanOrEqual(100);
  const said = /^This is not the whole answer: [^.]+\. Turn on Return All to read all of them\./;
  expect([part.hints, part.items.length]).toEqual([[expect.stringMatching(said)], 5]);
  const told = await run(many(thisWeek, { limit: 5 }), { isTool: true });
  expect([told.items[0]?.['note'], told.items.length]).toEqual([expect.stringMatching(said), 6]);
});
