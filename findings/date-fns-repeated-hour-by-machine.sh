#!/usr/bin/env bash
# Packages: @date-fns/tz 1.5.0 (with date-fns 4.4.0) and date-fns-tz 3.2.0, compared with temporal-polyfill 1.0.8.
# The good guess: a local time in a named time zone does not depend on the zone of the machine, and two packages for the same library map a
#   skipped time to the same instant.
# What is seen: for 02:30 in Berlin's repeated hour, both packages return the first or the second instant depending on the machine's zone,
#   and they differ from each other on two of three machines. The skipped 02:30 becomes 03:30 in @date-fns/tz, and 01:30 in date-fns-tz.
# Why it matters: the start of a booking is one instant on a developer's machine and another on a server in UTC, only on the nights of the
#   clock change. Tests that run only in UTC cannot see it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts date-fns@4.4.0 @date-fns/tz@1.5.0 date-fns-tz@3.2.0 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > hours.cjs <<'END'
const { parseISO } = require('date-fns');
const { tz } = require('@date-fns/tz');
const { fromZonedTime } = require('date-fns-tz');
const { Temporal } = require('temporal-polyfill');
const zone = 'Europe/Berlin';
const clock = (instant) => new Date(Number(instant)).toISOString().slice(11, 16) + 'Z';
for (const [name, start] of [['twice', '2026-10-25T02:30'], ['skipped', '2026-03-29T02:30']]) {
  const read = {
    '@date-fns/tz': parseISO(start, { in: tz(zone) }),
    'date-fns-tz': fromZonedTime(start, zone),
    Temporal: Temporal.PlainDateTime.from(start).toZonedDateTime(zone).epochMilliseconds,
  };
  console.log(`02:30 in Berlin, ${name}, on a machine in ${process.env.TZ}: ${Object.entries(read).map(([by, instant]) => `${by} ${clock(instant)}`).join(', ')}`);
}
END
for machine in UTC Europe/Berlin America/New_York; do TZ=$machine node hours.cjs; done > seen
cat seen
cat > expected <<'END'
02:30 in Berlin, twice, on a machine in UTC: @date-fns/tz 01:30Z, date-fns-tz 01:30Z, Temporal 00:30Z
02:30 in Berlin, skipped, on a machine in UTC: @date-fns/tz 01:30Z, date-fns-tz 00:30Z, Temporal 01:30Z
02:30 in Berlin, twice, on a machine in Europe/Berlin: @date-fns/tz 00:30Z, date-fns-tz 01:30Z, Temporal 00:30Z
02:30 in Berlin, skipped, on a machine in Europe/Berlin: @date-fns/tz 01:30Z, date-fns-tz 00:30Z, Temporal 01:30Z
02:30 in Berlin, twice, on a machine in America/New_York: @date-fns/tz 01:30Z, date-fns-tz 00:30Z, Temporal 00:30Z
02:30 in Berlin, skipped, on a machine in America/New_York: @date-fns/tz 01:30Z, date-fns-tz 00:30Z, Temporal 01:30Z
END
diff expected seen
