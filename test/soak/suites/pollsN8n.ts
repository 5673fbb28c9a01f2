import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fill } from '../../../bench/service/account.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/service.ts';
import { callsFor } from '../../../shared/changes/feed.ts';
import { eventRows } from '../../../shared/events.ts';
import { openConnectedN8n, ourPackage, type ConnectedN8n } from '../../../tools/rigs/n8n/connected.ts';
import { startN8n } from '../../../tools/rigs/n8n/instance.ts';
import { openConnectedCluster } from '../../../tools/rigs/queue/connected.ts';
import { createWorkflow, getWorkflow, publish } from '../../../tools/rigs/n8n/workflows.ts';
import { givenTo, namesOf, onChanges } from '../../n8n/support/polling.ts';
import { until } from '../../support/until.ts';
import type { Options } from '../options.ts';
import { Happenings } from '../polls/happen.ts';
import { changesBetween, sightOf } from '../polls/oracle.ts';
import { chance, seedOf, type Chance } from '../random.ts';

const BOOKINGS = 10_000;
/** For all kills together. */
const CHANGES = 500;
/** One in this many kills comes after the last page, while the found changes are passed on and stored. */
const HANDING_OVER = 10;
const HANDED_OVER_WITHIN_MS = 2_000;

interface Killed {
  kills: number;
  /** Killed after the last page was read. */
  handingOver: number;
  expected: number;
  missing: string[];
  /** Given twice, or never happened. */
  wrong: string[];
}

/** Calls of the lists that a poll has made so far. */
const listCalls = (sandbox: Sandbox): number => sandbox.requests().filter(({ path }) => /\/(bookings|contacts)$/.test(path)).length;

/** An n8n that can be killed without warning, and started again with its stored data. */
interface Mortal extends Pick<ConnectedN8n, 'session' | 'nodes' | 'credentials' | 'stop'> {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** One process with SQLite. */
async function single(sandbox: Sandbox, folder: string): Promise<Mortal> {
  const connected = await openConnectedN8n(sandbox, { folder });
  let { n8n } = connected;
  const port = Number(new URL(n8n.origin).port);
  return {
    ...connected,
    kill: () => n8n.kill(),
    start: async () => {
      const options = { folder, port, unpublished: await ourPackage() };
      // Its port may be taken by another program for a moment.
      n8n = await startN8n(options).catch(() => startN8n(options));
    },
    stop: () => n8n.stop(),
  };
}

/**
 * Queue mode with PostgreSQL and Redis. Its main process polls, so that is the one to kill. The next one starts without the killed one's
 * files, as on another machine: it shares only the database, the queue and the installed packages.
 */
async function queue(sandbox: Sandbox, folder: string): Promise<Mortal> {
  const connected = await openConnectedCluster(sandbox, { folder, processors: 1, workers: 1 });
  const { main } = connected.cluster;
  const home = join(folder, 'n8n', '.n8n');
  return {
    ...connected,
    kill: () => main.kill(),
    start: async () => {
      for (const name of readdirSync(home)) if (name !== 'nodes') rmSync(join(home, name), { recursive: true, maxRetries: 3 });
      await main.start();
    },
  };
}

/** Kills the real n8n again and again in the middle of the poll with which it starts, while changes keep happening. */
async function killedN8n(open: typeof single, kills: number, seed: number): Promise<Killed> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-polls-'));
  const file = join(folder, 'sandbox.sqlite');
  fill(file, BOOKINGS);
  const sandbox = await startSandbox({ file, limits: false, forms: { slots: 'shared' } });
  try {
    return await withN8n(sandbox, await open(sandbox, join(folder, 'n8n')), kills, chance(seedOf('polls-n8n', seed)));
  } finally {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function withN8n(sandbox: Sandbox, n8n: Mortal, kills: number, luck: Chance): Promise<Killed> {
  try {
    const events = eventRows.map(({ name }) => name);
    const { id } = await createWorkflow(n8n.session, onChanges(n8n, { events }, { mode: 'everyMinute' }));
    sandbox.forgetRequests();
    await publish(n8n.session, id);
    await until(async () => (await getWorkflow(n8n.session, id))['staticData'] !== null);
    const pages = callsFor(sandbox.bookings().length) + callsFor(sandbox.contacts().length);
    const before = sightOf(sandbox);
    const happenings = new Happenings(sandbox, luck);
    let handingOver = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      await n8n.kill();
      happenings.happenToEach(Math.ceil(CHANGES / kills));
      sandbox.forgetRequests();
      await n8n.start();
      const isHandingOver = luck.below(HANDING_OVER) === 0;
      const at = 1 + luck.below(pages - 1);
      await until(() => listCalls(sandbox) >= (isHandingOver ? pages : at));
      if (isHandingOver) await pause(luck.below(HANDED_OVER_WITHIN_MS));
      handingOver += isHandingOver ? 1 : 0;
      console.log(`kill ${kill + 1}: after ${listCalls(sandbox)} of ${pages} calls`);
    }
    await n8n.kill();
    const expected = changesBetween(before, sightOf(sandbox), sandbox.eventTypes());
    sandbox.forgetRequests();
    await n8n.start();
    const given = await settled(
      async () => namesOf((await givenTo(n8n, id)).flat()),
      expected.length,
      () => listCalls(sandbox) / pages,
    );
    return {
      kills,
      handingOver,
      expected: expected.length,
      missing: expected.filter((each) => !given.includes(each)),
      wrong: given.filter((each, index) => !expected.includes(each) || given.indexOf(each) !== index),
    };
  } finally {
    await n8n.stop();
  }
}

/**
 * Waits until enough changes were given or four polls have ended, and then for one more poll, which must give nothing new. Returns all
 * changes.
 */
async function settled(given: () => Promise<string[]>, enough: number, polls: () => number): Promise<string[]> {
  await until(async () => (await given()).length >= enough || polls() >= 5);
  const next = Math.ceil(polls()) + 2;
  await until(() => polls() >= next);
  return given();
}

const suiteOf =
  (suite: 'polls-n8n' | 'polls-queue', open: typeof single) =>
  async ({ runs, seed }: Options): Promise<boolean> => {
    const started = performance.now();
    const result = await killedN8n(open, runs, seed);
    console.log(
      JSON.stringify({
        suite,
        seed,
        bookings: BOOKINGS,
        ...result,
        seconds: Math.round((performance.now() - started) / 1000),
      }),
    );
    return result.missing.length === 0 && result.wrong.length === 0;
  };

export const pollsN8nSuite = suiteOf('polls-n8n', single);
export const pollsQueueSuite = suiteOf('polls-queue', queue);
