#!/usr/bin/env bash
# Package: ratelimit-header-parser 0.1.0, which reads how much is left of a limit, and until when, from the headers of an answer.
# The good guess: if the answer says nothing but Retry-After, the limit ends that many seconds from now, or at that date (RFC 9110, 10.2.3). How a
#   time of reset is meant is guessed by its content, as the page says.
# What is seen: Retry-After: 30 is thirty seconds after the beginning of 1970, and a date in it is an invalid one. A Unix time in milliseconds is in
#   the year 62054. The other forms are right.
# Why it matters: who waits until that time does not wait at all, and a program that was asked to slow down sends the next request at once, until it
#   is shut out; or it never sends again. Headers of reset are what people test with, and Retry-After beside a count is what some services send.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ratelimit-header-parser@0.1.0 >> npm.log 2>&1
cat > limits.mjs <<'END'
import { parseRateLimit } from 'ratelimit-header-parser';
const left = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0' };
for (const more of [
  { 'X-RateLimit-Reset': '30' },
  { 'X-RateLimit-Reset': '1896080400' },
  { 'X-RateLimit-Reset': '2030-01-31T09:00:00Z' },
  { 'X-RateLimit-Reset': '1896080400000' },
  { 'Retry-After': '30' },
  { 'Retry-After': 'Thu, 31 Jan 2030 09:00:00 GMT' },
]) {
  const { reset } = parseRateLimit(new Headers({ ...left, ...more }));
  const seconds = Math.round((reset - Date.now()) / 1000);
  const shown = Number.isNaN(seconds) ? 'no time' : Math.abs(seconds) < 60 ? `${seconds} seconds from now` : reset.toISOString();
  console.log(`${Object.entries(more)[0].join(': ')} is ${shown}`);
}
END
node limits.mjs > seen
cat seen
cat > expected <<'END'
X-RateLimit-Reset: 30 is 30 seconds from now
X-RateLimit-Reset: 1896080400 is 2030-01-31T09:00:00.000Z
X-RateLimit-Reset: 2030-01-31T09:00:00Z is 2030-01-31T09:00:00.000Z
X-RateLimit-Reset: 1896080400000 is +062054-05-25T00:00:00.000Z
Retry-After: 30 is 1970-01-01T00:00:30.000Z
Retry-After: Thu, 31 Jan 2030 09:00:00 GMT is no time
END
diff expected seen
