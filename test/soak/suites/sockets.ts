import { request } from 'node:http';
import { createGunzip } from 'node:zlib';
import { FAULTS, type FaultKind } from '../../../sandbox/service.ts';
import { isFindingEnd, noTally, type Judgement, type Tally } from '../judge.ts';
import { around, operationNames, operations, platforms, type OperationName, type PlatformName } from '../operations.ts';
import type { Options } from '../options.ts';
import { chance, seedOf } from '../random.ts';
import { AFTERMATH_MS, LONGEST_MS, ended } from '../run.ts';
import { VirtualTime } from '../time.ts';
import { BrokenWire, type Wire, type WireAnswer, type WireRequest } from '../wire.ts';
import { createWorld, type World } from '../world.ts';

/** The sandbox's own faults that happen in the socket or in the bytes on it. A `status` needs no socket, and `delay` does no harm. */
export const socketFaults = (Object.keys(FAULTS) as FaultKind[]).filter(
  (kind) => !['status', 'delay', 'delay-after', 'slow'].includes(kind),
);

const routes: Record<OperationName, string> = {
  create: 'POST /v1/bookings',
  cancel: 'POST /v1/bookings/:id/cancel',
  get: 'GET /v1/bookings/:id',
  list: 'GET /v1/bookings',
  'event-types': 'GET /v1/event-types',
  'find-contact': 'GET /v1/contacts',
  subscribe: 'POST /v1/hooks',
  unsubscribe: 'DELETE /v1/hooks/:id',
};

export interface SocketsResult extends Tally {
  runs: number;
  /** Each finding, with what to look at. */
  found: string[];
}

const { setTimeout: realTimeout, clearTimeout: realClear } = globalThis;

/** If an answer on this machine has not come after this time, it will not come, and virtual time continues. Real milliseconds. */
const QUIET_MS = 250;

/** More than any answer of the service, in pieces of about this size. */
const MOST_BYTES = 20_000_000;
const CHUNK_BYTES = 16_384;

/**
 * Real HTTP over real sockets, with the Node client on which both platforms' helpers are built. Time stands still while bytes are on their
 * way.
 */
const overSockets =
  ({ time }: World): Wire =>
  (wanted, signal) =>
    time.during(async (atRest) => {
      const quiet = realTimeout(atRest, QUIET_MS);
      try {
        return await exchange(wanted, signal);
      } finally {
        realClear(quiet);
      }
    });

function exchange({ method, url, headers, body }: WireRequest, signal: AbortSignal): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const broken = (error: NodeJS.ErrnoException): void => reject(new BrokenWire(error.code ?? 'ECONNRESET'));
    const sent = request(url, { method, headers: { ...headers, 'accept-encoding': 'gzip' }, agent: false, signal }, (response) => {
      const chunks: Buffer[] = [];
      const content = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response;
      response.on('error', broken);
      content.on('error', broken);
      content.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (chunks.length * CHUNK_BYTES < MOST_BYTES) return;
        sent.destroy();
        broken(new Error('The answer does not end.'));
      });
      content.on('end', () => {
        if (!response.complete) broken(new Error('The answer ended early.'));
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
          body: Buffer.concat(chunks),
        });
      });
    });
    sent.on('error', broken);
    sent.end(body);
  });
}

async function oneRun(world: World, kind: FaultKind, operation: OperationName, platform: PlatformName, seed: number): Promise<Judgement> {
  const { time, sandbox } = world;
  const luck = chance(seedOf('sockets', kind, operation, platform, seed));
  const attempt = operations[operation].prepare(
    world,
    around(world, world.connect(false, luck), overSockets(world)),
    `${operation}-${platform}-${seed}-${luck.below(1_000_000_000)}`,
  );
  sandbox.faults.add({ route: luck.happens(0.7) ? routes[operation] : '*', kind, times: luck.pick([1, 1, 2, 'always']) });
  const giveBack = time.takeOver(() => luck.next());
  try {
    const told = await ended(world, LONGEST_MS[platform], () => attempt[platform]());
    sandbox.faults.clear();
    await time.sleep(AFTERMATH_MS);
    return told === undefined ? { end: 'hung', why: 'nobody was told anything' } : attempt.judge(told);
  } finally {
    sandbox.faults.clear();
    giveBack();
  }
}

/** Every fault of the socket against every operation, `seeds` times each. The platforms take turns. */
export async function throughSockets(
  seeds: number,
  firstSeed: number,
  only: readonly OperationName[] = operationNames,
  kinds: readonly FaultKind[] = socketFaults,
): Promise<SocketsResult> {
  const result: SocketsResult = { runs: 0, ...noTally(), found: [] };
  for (const operation of only) {
    for (const kind of kinds) {
      const world = await createWorld(new VirtualTime(), false);
      for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
        const platform = platforms[seed % platforms.length] ?? 'n8n';
        const { end, why } = await oneRun(world, kind, operation, platform, seed);
        result.runs += 1;
        result[end] += 1;
        if (isFindingEnd(end)) result.found.push(`${end}: ${platform} ${operation} under ${kind}, seed ${seed}: ${why}`);
      }
      await world.sandbox.stop();
    }
  }
  return result;
}

export async function socketsSuite({ runs, seed, operations: chosen }: Options): Promise<boolean> {
  const started = performance.now();
  const { found, ...counts } = await throughSockets(Math.ceil(runs / (socketFaults.length * chosen.length)), seed, chosen);
  for (const line of found) console.log(line);
  console.log(
    `${counts.runs} runs over real sockets: ${counts.done} done, ${counts.failed} failed with a sentence, ${counts.unknown} told as perhaps there, ${found.length} findings.`,
  );
  console.log(
    JSON.stringify({
      suite: 'sockets',
      seed,
      faults: socketFaults.length,
      ...counts,
      seconds: Math.round((performance.now() - started) / 1000),
    }),
  );
  return found.length === 0;
}
