import type { Fault } from '../../sandbox/service.ts';
import { parseInput } from '../../shared/operations/define.ts';
import { createBooking } from '../../shared/operations/index.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { serve, testStart, type TestService } from './service.ts';

/** A service for each test of a file that imports this, one person's booking there, and what came of it. */
export let service: TestService;
/** Another service in place of the test's. */
export const begin = async (options?: Parameters<typeof serve>[0]): Promise<void> => {
  await service.sandbox.stop();
  service = await serve(options);
};
beforeEach(async () => {
  service = await serve();
});
afterEach(() => service.sandbox.stop());

export const ada = 'ada@example.org';
export const slot = '2030-03-06T15:00:00Z';
export const form = (change: Record<string, unknown> = {}) => ({
  event_type_id: service.sandbox.eventTypes()[0]?.id,
  start_time: slot,
  invitee_name: 'Ada Lovelace',
  invitee_email: ada,
  ...change,
});
export type Context = { item?: string };
export const create = (client = service.client, change: Record<string, unknown> = {}, context: Context = {}) =>
  createBooking.run(client, parseInput(createBooking, form(change)), context);
export const made = () => service.sandbox.bookings().filter(({ invitee_email: email }) => email === ada);
export const posts = () => service.sandbox.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/bookings');
export const fault = (given: Partial<Fault>) => service.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', ...given });
export const pass = (milliseconds: number) => service.sandbox.clock.advance(milliseconds);
export const seconds = () => (service.sandbox.clock.now() - testStart) / 1000;

/** A process of n8n: what it keeps lasts as long as it lives. */
export const process = () => {
  const writes = new PendingWrites(memoryStore(() => service.sandbox.clock.now(), 'Try again.'));
  return service.clientWith({ writes });
};
