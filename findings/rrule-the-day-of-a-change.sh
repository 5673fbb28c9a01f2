#!/usr/bin/env bash
# Package: rrule 2.8.1, whose results are, as its documentation says, the clock of the machine dressed as UTC. They are read so here.
# The good guess: then each meeting of a series stands at its clock in its zone. A series in Tokyo, which has no summer time, has nothing to
#   do with the clocks of the machine.
# What is seen: on the day of a change, a meeting after it is an hour late in spring and an hour early in autumn: 08:00 in Los Angeles on a
#   server in UTC. And so on the day on which the machine's own clocks change: 09:00 in Tokyo on a laptop in Berlin.
# Why it matters: a daily or weekly hour stands an hour wrong on two days of the year, and on others on other machines. The further a zone
#   is from UTC, or from the machine, the more hours of that day are wrong, so tests with a zone near by pass.
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
