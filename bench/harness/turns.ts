/** One complete call. */
export type Way = () => Promise<unknown>;

/** The candidates take turns, so that other load on the machine affects all of them alike. */
const rounds = 7;
/** All rounds together stay below the service's limit per minute. Beyond it, calls would be held back, as they should be. */
const callsOfARound = 64;
/** Enough rounds for the engines of all processes to compile the path. */
const warmUp = 8;

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
  for (let round = 0; round < rounds + warmUp; round += 1)
    for (const name of names) {
      const taken = await latencies(ways[name], width);
      if (round >= warmUp) all[name].push(...taken);
    }
  return all;
}
