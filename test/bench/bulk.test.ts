import { allAtOnce, exponentially, oneByOne, ours } from '../../bench/bulk/ways.ts';
import { simulate } from '../../bench/rows/bulk.ts';
import { LimitedAccount, limitKinds } from '../../tools/rigs/simulation/account.ts';
import { VirtualTime } from '../../tools/rigs/simulation/virtualTime.ts';

it('virtual time wakes sleepers in their order and takes none of the real time', async () => {
  const time = new VirtualTime(1);
  const woken: string[] = [];
  const nap = async (name: string, ms: number) => {
    await time.sleep(ms);
    woken.push(name);
  };
  const started = time.now();
  await time.during(Promise.all([nap('third', 3_600_000), nap('first', 10), nap('second', 10)]));
  expect(woken).toEqual(['first', 'second', 'third']);
  expect(time.now() - started).toBe(3_600_000);
});

it('work that fails in virtual time fails', async () => {
  const time = new VirtualTime(1);
  await expect(
    time.during(
      time.sleep(5).then(() => {
        throw new Error('lost');
      }),
    ),
  ).rejects.toThrow('lost');
});

it('work that waits for something other than a sleeper is reported, and not waited for', async () => {
  await expect(new VirtualTime(1).during(new Promise(() => undefined))).rejects.toThrow('Nobody sleeps');
});

it.each(limitKinds)('the modelled account (%s) carries out 1,000 at once and refuses the rest with the wait', async (kind) => {
  const time = new VirtualTime(1);
  const account = new LimitedAccount(kind, time);
  const failed = await time.during(allAtOnce('create', 1_010, account.transport, time));
  expect([account.done >= 1_000, failed, account.refused]).toEqual([true, 1_010 - account.done, 1_010 - account.done]);
});

it('only our way loses nothing and is never refused; the others behave as people know them', async () => {
  expect(await simulate(ours(), 'fixed', 'create', 1_200)).toMatchObject({ failed: 0, refused: 0 });
  expect((await simulate(allAtOnce, 'fixed', 'create', 1_200)).failed).toBe(200);
  expect((await simulate(exponentially, 'fixed', 'create', 1_200)).failed).toBe(200);
  expect(await simulate(oneByOne, 'fixed', 'create', 100)).toMatchObject({ failed: 0, refused: 0 });
});

it('two of our processes that know nothing of each other lose nothing either', async () => {
  expect(await simulate(ours(), 'sliding', 'cancel', 1_400, 2)).toMatchObject({ failed: 0 });
});
