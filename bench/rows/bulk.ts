import { createBooking } from '../../shared/operations/index.ts';
import { inParallel } from '../../n8n/adapter/pool.ts';
import { createClient } from '../../shared/client/client.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { accountLimiter } from '../../shared/client/limiter.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import type { ApiRequest, Clock, Transport } from '../../shared/client/ports.ts';
import { sentSample } from '../../shared/events.ts';
import { booking } from '../../shared/records/samples.ts';
import { LimitedAccount, limitKinds, VirtualTime } from '../virtualTime.ts';
import { rounded, type Line, type Row } from '../report.ts';

/** One of many bookings in one account, as the service sends it: a year of meetings. @param id any value that is unique among them */
function bookingOf(index: number, id: string): Record<string, unknown> {
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

const baseUrl = 'https://service.example/api/v1';
/** How many items the n8n node works on at once. */
const width = 12;

const input = {
  event_type_id: 'evt_1',
  start_time: String(booking['start_time']),
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
};

/** How our n8n node books many items: with its pool, limiter and retries. One that fails ends the row. */
async function book(items: number, transport: Transport, clock: Clock): Promise<void> {
  const writes = new PendingWrites(memoryStore(() => clock.now(), ''));
  const client = createClient({ baseUrl, transport, clock, retryPolicy: backgroundPolicy, limiter: accountLimiter().for('bulk'), writes });
  await inParallel(Array.from({ length: items }), width, (_, index) =>
    createBooking.run(client, { ...input, invitee_email: `invitee-${index}@example.com` }, {}),
  );
}

type Kind = (typeof limitKinds)[number];

const kindNames: Record<Kind, string> = { fixed: 'fixed window', sliding: 'sliding log', bucket: 'token bucket' };
const limitAMinute = 1_000;

interface Outcome {
  seconds: number;
  /** Answers of 429, and their share of the requests that were carried out. What fails ends the row. */
  refused: number;
  refusedShare: number;
  /** Items a minute as a share of the limit. */
  share: number;
}

/** What was asked for, as it was asked for: the core takes no other booking for it. */
const answered = ({ body }: ApiRequest, number: number): object => ({ ...bookingOf(number, `bkg_${number}`), ...body });

/** 5,000 items divided among processes that know nothing of each other, in virtual time. */
async function simulate(kind: Kind, processes = 1, seed = 1): Promise<Outcome> {
  const time = new VirtualTime(seed);
  const account = new LimitedAccount(kind, time, answered);
  const started = time.now();
  await time.during(Promise.all(Array.from({ length: processes }, () => book(5_000 / processes, account.transport, time))));
  const seconds = (time.now() - started) / 1000;
  return {
    seconds,
    refused: account.refused,
    refusedShare: account.refused / account.done,
    share: account.done / ((seconds / 60) * limitAMinute),
  };
}

/** One process alone: as fast as the limit, and never refused. */
async function alone(kind: Kind): Promise<Line> {
  const outcome = await simulate(kind);
  return {
    what: `5,000 creates, ${kindNames[kind]}`,
    ours: `${rounded(outcome.seconds)} s, ${rounded(outcome.refused)} x 429`,
    against: '1,000 a minute',
    figure: outcome.share * 100,
    unit: '%',
    least: 98,
    also: ['0 x 429', outcome.refused === 0],
  };
}

/** Several processes that share the account: the mean of several runs, because chance decides who meets the limit. */
async function together(kind: Kind, processes: number): Promise<Line> {
  const runs = await Promise.all([1, 2, 3, 4].map((seed) => simulate(kind, processes, seed)));
  const mean = (figure: (outcome: Outcome) => number) => runs.reduce((sum, outcome) => sum + figure(outcome), 0) / runs.length;
  return {
    what: `5,000 creates, ${processes} processes, ${kindNames[kind]}`,
    ours: `${rounded(mean(({ seconds }) => seconds))} s`,
    against: `1,000 a minute: ${rounded(100 * mean(({ share }) => share))} %`,
    figure: 100 * mean(({ refusedShare }) => refusedShare),
    unit: '% x 429',
    most: 1.5,
  };
}

export const bulk: Row = {
  name: 'bulk',
  title: 'Bulk work at the limit, in virtual time',
  async run() {
    const lines: Line[] = [];
    for (const kind of limitKinds) lines.push(await alone(kind));
    for (const kind of limitKinds) for (const processes of [2, 4]) lines.push(await together(kind, processes));
    return lines;
  },
};
