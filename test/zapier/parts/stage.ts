import assert from 'node:assert/strict';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/service.ts';
import { ZapierError, type ZapierErrorKind } from '../../../tools/rigs/zapier/errors.ts';
import type { RuntimeOptions, ZapierRuntime } from '../../../tools/rigs/zapier/runtime.ts';

/** The service, and the app as Zapier runs it, connected. */
export interface Stage {
  sandbox: Sandbox;
  zapier: ZapierRuntime;
}

/** The app in one of its forms. */
export interface Built {
  name: string;
  start: (options: Pick<RuntimeOptions, 'environment' | 'timeZone'>) => Promise<ZapierRuntime>;
}

/** Something that must hold for the app. The title is its specification. */
export interface Check {
  title: string;
  run: (stage: Stage) => Promise<void>;
}

/**
 * Checks that belong together and concern Zapier alone, in addition to the contract of every platform. They run on a stage of their own.
 */
export interface Part {
  name: string;
  checks: Check[];
  /** Its checks wait for half a minute and more, so each gets a stage of its own, and all wait at the same time. */
  isSlow?: true;
}

/** Enough time to build an archive first, and for a step of 30 seconds that is held as long and runs again. */
const LONGEST_MS = 600_000;

/** A part as tests. */
export function asTests(part: Part, built: Built): void {
  describe(`${built.name}: ${part.name}`, () => {
    let opened: Awaited<ReturnType<typeof openPart>> | undefined;
    beforeAll(async () => void (opened = await openPart(part, built)), LONGEST_MS);
    afterAll(() => opened?.close());
    test.each(part.checks)('$title', (check) => opened?.play(check), LONGEST_MS);
  });
}

/** Runs a check: in a slow part on a stage of its own, otherwise on the given one. */
type Play = (check: Check) => Promise<void>;

/** Starts the stage of a part. */
async function openPart({ checks, isSlow }: Part, built: Built): Promise<{ play: Play; close: () => Promise<void> }> {
  if (isSlow === true) {
    const ends = new Map(checks.map((check) => [check, alone(check, built)]));
    // The error goes to the test that asks for the result.
    for (const end of ends.values()) end.catch(() => undefined);
    return {
      play: (check) => ends.get(check) ?? assert.fail(`${check.title} is of another part`),
      close: async () => void (await Promise.allSettled(ends.values())),
    };
  }
  const stage = await openStage(built);
  const play: Play = async ({ run }) => {
    try {
      await run(stage);
    } finally {
      // A fault that one check set must not affect the next.
      stage.sandbox.faults.clear();
    }
  };
  return { play, close: () => closeStage(stage) };
}

async function alone({ run }: Check, built: Built): Promise<void> {
  const stage = await openStage(built);
  try {
    await run(stage);
  } finally {
    await closeStage(stage);
  }
}

export async function openStage({ start }: Built, options: SandboxOptions = {}): Promise<Stage> {
  const sandbox = await startSandbox({ limits: false, ...options });
  const zapier = await start({ environment: environmentOf(sandbox), timeZone: 'America/New_York' });
  sandbox.allowRedirect(zapier.redirectUri);
  await zapier.connect();
  return { sandbox, zapier };
}

export async function closeStage({ sandbox, zapier }: Stage): Promise<void> {
  await zapier.stop();
  await sandbox.stop();
}

/** Runs one check on a sandbox of another kind, with the same app, connected to it. */
export async function onSandbox(stage: Stage, options: SandboxOptions, run: (stage: Stage) => Promise<void>): Promise<void> {
  const { zapier } = stage;
  const { environment, connection, stepLimitMs } = zapier;
  const sandbox = await startSandbox({ limits: false, ...options });
  try {
    zapier.environment = environmentOf(sandbox);
    sandbox.allowRedirect(zapier.redirectUri);
    await zapier.connect();
    await run({ sandbox, zapier });
  } finally {
    Object.assign(zapier, { environment, connection, stepLimitMs });
    await sandbox.stop();
  }
}

const environmentOf = ({ client, baseUrl }: Sandbox) => ({ CLIENT_ID: client.id, CLIENT_SECRET: client.secret, BASE_URL: baseUrl });

/**
 * Expects a step to end in an error of this kind whose sentence contains all of these parts.
 *
 * @returns the error
 */
export async function refused(work: Promise<unknown>, kind: ZapierErrorKind, ...parts: (string | RegExp)[]): Promise<ZapierError> {
  const error: unknown = await work.then(
    (result) => assert.fail(`It should have been refused, but gave ${JSON.stringify(result)?.slice(0, 300)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ZapierError, String(error));
  assert.equal(error.kind, kind, error.message);
  for (const part of parts)
    assert.match(error.message, part instanceof RegExp ? part : new RegExp(part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return error;
}

/** Expects two values to be the same data. It only compares contents, because under jest Node's own objects have other prototypes. */
export function same(actual: unknown, expected: unknown, message?: string): void {
  const data = (value: unknown): unknown => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as unknown));
  assert.deepEqual(data(actual), data(expected), message);
}

/** One record of a step's answer, as plain fields. */
export function record(value: unknown): Record<string, unknown> {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `Expected a record, got ${JSON.stringify(value)}`);
  return { ...value };
}

/** The answer of a search: its page and where the next one begins. */
export function found(value: unknown): { results: Record<string, unknown>[]; next: string | undefined } {
  const { results, paging_token: next } = record(value);
  assert.ok(Array.isArray(results));
  return { results: results.map(record), next: typeof next === 'string' ? next : undefined };
}

/** The booking type of the seed with this name. */
export function typeNamed({ sandbox }: Stage, name: string): string {
  const type = sandbox.eventTypes().find((each) => each.name === name);
  assert.ok(type, `The seed has no booking type ${name}.`);
  return type.id;
}

/** The calls that the app made to one endpoint since the requests were last forgotten. */
export const calls = ({ sandbox }: Stage, method: string, path: string | RegExp) =>
  sandbox
    .requests()
    .filter((request) => request.method === method && (typeof path === 'string' ? request.path === path : path.test(request.path)));
