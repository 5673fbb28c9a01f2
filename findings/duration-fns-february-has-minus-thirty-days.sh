#!/usr/bin/env bash
# Packages: duration-fns 3.0.2, which calculates with ISO 8601 durations, compared with temporal-polyfill 1.0.8.
# The good guess: from 31 January to 1 March is one month and one day. Adding the difference between two dates to the first (apply) gives
#   the second. A positive duration has no negative part, and normalize adds none.
# What is seen: it is two months minus 30 days, P2M-30D, which ISO 8601 does not allow; 30 days from 31 January are normalized to P2M-29D.
#   From 31 May to 30 June is P1M-1D, which leads to 29 June.
# Why it matters: the term of a contract, or what is left of a subscription, says "2 months" instead of one, and adding it back loses a day.
#   With a start on the 1st or the 15th, it is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts duration-fns@3.0.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > between.mjs <<'END'
import { apply, between, normalize, toString } from 'duration-fns';
import { Temporal } from 'temporal-polyfill';
const day = (time) => time.toISOString().slice(0, 10);
for (const [from, to] of [['2030-01-15', '2030-03-20'], ['2030-01-31', '2030-03-01'], ['2030-05-31', '2030-06-30'], ['2029-12-31', '2030-03-01']]) {
  const length = between(from, to);
  const other = Temporal.PlainDate.from(from).until(to, { largestUnit: 'year' });
  console.log(`${from} to ${to}: ${toString(length)}, which leads to ${day(apply(from, length))}; Temporal ${other}, to ${Temporal.PlainDate.from(from).add(other)}`);
}
for (const [days, from] of [[30, '2030-01-31'], [31, '2030-03-01'], [45, '2030-01-30']]) console.log(`${days} days from ${from}, normalized: ${toString(normalize({ days }, from))}`);
END
TZ=UTC node between.mjs > seen
cat seen
cat > expected <<'END'
2030-01-15 to 2030-03-20: P2M5D, which leads to 2030-03-20; Temporal P2M5D, to 2030-03-20
2030-01-31 to 2030-03-01: P2M-30D, which leads to 2030-03-01; Temporal P1M1D, to 2030-03-01
2030-05-31 to 2030-06-30: P1M-1D, which leads to 2030-06-29; Temporal P30D, to 2030-06-30
2029-12-31 to 2030-03-01: P1Y-9M-30D, which leads to 2030-03-01; Temporal P2M1D, to 2030-03-01
30 days from 2030-01-31, normalized: P2M-29D
31 days from 2030-03-01, normalized: P1M
45 days from 2030-01-30, normalized: P2M-14D
END
diff expected seen
