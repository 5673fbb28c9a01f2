#!/usr/bin/env bash
# Packages: @datasert/cronjs-matcher 1.4.0 (with @datasert/cronjs-parser 1.4.0), which lists the times of a cron line, compared with croner
#   11.0.1.
# The good guess: 5#5 is the fifth Friday of each month that has one.
# What is seen: a fifth weekday is left out if it is the 31st. 2030 has four fifth Fridays and four fifth Thursdays; the matcher finds three
#   and two. A fifth weekday on the 30th, the last day of a shorter month, is found. "The last Friday" (5L) and the fourth (5#4) are right.
# Why it matters: a market or payday on the fifth Friday is skipped in May without an error, although it took place in March, and will in
#   August.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @datasert/cronjs-matcher@1.4.0 @datasert/cronjs-parser@1.4.0 croner@11.0.1 >> npm.log 2>&1
cat > fifth.mjs <<'END'
import { createRequire } from 'node:module';
import { Cron } from 'croner';
const { getFutureMatches } = createRequire(import.meta.url)('@datasert/cronjs-matcher');
for (const day of ['1#5', '2#5', '3#5', '4#5', '5#5', '5#4', '5L']) {
  const line = `0 9 * * ${day}`;
  const found = getFutureMatches(line, { startAt: '2030-01-01T00:00:00Z', endAt: '2031-01-01T00:00:00Z', matchCount: 20 });
  const others = new Cron(line, { timezone: 'UTC' }).nextRuns(20, new Date('2030-01-01T00:00Z')).filter((time) => time.getUTCFullYear() === 2030);
  const missing = others.map((time) => time.toISOString().slice(0, 10)).filter((date) => !found.some((time) => time.startsWith(date)));
  console.log(`${day}: ${found.length} times, croner ${others.length}; missing ${missing.join(' ') || 'none'}`);
}
END
node fifth.mjs > seen
cat seen
cat > expected <<'END'
1#5: 4 times, croner 4; missing none
2#5: 4 times, croner 5; missing 2030-12-31
3#5: 3 times, croner 4; missing 2030-07-31
4#5: 2 times, croner 4; missing 2030-01-31 2030-10-31
5#5: 3 times, croner 4; missing 2030-05-31
5#4: 12 times, croner 12; missing none
5L: 12 times, croner 12; missing none
END
diff expected seen
