import type { Told } from './application.ts';

/**
 * The outcome of one run. The first three are as they should be:
 * - `done`: carried out once, and reported as done; `failed`: reported as failed, and nothing happened;
 * - `unknown`: reported as "may exist", with what to look for.
 *
 * The others are findings: `lost`: it exists but was reported as failed, or is missing from a list; `invented`: reported as done but not
 * there; `stolen`: somebody else's record was mistaken for ours, or changed; `duplicated`: done more than once; `undelivered`: deliveries
 * cannot be verified; `hung`: did not end in time; `untyped`: ended without a
 * sentence that helps, or in doubt although nothing was doubtful; `worsened`: nothing went wrong, and a habit of the service alone cost a
 * second write, a wait or a failure; `leaked`: something was sent to another origin.
 */
export const findings = ['lost', 'invented', 'stolen', 'duplicated', 'undelivered', 'hung', 'untyped', 'worsened', 'leaked'] as const;

export type End = 'done' | 'failed' | 'unknown' | (typeof findings)[number];

export const isFindingEnd = (end: End): boolean => (findings as readonly End[]).includes(end);

/** How often each outcome came. */
export type Tally = Record<End, number>;

export const ends: readonly End[] = ['done', 'failed', 'unknown', ...findings];

export const noTally = (): Tally => Object.fromEntries(ends.map((end) => [end, 0])) as Tally;

export interface Judgement {
  end: End;
  /** What was seen, for the person who reads a finding. */
  why: string;
}

interface Facts {
  /** How often the service has what was asked for. */
  times: number;
  /** Whether the returned value is what the service has. */
  isRight: (value: unknown) => boolean;
  /** What a person needs in order to look for it. An "it may exist" has to say it. */
  key: readonly string[];
}

/** Compares what the service has with what the user was told. */
export function judge(told: Told, { times, isRight, key }: Facts): Judgement {
  const words = told.outcome === 'done' ? JSON.stringify(told.value)?.slice(0, 300) : told.words;
  if (times > 1) return { end: 'duplicated', why: `it was done ${times} times; told as ${told.outcome}: ${words}` };
  if (told.outcome === 'done') {
    if (times === 0) return { end: 'invented', why: `told as done, and not there: ${words}` };
    return isRight(told.value) ? { end: 'done', why: '' } : { end: 'stolen', why: `another thing was handed out: ${words}` };
  }
  if (told.defect !== undefined) return { end: 'untyped', why: `${told.defect}: ${told.words}` };
  if (told.isUnsure) {
    const missing = key.find((part) => !told.words.includes(part));
    return missing === undefined ? { end: 'unknown', why: told.words } : { end: 'untyped', why: `"${missing}" is not told: ${told.words}` };
  }
  return times === 0 ? { end: 'failed', why: told.words } : { end: 'lost', why: `told as failed, and there: ${told.words}` };
}

/** A read is right, or refused with a sentence. */
export function judgeRead(told: Told, complaint: (value: unknown) => string | undefined): Judgement {
  if (told.outcome === 'failed')
    return told.defect === undefined ? { end: 'failed', why: told.words } : { end: 'untyped', why: `${told.defect}: ${told.words}` };
  const found = complaint(told.value);
  return found === undefined ? { end: 'done', why: '' } : { end: found.startsWith('twice') ? 'duplicated' : 'lost', why: found };
}
