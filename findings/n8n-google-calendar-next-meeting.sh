#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Google Calendar node, which adds to each recurring event its next meeting, nextOccurrence (with
#   n8n-workflow 2.41.0, moment-timezone 0.5.48, rrule 2.8.1, luxon 3.7.2 and @n8n/utils 1.48.0, as it pins them).
# The good guess: the next occurrence is one that takes place: at its local time in its time zone, on its weekday, not one that was
#   cancelled, and on its date for an all-day event.
# What is seen: the rule is expanded in UTC. In summer, 09:00 in New York becomes 10:00; "Mondays at 20:00" is a Sunday. A cancelled
#   occurrence (EXDATE) is returned as the next. And an all-day series is counted from the end of its first event, so Monday's duty is on
#   Tuesday. In winter, within office hours, it is right.
# Why it matters: reminders and "you are free until" use this field. The wrong hour is shown next to the zone's name, and looks right. The
#   list of single events (option "All Occurrences") comes from Google and is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 rrule@2.8.1 luxon@3.7.2 @n8n/utils@1.48.0 >> npm.log 2>&1
cat > next.cjs <<'END'
const { addNextOccurrence } = require('./package/dist/nodes/Google/Calendar/GenericFunctions.js');
const timeZone = 'America/New_York';
const monday = (start, end, ...more) => ({ recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO', ...more], start: { dateTime: `2030-01-07T${start}:00-05:00`, timeZone }, end: { dateTime: `2030-01-07T${end}:00-05:00`, timeZone } });
const show = (date) => new Date(date).toLocaleString('en-GB', { timeZone, weekday: 'short', day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' });
for (const [name, now, series] of [
  ['Mondays at 09:00, in January', '2030-01-10', monday('09:00', '10:00')],
  ['Mondays at 09:00, in July', '2030-07-10', monday('09:00', '10:00')],
  ['Mondays at 20:00, in January', '2030-01-10', monday('20:00', '21:00')],
  ['Mondays at 09:00, without the 14th', '2030-01-10', monday('09:00', '10:00', 'EXDATE;TZID=America/New_York:20300114T090000')],
  ['Mondays, the whole day', '2030-01-10', { recurrence: ['RRULE:FREQ=WEEKLY'], start: { date: '2030-01-07' }, end: { date: '2030-01-08' } }],
]) {
  Date.now = () => Date.parse(`${now}T12:00:00Z`);
  const [{ nextOccurrence }] = addNextOccurrence([series]);
  const { dateTime } = nextOccurrence.start;
  console.log(`${name}: ${series.start.date ? `${dateTime.slice(0, 10)}, a ${new Date(dateTime).toUTCString().slice(0, 3)}` : show(dateTime)}`);
}
END
TZ=UTC node next.cjs > seen
cat seen
cat > expected <<'END'
Mondays at 09:00, in January: Mon 14 Jan, 09:00
Mondays at 09:00, in July: Mon 15 Jul, 10:00
Mondays at 20:00, in January: Sun 13 Jan, 20:00
Mondays at 09:00, without the 14th: Mon 14 Jan, 09:00
Mondays, the whole day: 2030-01-15, a Tue
END
diff expected seen
