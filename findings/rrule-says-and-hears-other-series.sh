#!/usr/bin/env bash
# Package: rrule 2.8.1, which writes the rule of a recurring event as English text (toText) and creates a rule from text (fromText).
# The good guess: text that would leave out a part of the rule is not returned, or isFullyConvertibleToText says so; that is its purpose.
#   Text that is not understood is rejected, as "every first Monday" is.
# What is seen: "the last working day of the month" becomes "every month on weekdays", "the first Monday" becomes "every month on Monday",
#   9:30 becomes "at 9", and isFullyConvertibleToText is always true. In the other direction, "every weekend" is weekly on the weekday of
#   the start, "every day in July" is every day of the year, "except Sunday" is ignored, and "for 3 weeks" is three times.
# Why it matters: the text that a user confirms describes another series than the one stored, and a typed sentence creates one that blocks
#   time for good. "Every week on Thursday" is right in both directions. Show the next dates beside the text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts rrule@2.8.1 >> npm.log 2>&1
cat > words.cjs <<'END'
const { RRule } = require('rrule');
const start = 'DTSTART:20300107T090000Z\n';
const first = (rule) => RRule.fromString(start + rule).all((_, index) => index < 3).map((date) => date.toISOString().slice(2, 16)).join(' ');
for (const rule of ['FREQ=WEEKLY;BYDAY=TH', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1', 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=30', 'FREQ=HOURLY;INTERVAL=2;BYDAY=MO']) {
  const series = RRule.fromString(`RRULE:${rule}`);
  console.log(`${rule} (${first(`RRULE:${rule}`)}): "${series.toText()}", fully convertible: ${series.isFullyConvertibleToText()}`);
}
for (const words of ['every week on Thursday', 'every first Monday', 'every weekend', 'every day in July', 'every day except Sunday', 'every day for 3 weeks', 'every year on the 2nd Tuesday of March', 'every month on the 15th and the last Friday', 'every week on Monday at 9:30']) {
  try {
    const rule = RRule.fromText(words).toString();
    console.log(`"${words}": ${rule} (${first(rule)})`);
  } catch (error) {
    console.log(`"${words}": refused (${error.message})`);
  }
}
END
TZ=UTC node words.cjs > seen
cat seen
cat > expected <<'END'
FREQ=WEEKLY;BYDAY=TH (30-01-10T09:00 30-01-17T09:00 30-01-24T09:00): "every week on Thursday", fully convertible: true
FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1 (30-01-31T09:00 30-02-28T09:00 30-03-29T09:00): "every month on weekdays", fully convertible: true
FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1 (30-01-07T09:00 30-02-04T09:00 30-03-04T09:00): "every month on Monday", fully convertible: true
FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=30 (30-01-07T09:30 30-01-14T09:30 30-01-21T09:30): "every week on Monday at 9", fully convertible: true
FREQ=HOURLY;INTERVAL=2;BYDAY=MO (30-01-07T09:00 30-01-07T11:00 30-01-07T13:00): "every 2 hours", fully convertible: true
"every week on Thursday": RRULE:FREQ=WEEKLY;BYDAY=TH (30-01-10T09:00 30-01-17T09:00 30-01-24T09:00)
"every first Monday": refused (Unknown symbol)
"every weekend": RRULE:FREQ=WEEKLY (30-01-07T09:00 30-01-14T09:00 30-01-21T09:00)
"every day in July": RRULE:FREQ=DAILY (30-01-07T09:00 30-01-08T09:00 30-01-09T09:00)
"every day except Sunday": RRULE:FREQ=DAILY (30-01-07T09:00 30-01-08T09:00 30-01-09T09:00)
"every day for 3 weeks": RRULE:FREQ=DAILY;COUNT=3 (30-01-07T09:00 30-01-08T09:00 30-01-09T09:00)
"every year on the 2nd Tuesday of March": RRULE:FREQ=YEARLY;BYDAY=+2TU (30-01-08T09:00 31-01-14T09:00 32-01-13T09:00)
"every month on the 15th and the last Friday": RRULE:FREQ=MONTHLY;BYMONTHDAY=15 (30-01-15T09:00 30-02-15T09:00 30-03-15T09:00)
"every week on Monday at 9:30": RRULE:FREQ=WEEKLY;BYDAY=MO;BYHOUR=9 (30-01-07T09:00 30-01-14T09:00 30-01-21T09:00)
END
diff expected seen
