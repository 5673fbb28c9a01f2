import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../shared/operations/index.ts';
import { clientOf } from '../../sdk/client/methods.ts';
import { openWritesIn } from '../../sdk/node/openWrites.ts';
import { startSandbox } from '../../sandbox/service.ts';
import { fastTime, Visited } from './stage.ts';

let stage: Visited;
let folder: string;
beforeEach(async () => {
  stage = new Visited(await startSandbox({ limits: false, forms: { slots: 'shared' } }));
  folder = join(await mkdtemp(join(tmpdir(), 'open-writes-')), 'open');
});
afterEach(async () => {
  await stage.sandbox.stop();
  await rm(join(folder, '..'), { recursive: true, force: true, maxRetries: 10 });
});

/** A program with the files of the account, as each process of its user has them. */
const program = (auth: () => string = () => stage.sandbox.issueToken().access_token, time = fastTime) =>
  clientOf(operations, { ...time, store: openWritesIn(folder) })({ auth, baseUrl: stage.sandbox.baseUrl });

const ended = (work: Promise<{ id: string }>): Promise<string> =>
  work.then(
    ({ id }) => id,
    ({ kind }: { kind: string }) => kind,
  );
const posts = () => stage.requestsTo('/v1/bookings').filter(({ method }) => method === 'POST').length;

describe('several programs of one person that book at once for one person and slot', () => {
  it('are all sent if anything differs, also after one that was truly lost', async () => {
    const { wanted } = stage;
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before' });
    const seats = [{ notes: 'seat 1: vegan' }, { notes: 'seat 2: nut allergy' }, { locale: 'fr' as const }];
    const told = await Promise.all(seats.map((seat) => ended(program().bookings.create({ ...wanted, ...seat }))));
    const made = stage.bookingsOf(wanted.invitee_email).map(({ id }) => id);
    expect([posts(), made.length]).toEqual([3, 2]);
    expect(told.sort()).toEqual([...made, 'unknownOutcome'].sort());
  });

  it('share one booking if they are identical', async () => {
    const { wanted } = stage;
    const first = ended(program().bookings.create(wanted));
    // It is on record from before it is sent.
    while ((await readdir(folder).catch(() => [])).every((name) => !name.endsWith('.json'))) await new Promise(setImmediate);
    const told = await Promise.all([first, ended(program().bookings.create(wanted)), ended(program().bookings.create(wanted))]);
    const made = stage.bookingsOf(wanted.invitee_email).map(({ id }) => id);
    expect([posts(), told]).toEqual([1, [made[0], made[0], made[0]]]);
    expect(await readdir(folder)).toEqual([]);
  });
});

it('a program that was halted between recording and sending sends nothing: somebody else may have sent it meanwhile', async () => {
  const { wanted } = stage;
  let ahead = 0;
  // As with a laptop that sleeps while the token is read.
  const auth = () => ((ahead = 10 * 60_000), stage.sandbox.issueToken().access_token);
  const halted = program(auth, { ...fastTime, now: () => Date.now() + ahead });
  await expect(halted.bookings.create(wanted)).rejects.toThrow('Nothing was sent: this program was paused');
  expect([posts(), await readdir(folder)]).toEqual([0, []]);
});
