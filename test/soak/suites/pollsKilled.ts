import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fill } from '../../../bench/service/account.ts';
import { startSandbox } from '../../../sandbox/service.ts';
import { until } from '../../support/until.ts';
import type { PolledWorkflow } from '../kill/pollingVictim.ts';
import type { Options } from '../options.ts';
import type { Connection } from '../platforms/told.ts';
import { Happenings } from '../polls/happen.ts';
import { changesBetween, sightOf } from '../polls/oracle.ts';
import { chance, seedOf } from '../random.ts';

export interface PollsKilledResult {
  kills: number;
  /** Killed while the lists were being read, and not between two polls. */
  whileReading: number;
  expected: number;
  missing: number;
  /** Given twice, or never happened. */
  wrong: number;
}

const BOOKINGS = 500;
/** Changes at each kill. */
const CHANGES = 10;
const LONGEST_LIFE_MS = 60;

/** Kills a process that polls with the node's own code over real HTTP, at random moments, while changes keep happening. */
export async function killedWhilePolling(kills: number, seed: number): Promise<PollsKilledResult> {
  const luck = chance(seedOf('polls-killed', seed));
  const folder = mkdtempSync(join(tmpdir(), 'soak-polls-'));
  fill(join(folder, 'sandbox.sqlite'), BOOKINGS);
  const sandbox = await startSandbox({ file: join(folder, 'sandbox.sqlite'), limits: false, forms: { slots: 'shared' } });
  const { access_token: accessToken, refresh_token: refreshToken } = sandbox.issueToken({ expiresInSeconds: 1_000_000_000 });
  const { baseUrl, client } = sandbox;
  const connection: Connection = { id: 'polls', baseUrl, clientId: client.id, clientSecret: client.secret, accessToken, refreshToken };
  const file = join(folder, 'workflow.json');
  writeFileSync(file, JSON.stringify({ staticData: {}, given: [] } satisfies PolledWorkflow));
  const stored = (): PolledWorkflow => JSON.parse(readFileSync(file, 'utf8')) as PolledWorkflow;
  const requests = (): number => sandbox.requests().length;
  const answered = (): boolean => sandbox.requests().every(({ status }) => status !== null);

  let upcoming = victim();
  const first = await upcoming;
  upcoming = victim();
  first.send({ file, connection });
  await until(() => 'known' in stored().staticData);
  await killNow(first);
  const before = sightOf(sandbox);
  const happenings = new Happenings(sandbox, luck);
  let whileReading = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const child = await upcoming;
    upcoming = victim();
    happenings.happenToEach(CHANGES);
    sandbox.forgetRequests();
    child.send({ file, connection });
    const pages = 1 + luck.below(12);
    await until(() => requests() >= pages);
    await pause(luck.next() * LONGEST_LIFE_MS);
    if (!answered() || requests() % 6 !== 0) whileReading += 1;
    await killNow(child);
  }
  const expected = changesBetween(before, sightOf(sandbox), sandbox.eventTypes());
  const last = await upcoming;
  sandbox.forgetRequests();
  last.send({ file, connection });
  // Long enough for several polls: what was given once is not given again.
  await until(() => requests() >= 40);
  await killNow(last);
  await sandbox.stop();
  const { given } = stored();
  rmSync(folder, { recursive: true, force: true });
  return {
    kills,
    whileReading,
    expected: expected.length,
    missing: expected.filter((each) => !given.includes(each)).length,
    wrong: given.filter((each, index) => !expected.includes(each) || given.indexOf(each) !== index).length,
  };
}

async function victim(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, '..', 'kill', 'pollingVictim.ts'), [], {
    execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

async function killNow(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  // A request that was on its way when the process died may still arrive.
  await pause(20);
}

export async function pollsKilledSuite({ runs, seed }: Options): Promise<boolean> {
  const started = performance.now();
  const result = await killedWhilePolling(runs, seed);
  console.log(JSON.stringify({ suite: 'polls-killed', seed, ...result, seconds: Math.round((performance.now() - started) / 1000) }));
  return result.missing + result.wrong === 0;
}
