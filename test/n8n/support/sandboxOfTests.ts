import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type * as Adapter from '../../../n8n/adapter/execute.ts';
import { startSandbox, virtualClock, type Sandbox, type SandboxOptions } from '../../../sandbox/service.ts';
import { createBooking } from '../../../shared/operations/index.ts';
import { bookingForm } from '../../contract/fixtures.ts';
import { panelOf } from '../../contract/platforms/n8nPanel.ts';
import { testStart } from '../../support/service.ts';
import { executeHost, type HostOptions } from './host.ts';

/** The sandbox of the test that runs. */
export let sandbox: Sandbox;

/** What waits while a test decides itself when waits end. */
export const waits: { held: (() => void)[] | undefined } = { held: undefined };

// Otherwise, the node's waits advance the sandbox's clock instead of taking half a minute.
jest.mock('n8n-workflow', () => ({
  ...jest.requireActual<object>('n8n-workflow'),
  sleep: (milliseconds: number) =>
    waits.held === undefined ? sandbox.clock.advance(milliseconds) : new Promise<void>((resolve) => waits.held?.push(resolve)),
}));

// Imported after the mock, because the adapter takes its sleep from there.
export const { execute } = jest.requireActual<typeof Adapter>('../../../n8n/adapter/execute.ts');

/** Starts it, with these limits in place of none. */
export async function open(limits: SandboxOptions['limits'] = false): Promise<void> {
  sandbox = await startSandbox({ clock: virtualClock(testStart), tokenLifetimeSeconds: 36_000, limits });
}
beforeEach(async () => {
  waits.held = undefined;
  await open();
  jest.spyOn(Date, 'now').mockImplementation(() => sandbox.clock.now());
});
afterEach(async () => {
  jest.restoreAllMocks();
  await sandbox.stop();
});

export const run = (options: Omit<HostOptions, 'sandbox'>) => execute(executeHost({ sandbox, ...options }));

/** The error in which a run ends. */
export const failed = (work: Promise<unknown>): Promise<Partial<NodeApiError>> =>
  work.then(
    () => ({}),
    (error: NodeApiError) => error,
  );

export const posts = () => sandbox.requests().filter(({ method }) => method === 'POST');
export const day = (index: number) => `2059-03-${String(index + 1).padStart(2, '0')}T09:00:00Z`;

/** The parameters of a booking. */
export const create = (change: IDataObject = {}) => ({
  ...panelOf(createBooking, { fields: bookingForm(sandbox, { start_time: day(0), invitee_email: 'ada@example.com' }) }),
  ...change,
});
