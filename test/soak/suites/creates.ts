import { createClient } from '../../../shared/api/client.ts';
import { ServiceError } from '../../../shared/api/errors.ts';
import { patient } from '../../../shared/api/retry.ts';
import { networkFault, NetworkFault, type Transport } from '../../../shared/api/transport.ts';
import { createBooking } from '../../../shared/operations/index.ts';
import type { Options } from '../options.ts';
import { chance, seedOf, type Chance } from '../random.ts';
import { VirtualTime } from '../time.ts';
import { BrokenWire, parsed, type Wire } from '../wire.ts';
import { createWorld, type World } from '../world.ts';

/** Of every hundred requests, including reads, this many meet a fault. */
const HARMED_PERCENT = 6;

/** How many creates one service gets. With more, its growing tables would slow it down. */
const CREATES_A_WORLD = 400;

/** As many as n8n runs in parallel. */
const WIDTH = 12;

export interface CreatesResult {
  creates: number;
  calls: number;
  /** Requests that met a fault. */
  harmed: number;
  duplicated: number;
  /** Reported as made, but not there. */
  missing: number;
  /** Reported as not made, but there. */
  denied: number;
  /** Reported as not made, which is true. */
  failed: number;
  /** "It may exist, look for ...". */
  unknown: number;
}

/**
 * Many creates under random faults: requests lost, answers lost, carried out late, refused by a 500 before or after. What each caller was
 * told is compared with the bookings that exist at the end.
 */
export async function manyCreates(creates: number, seed: number): Promise<CreatesResult> {
  const time = new VirtualTime();
  const result: CreatesResult = { creates: 0, calls: 0, harmed: 0, duplicated: 0, missing: 0, denied: 0, failed: 0, unknown: 0 };
  for (let round = 0; result.creates < creates; round += 1) {
    const world = await createWorld(time, false);
    await inOneWorld(world, Math.min(CREATES_A_WORLD, creates - result.creates), chance(seedOf('creates', seed, round)), result);
    await world.sandbox.stop();
  }
  return result;
}

type Told = 'made' | 'not made' | 'unknown';

async function inOneWorld(world: World, count: number, luck: Chance, result: CreatesResult): Promise<void> {
  const { time, sandbox } = world;
  const clock = { now: () => time.now(), sleep: (ms: number) => time.sleep(ms), random: () => luck.next() };
  const { access_token: token } = sandbox.issueToken({ expiresInSeconds: 1_000_000_000 });
  const client = createClient({ baseUrl: sandbox.baseUrl, transport: harmful(world, luck, token, result), clock, patience: patient });
  const told = new Map<string, Told>();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const email = `invitee-${(next += 1)}@example.com`;
      told.set(
        email,
        await oneCreate(() =>
          createBooking.run(
            client,
            { event_type_id: world.eventTypeId, start_time: world.freeStart(), invitee_name: 'Ada Lovelace', invitee_email: email },
            {},
          ),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
  await time.sleep(31_000);

  const there = new Map<string, number>();
  for (const { invitee_email: email } of sandbox.bookings()) there.set(email, (there.get(email) ?? 0) + 1);
  for (const [email, end] of told) {
    const times = there.get(email) ?? 0;
    if (times > 1) result.duplicated += 1;
    if (end === 'made' && times === 0) result.missing += 1;
    if (end === 'not made') result[times === 0 ? 'failed' : 'denied'] += 1;
    if (end === 'unknown') result.unknown += 1;
  }
  result.creates += count;
}

async function oneCreate(create: () => Promise<unknown>): Promise<Told> {
  try {
    await create();
    return 'made';
  } catch (error) {
    if (error instanceof ServiceError) return error.kind === 'unknownOutcome' ? 'unknown' : 'not made';
    throw error;
  }
}

function harmful({ wire, time }: World, luck: Chance, token: string, result: CreatesResult): Transport {
  const harms: readonly [Wire, ...Wire[]] = [
    () => Promise.reject(new BrokenWire('ECONNRESET')),
    async (request, signal) => {
      await wire(request, signal);
      throw new BrokenWire('ECONNRESET');
    },
    (request, signal) => {
      void time.sleep(luck.below(20_000)).then(() => wire(request, signal));
      return Promise.reject(new BrokenWire('ECONNRESET'));
    },
    async () => ({ status: 500, headers: {}, body: Buffer.from('{"error":"Internal Server Error","code":"INTERNAL_ERROR"}') }),
    async (request, signal) => {
      await wire(request, signal);
      return { status: 500, headers: {}, body: Buffer.from('{"error":"Internal Server Error","code":"INTERNAL_ERROR"}') };
    },
  ];
  const never = new AbortController().signal;
  return async ({ method, url, query, headers, body }) => {
    result.calls += 1;
    const address = query === undefined ? url : `${url}?${new URLSearchParams(query).toString()}`;
    const request = {
      method,
      url: address,
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const isHarmed = luck.below(100) < HARMED_PERCENT;
    if (isHarmed) result.harmed += 1;
    await time.sleep(20 + luck.below(200));
    try {
      const answer = await (isHarmed ? luck.pick(harms) : wire)(request, never);
      return { status: answer.status, headers: answer.headers, body: parsed(answer.body.toString('utf8')) };
    } catch (error) {
      throw error instanceof BrokenWire ? (networkFault(error) ?? new NetworkFault(error.code, true)) : error;
    }
  };
}

export async function createsSuite({ runs, seed }: Options): Promise<boolean> {
  const started = performance.now();
  const result = await manyCreates(runs, seed);
  const callsPerCreate = Number((result.calls / result.creates).toFixed(4));
  console.log(
    `${result.creates} creates with ${HARMED_PERCENT} % of all requests harmed: ${result.duplicated} duplicated, ${result.missing} missing, ${result.denied} denied, ${result.unknown} unknown, ${callsPerCreate} calls a create.`,
  );
  console.log(
    JSON.stringify({ suite: 'creates', seed, ...result, callsPerCreate, seconds: Math.round((performance.now() - started) / 1000) }),
  );
  return result.duplicated + result.missing + result.denied === 0 && callsPerCreate <= 1.2;
}
