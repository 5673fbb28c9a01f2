import { deliveredEvents } from './suites/deliveries.ts';
import { headerForms, limiterKinds, underLimit } from './suites/limits.ts';
import { triggerPlatforms } from './operations.ts';

it.each(triggerPlatforms)(
  '%s starts one run for each event, however its deliveries are repeated, mixed up, replayed and signed',
  async (platform) => {
    const { posts, ...rest } = await deliveredEvents(platform, 1500, 1);
    expect(rest).toEqual({ events: 1500, lost: 0, duplicated: 0, wrongSecretTaken: 0, thrown: 0 });
    expect(posts).toBeGreaterThan(1700);
  },
  120_000,
);

describe.each(limiterKinds)('a limit that is counted as %s', (kind) => {
  it('is never reached by one process, and no request fails', async () => {
    expect(await underLimit({ kind, header: 'retry-after', processes: 1, requests: 2400, seed: 1 })).toMatchObject({
      done: 2400,
      failed: 0,
      refused: 0,
    });
  }, 120_000);

  it.each(headerForms.filter((form) => ['retry-after', 'none'].includes(form)))(
    'is kept by four processes that do not know of each other, with the wait given by %s: no request fails',
    async (header) => {
      const { done, failed, refused } = await underLimit({ kind, header, processes: 4, requests: 2400, seed: 1 });
      expect({ done, failed }).toEqual({ done: 2400, failed: 0 });
      expect(refused).toBeGreaterThan(0);
      expect(refused / 2400).toBeLessThan(0.1);
    },
    120_000,
  );
});
