import { createClient } from '../../shared/client/client.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import { zapierStepPolicy } from '../../shared/client/retry.ts';
import { createBooking, runOperation } from '../../shared/operations/index.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { LimitedAccount, type limitKinds } from '../../tools/rigs/simulation/account.ts';
import { VirtualTime } from '../../tools/rigs/simulation/virtualTime.ts';
import { throttle } from '../../zapier/adapter/throttle.ts';
import { definition } from './definition.ts';

const rows = 1_000;
/** Zapier ends a step after 30 seconds, so the app ends it a little earlier. */
const stepMs = 28_000;

/**
 * A thousand rows that are replayed at once: each is a step that reads its event type and books, in a process of its own. With a throttle,
 * Zapier starts as many in a window as it says.
 */
async function replay(kind: (typeof limitKinds)[number], { window, limit }: { window: number; limit: number }) {
  const time = new VirtualTime(7);
  const account = new LimitedAccount(kind, time);
  const took: number[] = [];
  let held = 0;
  const step = async (_: unknown, row: number): Promise<void> => {
    await time.sleep(Math.floor(row / limit) * window * 1000);
    const begun = time.now();
    const client = createClient({
      baseUrl: 'https://scheduling.example/api/v1',
      clock: time,
      transport: account.transport,
      retryPolicy: { ...zapierStepPolicy, leftMs: () => begun + stepMs - time.now() },
      writes: new PendingWrites(memoryStore(() => time.now(), '')),
    });
    const fields = {
      event_type_id: 'evt_1',
      start_time: new Date(Date.parse('2031-01-01') + row * 3_600_000).toISOString(),
      invitee_name: 'Ada',
      invitee_email: `row-${row}@example.com`,
      question_responses: { company: 'Engines' },
    };
    await runOperation(client, createBooking, { fields }, { shape: 'presented' }).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.kind !== 'rateLimited') throw error;
      held += 1;
    });
    took.push(time.now() - begun);
  };
  await time.during(Promise.all(Array.from({ length: rows }, step)));
  return { held, refused: account.refused, done: account.done, longest: Math.max(...took) };
}

test.each(['fixed', 'sliding'] as const)(
  'a thousand rows at once wait at Zapier under a %s limit, and not within their steps',
  async (kind) => {
    const queued = await replay(kind, throttle);
    expect([queued.held, queued.longest < 2_000]).toEqual([0, true]);
    // Where the limit counts a sliding minute, the first requests of a window still meet the last ones of the window before.
    expect(queued.refused).toBeLessThan(kind === 'sliding' ? rows / 20 : 1);
    const atOnce = await replay(kind, { window: 0, limit: rows });
    expect([atOnce.held, atOnce.refused].map((count) => count > rows / 4)).toEqual([true, true]);
  },
);

test('every action and search has it, for each connection, and they share one count', async () => {
  const { creates, searches } = await definition();
  for (const { operation } of Object.values({ ...creates, ...searches })) expect(operation).toMatchObject({ throttle });
  expect(throttle).toMatchObject({ window: 60, scope: ['auth'] });
});
