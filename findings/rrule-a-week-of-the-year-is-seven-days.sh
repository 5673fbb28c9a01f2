#!/usr/bin/env bash
# Packages: rrule 2.8.1, compared with rrule-temporal 2.2.8 and node-ical 0.27.2, which uses rrule-temporal to expand series (with
#   temporal-polyfill 1.0.8).
# The good guess: parts that a rule omits are taken from the first event (RFC 5545, 3.3.10: "FREQ=YEARLY;BYMONTH=1" has the day of DTSTART).
#   So a yearly rule for week 2 (BYWEEKNO) has the weekday of DTSTART, once a year, as one for January has its day.
# What is seen: rrule returns every day of the week, and counts each, so COUNT=4 ends after four days (8 to 11 January) instead of four
#   years. With BYDAY it is right, and so is BYMONTH. The other two return one day a year.
# Why it matters: a review every year on the Tuesday of week 2, given by its week, blocks several days for everybody and, with COUNT=4, none
#   in the next year, so that slot is offered and booked. Write BYDAY into the rule.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts rrule@2.8.1 rrule-temporal@2.2.8 node-ical@0.27.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > weeks.mjs <<'END'
import nodeIcal from 'node-ical';
import rrule from 'rrule';
import { RRuleTemporal } from 'rrule-temporal';
const day = (date) => date.toISOString().slice(0, 10);
const start = '20300108T090000Z';
const libraries = {
  rrule: (rule) => rrule.rrulestr(`DTSTART:${start}\nRRULE:${rule}`).all().map(day),
  'rrule-temporal': (rule) => new RRuleTemporal({ rruleString: `DTSTART:${start}\nRRULE:${rule}` }).all().map((at) => day(new Date(at.epochMilliseconds))),
  'node-ical': (rule) => {
    const event = ['BEGIN:VEVENT', 'UID:a@example.com', 'DTSTAMP:20300101T000000Z', `DTSTART:${start}`, 'DURATION:PT1H', `RRULE:${rule}`, 'END:VEVENT'];
    const file = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example.com//EN', ...event, 'END:VCALENDAR', ''].join('\r\n');
    const window = { from: new Date('2030-01-01T00:00:00Z'), to: new Date('2036-01-01T00:00:00Z') };
    return nodeIcal.expandRecurringEvent(nodeIcal.sync.parseICS(file)['a@example.com'], window).map(({ start: at }) => day(at));
  },
};
for (const rule of ['FREQ=YEARLY;BYMONTH=1;COUNT=4', 'FREQ=YEARLY;BYWEEKNO=2;BYDAY=TU;COUNT=4', 'FREQ=YEARLY;BYWEEKNO=2;COUNT=4', 'FREQ=YEARLY;BYWEEKNO=2,28;COUNT=4'])
  for (const [name, expand] of Object.entries(libraries)) console.log(`${rule}, from Tuesday the 8th of January 2030, ${name}: ${expand(rule).join(' ')}`);
END
node weeks.mjs > seen
cat seen
cat > expected <<'END'
FREQ=YEARLY;BYMONTH=1;COUNT=4, from Tuesday the 8th of January 2030, rrule: 2030-01-08 2031-01-08 2032-01-08 2033-01-08
FREQ=YEARLY;BYMONTH=1;COUNT=4, from Tuesday the 8th of January 2030, rrule-temporal: 2030-01-08 2031-01-08 2032-01-08 2033-01-08
FREQ=YEARLY;BYMONTH=1;COUNT=4, from Tuesday the 8th of January 2030, node-ical: 2030-01-08 2031-01-08 2032-01-08 2033-01-08
FREQ=YEARLY;BYWEEKNO=2;BYDAY=TU;COUNT=4, from Tuesday the 8th of January 2030, rrule: 2030-01-08 2031-01-07 2032-01-06 2033-01-11
FREQ=YEARLY;BYWEEKNO=2;BYDAY=TU;COUNT=4, from Tuesday the 8th of January 2030, rrule-temporal: 2030-01-08 2031-01-07 2032-01-06 2033-01-11
FREQ=YEARLY;BYWEEKNO=2;BYDAY=TU;COUNT=4, from Tuesday the 8th of January 2030, node-ical: 2030-01-08 2031-01-07 2032-01-06 2033-01-11
FREQ=YEARLY;BYWEEKNO=2;COUNT=4, from Tuesday the 8th of January 2030, rrule: 2030-01-08 2030-01-09 2030-01-10 2030-01-11
FREQ=YEARLY;BYWEEKNO=2;COUNT=4, from Tuesday the 8th of January 2030, rrule-temporal: 2030-01-08 2031-01-07 2032-01-06 2033-01-11
FREQ=YEARLY;BYWEEKNO=2;COUNT=4, from Tuesday the 8th of January 2030, node-ical: 2030-01-08 2031-01-07 2032-01-06 2033-01-11
FREQ=YEARLY;BYWEEKNO=2,28;COUNT=4, from Tuesday the 8th of January 2030, rrule: 2030-01-08 2030-01-09 2030-01-10 2030-01-11
FREQ=YEARLY;BYWEEKNO=2,28;COUNT=4, from Tuesday the 8th of January 2030, rrule-temporal: 2030-01-08 2030-07-09 2031-01-07 2031-07-08
FREQ=YEARLY;BYWEEKNO=2,28;COUNT=4, from Tuesday the 8th of January 2030, node-ical: 2030-01-08 2030-07-09 2031-01-07 2031-07-08
END
diff expected seen
