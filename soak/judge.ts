import type { Told } from './platforms/told.ts';

/**
 * The end of one run. The first three are as they should be:
 * - `done`: carried out once, and told so; `failed`: told as failed, and nothing happened;
 * - `unknown`: told as "may exist", with what to look for.
 *
 * The others are findings: `lost`: not there though told, or there though told as failed; `duplicated`: done more than
 * once; `hung`: no end; `untyped`: an end without a sentence that helps; `leaked`: another origin was sent something.
 */
export type End = 'done' | 'failed' | 'unknown' | 'lost' | 'duplicated' | 'hung' | 'untyped' | 'leaked';

export const findings: readonly End[] = ['lost', 'duplicated', 'hung', 'untyped', 'leaked'];

export interface Judgement {
  end: End;
  /** What was seen, for the one who reads a finding. */
  why: string;
}

interface Facts {
  /** How often the service has what was asked for. */
  times: number;
  /** Whether the value handed out is what the service has. */
  isRight: (value: unknown) => boolean;
  /** What a person needs to look for it; an "it may exist" has to say it. */
  key: readonly string[];
}

/** Compares what the service has with what the user was told. */
export function judge(told: Told, { times, isRight, key }: Facts): Judgement {
  if (times > 1) return { end: 'duplicated', why: `it was done ${times} times` };
  if (told.outcome === 'done') {
    if (times === 0) return { end: 'lost', why: 'told as done, and not there' };
    return isRight(told.value) ? { end: 'done', why: '' } : { end: 'lost', why: `another thing was handed out: ${JSON.stringify(told.value)?.slice(0, 300)}` };
  }
  if (told.defect !== undefined) return { end: 'untyped', why: `${told.defect}: ${told.words}` };
  if (told.isUnsure) {
    const missing = key.find((part) => !told.words.includes(part));
    return missing === undefined ? { end: 'unknown', why: told.words } : { end: 'untyped', why: `"${missing}" is not told: ${told.words}` };
  }
  // Refused because it is so already: nothing is left to do, and the words say so.
  if (times === 1 && / is cancelled already\./.test(told.words)) return { end: 'done', why: told.words };
  return times === 0 ? { end: 'failed', why: told.words } : { end: 'lost', why: `told as failed, and there: ${told.words}` };
}

/** A read: right, or refused with a sentence. */
export function judgeRead(told: Told, complaint: (value: unknown) => string | undefined): Judgement {
  if (told.outcome === 'failed') return told.defect === undefined ? { end: 'failed', why: told.words } : { end: 'untyped', why: `${told.defect}: ${told.words}` };
  const found = complaint(told.value);
  return found === undefined ? { end: 'done', why: '' } : { end: found.startsWith('twice') ? 'duplicated' : 'lost', why: found };
}
