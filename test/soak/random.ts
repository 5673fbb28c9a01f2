import { seeded } from '../../bench/virtualTime.ts';

/** Repeatable random numbers: the same seed gives the same run. */
export interface Chance {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from 0 up to, but not including, `below`. */
  below(below: number): number;
  happens(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
}

/** Starts from a mixed seed, so that neighbouring seeds have nothing in common. */
export function chance(seed: number): Chance {
  const next = seeded(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b));
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, happens: (probability) => next() < probability, pick: (from) => from[below(from.length)] ?? from[0] };
}

/** One seed made of several words: the fault, the operation, the platform and the number of a run. */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 2_166_136_261;
  for (const character of parts.join('\n')) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return hash;
}

/** Runs work while the process's own random numbers are these. */
export async function drawing<Result>({ next }: Chance, work: () => Promise<Result>): Promise<Result> {
  const { random } = Math;
  Math.random = next;
  try {
    return await work();
  } finally {
    Math.random = random;
  }
}
