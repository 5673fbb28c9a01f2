import { createBooking } from '../../shared/operations/index.ts';
import { inParallel } from '../../n8n/adapter/pool.ts';
import { createClient } from '../../shared/client/client.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { accountLimiter } from '../../shared/client/limiter.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import type { ApiRequest, Clock, Transport } from '../../shared/client/ports.ts';
import { sentSample } from '../../shared/events.ts';
import { booking } from '../../shared/records/samples.ts';
import { LimitedAccount, limitKinds, VirtualTime } from '../../tools/rigs/virtualTime.ts';
import { rounded, type Line, type Row } from '../report.ts';

/** One of many bookings in one account, as the service sends it: a year of meetings. @param id any value that is unique among them */
export function bookingOf(index: number, id: string): Record<string, unknown> {
  const start = Date.parse('2029-07-02T07:00:00Z') + (index % 365) * 86_400_000 + (index % 19) * 1_800_000;
  return {
    ...sentSample({ record: 'booking', sample: booking }),
    id,
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 1_800_000).toISOString(),
    invitee_name: `Ada Lovelace the ${index}th`,
    invitee_email: `ada.${index}@example.com`,
  };
}

/** Books many items and returns how many failed. */
type Way = (items: number, transport: Transport, clock: Clock) => Promise<number>;

const baseUrl = 'https://service.example/api/v1';
/** How many items the n8n node works on at once. */
const width = 12;

const input = {
  event_type_id: 'evt_1',
  start_time: String(booking['start_time']),
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
};

/** How our n8n node does it: with its pool, limiter and retries. */
const ours: Way = async (items, transport, clock) => {
  const writes = new PendingWrites(memoryStore(() => clock.now(), ''));
  const client = createClient({ baseUrl, transport, clock, retryPolicy: backgroundPolicy, limiter: accountLimiter().for('bulk'), writes });
  await inParallel(Array.from({ length: items }), width, (_, index) =>
    createBooking.run(client, { ...input, invitee_email: `invitee-${index}@example.com` }, {}),
  );
  return 0;
};

const bare = (transport: Transport) => () => transport({ method: 'POST', url: `${baseUrl}/bookings`, headers: {}, body: input });

/** The HTTP Request node: every item at once, and what is refused is lost. */
const allAtOnce: Way = async (items, transport) => {
  const answers = await Promise.all(Array.from({ length: items }, bare(transport)));
  return answers.filter(({ status }) => status >= 400).length;
};

/** A loop that waits for each answer before it sends the next request. */
const oneByOne: Way = async (items, transport) => {
  let failed = 0;
  for (let item = 0; item < items; item += 1) if ((await bare(transport)()).status >= 400) failed += 1;
  return failed;
};

/** What most retry helpers do: send everything at once, and retry each request three times, after one, two and four seconds. */
const exponentially: Way = async (items, transport, clock) => {
  const carriedOut = await Promise.all(
    Array.from({ length: items }, async () => {
      for (const wait of [1_000, 2_000, 4_000, undefined]) {
        if ((await bare(transport)()).status < 400) return true;
        if (wait !== undefined) await clock.sleep(wait * (1 + clock.random() / 10));
      }
      return false;
    }),
  );
  return carriedOut.filter((isDone) => !isDone).length;
};

type Kind = (typeof limitKinds)[number];

const kindNames: Record<Kind, string> = { fixed: 'fixed window', sliding: 'sliding log', bucket: 'token bucket' };
const limitAMinute = 1_000;

interface Outcome {
  seconds: number;
  failed: number;
  /** Answers of 429, and their share of the requests that were carried out. */
  refused: number;
  refusedShare: number;
  /** Items a minute as a share of the limit. */
  share: number;
}

/** What was asked for, as it was asked for: the core takes no other booking for it. */
const answered = ({ body }: ApiRequest, number: number): object => ({ ...bookingOf(number, `bkg_${number}`), ...body });

/** So many items divided among processes that know nothing of each other, in virtual time. */
async function simulate(way: Way, kind: Kind, items: number, processes = 1, seed = 1): Promise<Outcome> {
  const time = new VirtualTime(seed);
  const account = new LimitedAccount(kind, time, answered);
  const started = time.now();
  const failures = await time.during(Promise.all(Array.from({ length: processes }, () => way(items / processes, account.transport, time))));
  const seconds = (time.now() - started) / 1000;
  return {
    seconds,
    failed: failures.reduce((all, each) => all + each, 0),
    refused: account.refused,
    refusedShare: account.refused / account.done,
    share: account.done / ((seconds / 60) * limitAMinute),
  };
}

const told = ({ seconds, failed, refused }: Outcome) => `${rounded(seconds)} s, ${rounded(failed)} failed, ${rounded(refused)} x 429`;

/** One process alone: as fast as the limit, and never refused. */
async function alone(kind: Kind): Promise<Line> {
  const outcome = await simulate(ours, kind, 5_000);
  return {
    what: `5,000 creates, ${kindNames[kind]}`,
    ours: told(outcome),
    against: '1,000 a minute',
    figure: outcome.share * 100,
    unit: '%',
    least: 98,
    also: ['0 failed, 0 x 429', outcome.failed === 0 && outcome.refused === 0],
  };
}

/** Several processes that share the account: the mean of several runs, because chance decides who meets the limit. */
async function together(kind: Kind, processes: number): Promise<Line> {
  const runs = await Promise.all([1, 2, 3, 4].map((seed) => simulate(ours, kind, 5_000, processes, seed)));
  const mean = (figure: (outcome: Outcome) => number) => runs.reduce((sum, outcome) => sum + figure(outcome), 0) / runs.length;
  const failed = mean((outcome) => outcome.failed);
  return {
    what: `5,000 creates, ${processes} processes, ${kindNames[kind]}`,
    ours: `${rounded(mean(({ seconds }) => seconds))} s, ${failed} failed`,
    against: `1,000 a minute: ${rounded(100 * mean(({ share }) => share))} %`,
    figure: 100 * mean(({ refusedShare }) => refusedShare),
    unit: '% x 429',
    most: 1.5,
    also: ['0 failed', failed === 0],
  };
}

async function peers(): Promise<Line[]> {
  const mine = await simulate(ours, 'fixed', 5_000);
  const lines: Line[] = [];
  for (const [name, way] of [
    ['HTTP Request node, all at once', allAtOnce],
    ['three retries, exponential', exponentially],
    ['loop, one by one', oneByOne],
  ] as const) {
    const theirs = await simulate(way, 'fixed', 5_000);
    const unit = `lost (there: ${rounded(theirs.failed)})`;
    const against = `${name}: ${told(theirs)}`;
    lines.push({ what: '5,000 creates: bookings lost', ours: told(mine), against, figure: mine.failed, unit, least: 0, most: 0 });
  }
  const few = await simulate(ours, 'fixed', 800);
  const loop = await simulate(oneByOne, 'fixed', 800);
  const faster = { figure: loop.seconds / few.seconds, unit: 'x', least: 10 };
  const against = `loop, one by one: ${told(loop)}`;
  return [...lines, { what: '800 creates: how much faster', ours: told(few), against, ...faster }];
}

export const bulk: Row = {
  name: 'bulk',
  title: 'Bulk work at the limit, in virtual time',
  async run() {
    const lines: Line[] = [];
    for (const kind of limitKinds) lines.push(await alone(kind));
    for (const kind of limitKinds) for (const processes of [2, 4]) lines.push(await together(kind, processes));
    return [...lines, ...(await peers())];
  },
};
