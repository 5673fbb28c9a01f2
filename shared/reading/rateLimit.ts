// G16: how a 429 says when to retry. Seen: `X-RateLimit-Reset` since the epoch (GitHub), `RateLimit` (IETF draft), dates in `Retry-After`.

import { rateLimitHeaders } from '../assumptions.ts';
import { codeWords } from './errorBody.ts';

/** Headers that say when the rate limit's window ends. */
export const windowHeaders = /^(?:x-)?rate-?limit(?:-reset(?:-after)?|-retry-after)?$/;

/**
 * Seconds to wait according to a response's headers (G16): `Retry-After` in seconds or as a date, or else a header about the window, in
 * seconds from now or since the epoch; `undefined` if no header says it. Never negative.
 *
 * @param ownClock milliseconds since the epoch, used for dates if the response has no `Date`; `NaN` if unknown: dates are then ignored
 * @param withWindow whether headers about the window of the rate limit count too
 */
export function retryAfter(headers: Record<string, string>, ownClock: number, withWindow = true): number | undefined {
  const date = Date.parse(headers['date'] ?? '');
  const now = Number.isNaN(date) ? ownClock : date;
  const own = secondsFrom(headers[rateLimitHeaders.retryAfter] ?? '', now, false);
  const ofWindow = Object.entries(headers).map(([name, text]) =>
    withWindow && windowHeaders.test(name) ? secondsFrom(resetIn(name, text), now, true) : undefined,
  );
  const seconds = [own, ...ofWindow].find((value) => value !== undefined && !Number.isNaN(value));
  return seconds === undefined ? undefined : Math.max(seconds, 0);
}

/** Larger than any delay in seconds: such a number is a time since the epoch, in seconds or milliseconds. */
const epochSeconds = 1_000_000_000;

/** No window is this long (section 8), so a larger reset is in milliseconds. */
const millisecondsFrom = 1_000;

/** The reset in a header about the whole limit: `"default";r=0;t=30` or `limit=100, remaining=0, reset=30`. */
const resetPart = /[;,\s](?:t|reset)=(\d{1,15})/;
/** Marks a window without requests left. */
const isSpent = /[;\s]r=0\s*(?:;|$)/;

/** The time until the last of the used-up windows ends. */
function resetIn(name: string, text: string): string {
  if (!name.endsWith('limit')) return text;
  const spent = text.split(',').filter((window) => isSpent.test(window));
  const resets = spent.flatMap((window) => resetPart.exec(window)?.[1] ?? []);
  return resets.length > 0 ? String(Math.max(...resets.map(Number))) : (resetPart.exec(text)?.[1] ?? '');
}

function secondsFrom(text: string, now: number, isReset: boolean): number | undefined {
  const trimmed = text.trim();
  if (/^-?\d{1,15}(?:\.\d{1,6})?$/.test(trimmed)) {
    const value = Number(trimmed);
    if (value < epochSeconds) return isReset && value >= millisecondsFrom ? value / 1000 : value;
    return (value < epochSeconds * 1000 ? value * 1000 : value) / 1000 - now / 1000;
  }
  // `Date.parse` would read even "5, 5" as a date.
  const date = /[a-z]{3}|^\d{4}-\d{2}-\d{2}T/i.test(trimmed) ? Date.parse(trimmed.slice(0, 64)) : Number.NaN;
  return Number.isNaN(date) ? undefined : (date - now) / 1000;
}

/** Tests for the message or code of a 429 about the number of requests. */
const rateLimitAnswer = {
  saysNothing: /^(?:too many requests|429|rate_?limit(?:ed)?)$/i,
  names: /\b(?:throttl|(?:rate|requests?|calls?|attempts|too (?:fast|quickly)|slow down)\b)/i,
  /** Limits over a longer time, or on what is created. */
  otherLimit: /\b(?:hour|week|month|(?:da(?:y|ys|ily)|today|bookings?|event types?|slots?|invitees?|contacts?)\b)/i,
};

/**
 * Whether a 429 is about the rate of requests (section 8): by its words or, in another language, by a wait no longer than the window. Any
 * other, such as one about bookings per day, concerns only this operation.
 */
export function isAboutRate(code: string | undefined, words: string, seconds = Infinity): boolean {
  const said = [words, code ?? ''].find((text) => text !== '' && !rateLimitAnswer.saysNothing.test(text)) ?? '';
  const text = codeWords(said);
  const isShort = seconds <= rateLimitHeaders.windowSeconds;
  return text === '' || ((isShort || rateLimitAnswer.names.test(text)) && !rateLimitAnswer.otherLimit.test(text));
}
