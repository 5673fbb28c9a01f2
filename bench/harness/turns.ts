/** One call, to its end. */
export type Way = () => Promise<unknown>;

/** The ways take turns, so that whatever else the machine does falls on all alike. */
const rounds = 7;
/** All rounds together stay below what the service takes in a minute: beyond that calls are held back, as they should be. */
const callsOfARound = 64;
/** Before these are over, the engines of all processes are still compiling the way. */
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
 * How long each call of each way took, in milliseconds.
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
