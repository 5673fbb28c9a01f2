#!/usr/bin/env bash
# Package: rrule 2.8.1. As its documentation says, its results are the machine's local time in the UTC fields of a Date, so this script
#   reads them that way.
# The good guess: then each event of a series has its local time in its zone. A series in Tokyo, which has no summer time, does not depend
#   on the machine's clock changes.
# What is seen: on the day of a clock change, an event after the change is an hour late in spring and an hour early in autumn: 08:00 in Los
#   Angeles is 09:00 and 07:00 on a server in UTC. The same happens on the days on which the machine's own clocks change: 09:00 in Tokyo is
#   10:00 and 08:00 on a laptop in Berlin.
# Why it matters: a daily or weekly event is an hour off on two days of the year, and on other days on other machines. The further a zone is
#   from UTC, or from the machine, the more hours of that day are wrong, so tests with a nearby zone pass.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts rrule@2.8.1 >> npm.log 2>&1
cat > day.cjs <<'END'
const { rrulestr } = require('rrule');
// As the documentation says: what is read by the getters of UTC is the clock of this machine.
const instant = (date) => new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes());
for (const [zone, start] of [
  ['America/Los_Angeles', '20300309T080000'],
  ['America/Los_Angeles', '20301102T080000'],
  ['Asia/Tokyo', '20300330T090000'],
  ['Asia/Tokyo', '20301026T090000'],
]) {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' });
  const all = rrulestr(`DTSTART;TZID=${zone}:${start}\nRRULE:FREQ=DAILY;COUNT=3`).all();
  console.log(`machine in ${process.env.TZ}, daily from ${start} in ${zone}: ${all.map((date) => clock.format(instant(date))).join(' | ')}`);
}
END
for machine in UTC Europe/Berlin; do TZ=$machine node day.cjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC, daily from 20300309T080000 in America/Los_Angeles: 09/03, 08:00 | 10/03, 09:00 | 11/03, 08:00
machine in UTC, daily from 20301102T080000 in America/Los_Angeles: 02/11, 08:00 | 03/11, 07:00 | 04/11, 08:00
machine in UTC, daily from 20300330T090000 in Asia/Tokyo: 30/03, 09:00 | 31/03, 09:00 | 01/04, 09:00
machine in UTC, daily from 20301026T090000 in Asia/Tokyo: 26/10, 09:00 | 27/10, 09:00 | 28/10, 09:00
machine in Europe/Berlin, daily from 20300309T080000 in America/Los_Angeles: 09/03, 08:00 | 10/03, 09:00 | 11/03, 08:00
machine in Europe/Berlin, daily from 20301102T080000 in America/Los_Angeles: 02/11, 08:00 | 03/11, 07:00 | 04/11, 08:00
machine in Europe/Berlin, daily from 20300330T090000 in Asia/Tokyo: 30/03, 09:00 | 31/03, 10:00 | 01/04, 09:00
machine in Europe/Berlin, daily from 20301026T090000 in Asia/Tokyo: 26/10, 09:00 | 27/10, 08:00 | 28/10, 09:00
END
diff expected seen
