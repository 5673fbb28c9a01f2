import { shareTheLimit } from '../../bench/capacity/limit.ts';

describe.each(['fixed', 'sliding', 'bucket'] as const)('with a service that counts its 1,000 a minute by a %s window', (kind) => {
  test('one process alone is never refused, and a bulk run uses all that it does not leave to others', async () => {
    const { perMinute, lost, refused } = await shareTheLimit({ workers: 1, executions: 10, kind });
    expect({ lost, refused }).toEqual({ lost: 0, refused: 0 });
    // 20 of 1,000 nobody takes, for the clocks of two machines; 20 more are for persons and runs of one item.
    expect(perMinute).toBeGreaterThanOrEqual(950);
    expect(perMinute).toBeLessThanOrEqual(960);
  });

  test.each([
    { workers: 2, executions: 1, most: 0.03 },
    { workers: 3, executions: 1, most: 0.03 },
    { workers: 4, executions: 1, most: 0.03 },
    { workers: 3, executions: 10, most: 0.06 },
    { workers: 8, executions: 10, most: 0.2 },
  ])(
    '$workers processes, $executions at a time in each, none of which knows of the others, settle at the limit and lose no item',
    async ({ workers, executions, most }) => {
      const { perMinute, lost, refused } = await shareTheLimit({ workers, executions, kind });
      expect(lost).toBe(0);
      // By chance a few in a hundred stay unused where requests leave the count one by one.
      expect(perMinute).toBeGreaterThanOrEqual(930);
      // The bucket lets a little more through in a minute that begins with it half full.
      expect(perMinute).toBeLessThanOrEqual(1_030);
      expect(refused).toBeGreaterThan(0);
      expect(refused).toBeLessThan(most);
    },
  );
});

test('accounts do not share a limit: four of them get four times as much from the same workers', async () => {
  const { perMinute, lost } = await shareTheLimit({ workers: 3, executions: 1, accounts: 4, kind: 'bucket' });
  expect(lost).toBe(0);
  expect(perMinute).toBeGreaterThanOrEqual(3_900);
  expect(perMinute).toBeLessThanOrEqual(4_080);
});
