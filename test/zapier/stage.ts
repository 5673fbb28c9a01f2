import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import type * as Lambda from '../../tools/rigs/zapier/lambda.ts';
import { ZapierError } from '../../tools/rigs/zapier/zap.ts';
import type { RuntimeOptions, ZapierRuntime } from '../../tools/rigs/zapier/runtime.ts';
import { clock } from '../../zapier/adapter/connection.ts';
import { typeNamed as ofSandbox } from '../contract/fixtures.ts';
import { closingOnFailure } from '../contract/platform.ts';
import { shortTime } from '../support/shortTime.ts';
import { runStep } from '../support/zapierForm.ts';
import { startSources } from './inProcess.ts';

/** The service, and the app as Zapier runs it, connected. */
export interface Stage {
  sandbox: Sandbox;
  zapier: ZapierRuntime;
}

export type Start = (options: Pick<RuntimeOptions, 'environment' | 'timeZone'>) => Promise<ZapierRuntime>;

/** Enough time to build an archive first, and for a step of 30 seconds that is held as long and runs again. */
export const LONGEST_MS = 600_000;

/** The archive that Zapier's own tool built, in a process of its own. What it needs is loaded only then, because it starts programs. */
export const startBuilt: Start = (options) => jest.requireActual<typeof Lambda>('../../tools/rigs/zapier/lambda.ts').startArchive(options);

/** The app from its sources. Its waits are short. */
function startShort(): Start {
  const { setTimeout: sleep } = shortTime() as { setTimeout: (milliseconds: number) => Promise<void> };
  return async (options) => {
    const zapier = await startSources(options);
    jest.spyOn(clock, 'sleep').mockImplementation(sleep);
    return zapier;
  };
}

/** Opens a stage for all tests of a file. A fault that one of them set does not affect the next. */
export function onStage(): Stage {
  // `npm run try:zapier` sets it: the tests then run on the built archive.
  const start = process.env['ZAPIER_APP'] === 'archive' ? startBuilt : startShort();
  const stage = {} as Stage;
  jest.setTimeout(LONGEST_MS);
  beforeAll(async () => void Object.assign(stage, await openStage(start)));
  afterEach(() => stage.sandbox.faults.clear());
  afterAll(() => ('sandbox' in stage ? closeStage(stage) : undefined));
  return stage;
}

/** Zapier with the app, connected to a service as a person does it there. */
export async function startOn(sandbox: Sandbox, start: Start, timeZone = 'America/New_York'): Promise<ZapierRuntime> {
  const zapier = await start({ environment: environmentOf(sandbox), timeZone });
  sandbox.allowRedirect(zapier.redirectUri);
  await closingOnFailure(zapier.connect(), () => zapier.stop());
  return zapier;
}

export async function openStage(start: Start, options: SandboxOptions = {}): Promise<Stage> {
  const sandbox = await startSandbox({ limits: false, ...options });
  return { sandbox, zapier: await closingOnFailure(startOn(sandbox, start), () => sandbox.stop()) };
}

export async function closeStage({ sandbox, zapier }: Stage): Promise<void> {
  await zapier.stop();
  await sandbox.stop();
}

/** Runs a test on a sandbox of another kind, with the same app, connected to it. */
export async function onSandbox({ zapier }: Stage, options: SandboxOptions, run: (stage: Stage) => Promise<void>): Promise<void> {
  const { environment, authData } = zapier;
  const sandbox = await startSandbox({ limits: false, ...options });
  try {
    zapier.environment = environmentOf(sandbox);
    sandbox.allowRedirect(zapier.redirectUri);
    await zapier.connect();
    await run({ sandbox, zapier });
  } finally {
    Object.assign(zapier, { environment, authData });
    await sandbox.stop();
  }
}

const environmentOf = ({ client, baseUrl }: Sandbox) => ({ CLIENT_ID: client.id, CLIENT_SECRET: client.secret, BASE_URL: baseUrl });

/** The error in which a step ends. It must be of this kind, and its sentence must contain all of these parts. */
export async function refused(work: Promise<unknown>, kind: string, ...parts: string[]): Promise<ZapierError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof ZapierError)) throw new Error(`It should have been refused, but gave ${JSON.stringify(error)}`);
  expect([error.kind, error.message]).toEqual([kind, expect.any(String)]);
  for (const part of parts) expect(error.message).toContain(part);
  return error;
}

/** The id of the seed's event type with this name. */
export const typeNamed = ({ sandbox }: Pick<Stage, 'sandbox'>, name: string): string => ofSandbox(sandbox, name).id;

/** The requests that the app made to one endpoint since they were last forgotten. */
export const calls = ({ sandbox }: Stage, method: string, path: string) =>
  sandbox.requests().filter((request) => request.method === method && request.path === path);

let day = 100;

/** A filled-in form that books an intro call at a free time. */
export const introCall = (stage: Stage, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  event_type_id: typeNamed(stage, 'Intro Call'),
  start_time: `${new Date(Date.now() + (day += 1) * 24 * 60 * 60_000).toISOString().slice(0, 10)}T09:00:00`,
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
  ...more,
});

export const book = async ({ zapier }: Stage, raw: Record<string, unknown>) =>
  (await runStep(zapier, 'creates.create_booking', raw)) as Record<string, unknown>;

export const find = async ({ zapier }: Stage, what: 'booking' | 'contact', raw: Record<string, unknown>) =>
  ((await runStep(zapier, `searches.find_${what}`, raw)) as { results: Record<string, unknown>[] }).results;
