#!/usr/bin/env bash
# Packages: ical.js 2.2.1, compared with rrule 2.8.1.
# The good guess: a recurrence rule means the same in two RFC 5545 libraries, and a part that one of them does not support is refused.
# What is seen: ical.js silently ignores parts of rules. BYSETPOS ("only the first of them") has no effect in weekly and daily rules. A
#   yearly rule for one week (BYWEEKNO=1) repeats every week. A yearly rule from 29 February falls on 1 March in other years, which the RFC
#   skips (as ical.js itself does for the 31st of a month).
# Why it matters: a calendar read this way is busy where it is free, or the reverse, and only for such recurring events.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical.js@2.2.1 rrule@2.8.1 >> npm.log 2>&1
cat > rules.mjs <<'END'
import ICAL from 'ical.js';
import rrule from 'rrule';
for (const [start, rule] of [
  ['20300131', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
  ['20300107', 'FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1'],
  ['20300107', 'FREQ=DAILY;BYHOUR=9,15;BYSETPOS=-1'],
  ['20301230', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO'],
  ['20280229', 'FREQ=YEARLY'],
  ['20300131', 'FREQ=MONTHLY'],
]) {
  const steps = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString(`${start.replace(/(....)(..)(..)/, '$1-$2-$3')}T09:00:00Z`));
  const one = Array.from({ length: 4 }, () => steps.next().toJSDate());
  const two = rrule.rrulestr(`DTSTART:${start}T090000Z\nRRULE:${rule};COUNT=4`).all();
  console.log(`${rule} from ${start}`);
  for (const [name, all] of Object.entries({ 'ical.js': one, rrule: two })) console.log(`  ${name}: ${all.map((date) => date.toISOString().slice(0, 13)).join(' ')}`);
}
END
TZ=UTC node rules.mjs > seen
cat seen
cat > expected <<'END'
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1 from 20300131
  ical.js: 2030-01-31T09 2030-02-28T09 2030-03-29T09 2030-04-30T09
  rrule: 2030-01-31T09 2030-02-28T09 2030-03-29T09 2030-04-30T09
FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1 from 20300107
  ical.js: 2030-01-07T09 2030-01-09T09 2030-01-11T09 2030-01-14T09
  rrule: 2030-01-07T09 2030-01-14T09 2030-01-21T09 2030-01-28T09
FREQ=DAILY;BYHOUR=9,15;BYSETPOS=-1 from 20300107
  ical.js: 2030-01-07T09 2030-01-07T15 2030-01-08T09 2030-01-08T15
  rrule: 2030-01-07T15 2030-01-08T15 2030-01-09T15 2030-01-10T15
FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO from 20301230
  ical.js: 2031-01-06T09 2031-01-13T09 2031-01-20T09 2031-01-27T09
  rrule: 2030-12-30T09 2031-12-29T09 2033-01-03T09 2034-01-02T09
FREQ=YEARLY from 20280229
  ical.js: 2028-02-29T09 2029-03-01T09 2030-03-01T09 2031-03-01T09
  rrule: 2028-02-29T09 2032-02-29T09 2036-02-29T09 2040-02-29T09
FREQ=MONTHLY from 20300131
  ical.js: 2030-01-31T09 2030-03-31T09 2030-05-31T09 2030-07-31T09
  rrule: 2030-01-31T09 2030-03-31T09 2030-05-31T09 2030-07-31T09
END
diff expected seen
