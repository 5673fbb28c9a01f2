import { inParallel } from '../n8n/adapter/pool.ts';
import { createClient } from '../shared/client/client.ts';
import { accountLimiter } from '../shared/client/limiter.ts';
import { backgroundPolicy } from '../shared/client/retry.ts';
import type { Clock, Transport } from '../shared/client/transport.ts';
import { cancelBooking, createBooking } from '../shared/operations/index.ts';
import { booking } from '../shared/records/samples.ts';

export type Job = 'create' | 'cancel';

/** Carries out many items in one job and returns how many failed. */
export type Way = (job: Job, items: number, transport: Transport, clock: Clock) => Promise<number>;

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
export const ours: Way = async (job, items, transport, clock) => {
  const client = createClient({ baseUrl, transport, clock, retryPolicy: backgroundPolicy, limiter: accountLimiter().for('bulk') });
  await inParallel(Array.from({ length: items }), width, (_, index) =>
    job === 'create'
      ? createBooking.run(client, { ...input, invitee_email: `invitee-${index}@example.com` }, {})
      : cancelBooking.run(client, { booking_id: `bkg_${index}` }, {}),
  );
  return 0;
};

const bare = (transport: Transport, job: Job) => () =>
  transport({
    method: 'POST',
    url: job === 'create' ? `${baseUrl}/bookings` : `${baseUrl}/bookings/bkg_1/cancel`,
    headers: {},
    body: job === 'create' ? input : {},
  });

/** The HTTP Request node: every item at once, and what is refused is lost. */
export const allAtOnce: Way = async (job, items, transport) => {
  const answers = await Promise.all(Array.from({ length: items }, bare(transport, job)));
  return answers.filter(({ status }) => status >= 400).length;
};

/** A loop that waits for each answer before it sends the next request. */
export const oneByOne: Way = async (job, items, transport) => {
  let failed = 0;
  for (let item = 0; item < items; item += 1) if ((await bare(transport, job)()).status >= 400) failed += 1;
  return failed;
};

/** What most retry helpers do: send everything at once, and retry each request three times, after one, two and four seconds. */
export const exponentially: Way = async (job, items, transport, clock) => {
  const carriedOut = await Promise.all(
    Array.from({ length: items }, async () => {
      for (const wait of [1_000, 2_000, 4_000, undefined]) {
        if ((await bare(transport, job)()).status < 400) return true;
        if (wait !== undefined) await clock.sleep(wait * (1 + clock.random() / 10));
      }
      return false;
    }),
  );
  return carriedOut.filter((isDone) => !isDone).length;
};
