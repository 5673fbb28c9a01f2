import { createClient } from '../../shared/api/client.ts';
import { ServiceError } from '../../shared/api/errors.ts';
import { readBack, type Look } from '../../shared/api/readBack.ts';
import { patient, type Patience } from '../../shared/api/retry.ts';

const down = () => Promise.reject(new ServiceError('unreachable', { message: 'It could not be reached.', advice: 'Try again.' }));
const seen: Look<string> = { found: 'it', complete: true };
const notThere: Look<string> = { complete: true };
const notComparable: Look<string> = { complete: false };

/** Looks in turn, and when each was made by what was slept; `skew` sets the clock at every reading of it. */
async function looked(looks: readonly (Look<string> | 'down')[], patience: Partial<Patience> = {}, skew = 0, waitedMs = 0) {
  let slept = 0;
  let readings = 0;
  const at: number[] = [];
  const clock = { now: () => slept + skew * (readings += 1), sleep: async (milliseconds: number) => void (slept += milliseconds), random: () => 0 };
  const client = createClient({ baseUrl: 'https://service.example/api/v1', transport: down, clock, patience: { ...patient, ...patience } });
  const fate = await readBack(client, () => {
    const look = looks[at.length] ?? notThere;
    at.push(slept);
    return look === 'down' ? down() : Promise.resolve(look);
  }, waitedMs);
  return { fate, at };
}

it('ends with the first look that finds it', async () => {
  expect(await looked([notThere, seen])).toEqual({ fate: { found: 'it', isAbsent: false, isAnswered: true, waitedMs: 7000 }, at: [2000, 7000] });
});

it('knows that it is not there only from a whole look past the latest moment at which it can appear (G29)', async () => {
  expect(await looked([notThere, notThere, notThere])).toEqual({ fate: { isAbsent: true, isAnswered: true, waitedMs: 32_000 }, at: [2000, 7000, 32_000] });
  expect((await looked([notThere, notThere, notComparable])).fate).toMatchObject({ isAbsent: false, isAnswered: true });
  expect((await looked([notThere], { readBackMs: [30_000] })).fate.isAbsent).toBe(false);
  expect((await looked([notThere], { readBackMs: [30_001] })).fate.isAbsent).toBe(true);
});

it('a look that did not work takes back what an earlier one seemed to tell, and a later one makes up for it', async () => {
  expect((await looked([notThere, notThere], { readBackMs: [31_000, 32_000] })).fate.isAbsent).toBe(true);
  expect((await looked([notThere, 'down'], { readBackMs: [31_000, 32_000] })).fate).toMatchObject({ isAbsent: false, isAnswered: false });
  expect((await looked(['down', seen])).fate.found).toBe('it');
});

it('counts what was slept and not the clock, which somebody may set', async () => {
  for (const skew of [3_600_000, -3_600_000]) expect((await looked([notThere, notThere, notThere], {}, skew)).at).toEqual([2000, 7000, 32_000]);
});

it('looks no more where the platform leaves no time for the wait', async () => {
  expect(await looked([], { leftMs: () => 5000 })).toEqual({ fate: { isAbsent: false, isAnswered: true, waitedMs: 2000 }, at: [2000] });
  expect((await looked([], { leftMs: () => 5001 })).at).toEqual([2000, 7000]);
});

it('knows nothing where it could not look at all', async () => {
  expect(await looked([], { readBackMs: [] })).toEqual({ fate: { isAbsent: false, isAnswered: false, waitedMs: 0 }, at: [] });
  expect(await looked([], { leftMs: () => 0 })).toEqual({ fate: { isAbsent: false, isAnswered: false, waitedMs: 0 }, at: [] });
});

it('goes on where an earlier run of the step stopped: looks at once, then at the moments that are left', async () => {
  expect(await looked([notThere, notThere], {}, 0, 5000)).toEqual({ fate: { isAbsent: true, isAnswered: true, waitedMs: 32_000 }, at: [0, 2000, 27_000] });
  expect((await looked([], {}, 0, 7000)).at).toEqual([0, 25_000]);
  expect(await looked([notThere], {}, 0, 40_000)).toEqual({ fate: { isAbsent: true, isAnswered: true, waitedMs: 40_000 }, at: [0] });
});

it("lets the platform's own signal pass", async () => {
  const client = createClient({ baseUrl: 'https://service.example/api/v1', transport: down, clock: { now: () => 0, sleep: async () => undefined, random: () => 0 }, patience: patient });
  const signal = new Error('refresh the token');
  await expect(readBack(client, () => Promise.reject(signal))).rejects.toBe(signal);
});
