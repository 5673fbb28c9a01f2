import { createClient } from '../../shared/client/client.ts';
import { accountLimiter, type Sender } from '../../shared/client/limiter.ts';
import { interactivePolicy, backgroundPolicy } from '../../shared/client/retry.ts';
import { getCurrentUser } from '../../shared/operations/index.ts';
import { LimitedAccount, limitKinds } from '../../tools/rigs/simulation/account.ts';
import { VirtualTime } from '../../tools/rigs/simulation/virtualTime.ts';

const MINUTES = 4;
const RUNS = 10;
/** Requests that one run sends at a time, like the node. */
const WIDTH = 12;

describe.each(limitKinds)('while ten bulk runs work in one process, and the limit is counted as %s', (kind) => {
  it('a click waits at most 5 seconds, nothing is refused, and bulk uses 95 % of the limit', async () => {
    const time = new VirtualTime(3);
    const end = time.now() + MINUTES * 60_500;
    const account = new LimitedAccount(kind, time);
    const limiter = accountLimiter();
    const ask = async (sender: Sender): Promise<number> => {
      const asked = time.now();
      const ports = {
        baseUrl: 'https://service.invalid/api/v1',
        transport: account.transport,
        clock: time,
        retryPolicy: sender === 'person' ? interactivePolicy : backgroundPolicy,
        limiter: limiter.for(sender),
      };
      await getCurrentUser.run(createClient(ports), {}, {});
      return time.now() - asked;
    };
    let bulk = 0;
    const worker = async () => {
      for (; time.now() < end; bulk += 1) await ask('bulk');
    };
    const waits: number[] = [];
    const clicks = async (sender: Sender, everyMs: number) => {
      for (await time.sleep(everyMs / 3); time.now() < end; await time.sleep(everyMs))
        waits.push(...(await Promise.all([ask(sender), ask(sender)])));
    };
    await time.during(Promise.all([clicks('person', 7_000), clicks('single', 4_000), ...Array.from({ length: RUNS * WIDTH }, worker)]));
    expect(waits.length).toBeGreaterThan(150);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
    expect(account.refused).toBe(0);
    expect((bulk + waits.length) / MINUTES).toBeGreaterThanOrEqual(950);
  });
});
