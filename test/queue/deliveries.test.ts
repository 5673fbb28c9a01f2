import { deliver, mostAMinute } from '../../bench/capacity/deliveries.ts';

const cost = { processorMs: 60, workerMs: 30 };

describe('deliveries in virtual time', () => {
  test('what a set-up can carry is bound by its processors or by its workers, whichever are fewer for their work', () => {
    expect(mostAMinute({ processors: 1, workers: 1, cost })).toBe(1_000);
    expect(mostAMinute({ processors: 4, workers: 1, cost })).toBe(2_000);
    expect(mostAMinute({ processors: 4, workers: 2, cost })).toBe(4_000);
  });

  test.each([
    { processors: 1, workers: 1, deliveriesAMinute: 700 },
    { processors: 4, workers: 2, deliveriesAMinute: 2_800 },
  ])(
    'at seven tenths of it ($processors processors, $workers workers) everything is executed at once and nothing is sent again',
    async (plant) => {
      const { perMinute, seconds, sentAgain } = await deliver({ ...plant, cost });
      expect(perMinute / plant.deliveriesAMinute).toBeCloseTo(1, 1);
      expect(seconds).toBeGreaterThan(0.09);
      expect(seconds).toBeLessThan(0.5);
      expect(sentAgain).toBe(0);
    },
  );

  test('where the workers are too few, what is taken waits for them, and nothing is sent again', async () => {
    const { perMinute, seconds, sentAgain } = await deliver({
      processors: 1,
      workers: 1,
      deliveriesAMinute: 900,
      cost: { processorMs: 30, workerMs: 100 },
    });
    expect(perMinute).toBeGreaterThan(570);
    expect(perMinute).toBeLessThan(630);
    expect(seconds).toBeGreaterThan(60);
    expect(sentAgain).toBe(0);
  });

  test('where the processors are too few, answers come too late, and what is sent again takes the place of what is new', async () => {
    const { perMinute, sentAgain } = await deliver({ processors: 1, workers: 1, deliveriesAMinute: 1_150, cost });
    expect(perMinute).toBeLessThan(600);
    expect(sentAgain).toBeGreaterThan(0.5);
  });
});
