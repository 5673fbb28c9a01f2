import { setTimeout as sleep } from 'node:timers/promises';

/** One complete call. */
export type Way = () => Promise<unknown>;

const callsOfARound = 64;
/**
 * The candidates take turns, so that other load on the machine affects all of them alike. The rounds of a minute stay below the service's
 * limit. Beyond it, calls would be held back, as they should be.
 */
const rounds = 15;
/** Beforehand, as many rounds that do not count: until then, an engine still interprets the path, and compiles it beside the calls. */
const warmUp = 15;
/** After this time, the service counts the earlier calls no longer. Milliseconds. */
const restMs = 61_000;
/** The slowest hundredth of one minute's calls are nine: a single pause of a process would decide about it. */
const minutes = 3;

async function latencies(way: Way, width: number): Promise<number[]> {
  const taken: number[] = [];
  const worker = async (): Promise<void> => {
    for (let call = 0; call < callsOfARound / width; call += 1) {
      const started = performance.now();
      await way();
      taken.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return taken;
}

/**
 * How long each call of each candidate took, in milliseconds.
 *
 * @param width calls at a time
 */
export async function inTurns<Name extends string>(ways: Record<Name, Way>, width: number): Promise<Record<Name, number[]>> {
  const names = Object.keys(ways) as Name[];
  const all = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < warmUp; round += 1) for (const name of names) await latencies(ways[name], width);
  for (let minute = 0; minute < minutes; minute += 1) {
    await sleep(restMs);
    // The servers have closed their idle connections: one more round opens them again.
    for (const name of names) await latencies(ways[name], width);
    for (let round = 1; round < rounds; round += 1) for (const name of names) all[name].push(...(await latencies(ways[name], width)));
  }
  return all;
}
