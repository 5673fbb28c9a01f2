#!/usr/bin/env bash
# Packages: python-dateutil 2.9.0.post0, with which Python repeats events (rrule), and rrule 2.8.1, which does the same in JavaScript.
# The good guess: str() of a rule is for storing it: its documentation calls the text "a string that would generate this RRULE if passed to
#   rrulestr". So the start keeps its zone (DTSTART;TZID=...), and the end stays in UTC, as RFC 5545 asks.
# What is seen: both zones are left out: DTSTART:20300107T200000 and UNTIL=20300122T010000, without a Z. Read back, a series at eight in the
#   evening in New York has no zone, and of a series in India, whose end is the instant of its last meeting, that meeting is lost.
# Why it matters: a series that was saved and loaded is at another hour for all: rrule in JavaScript takes the text for UTC, three in the
#   afternoon in New York. In a test without zones, or in UTC, nothing is seen.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts rrule@2.8.1 >> npm.log 2>&1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 python-dateutil==2.9.0.post0 tzdata==2026.4 > pip.log 2>&1
cat > write.py <<'END'
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo
from dateutil.rrule import WEEKLY, rrule, rrulestr

def show(dates):
    return ' '.join(f'{date:%a %d %b %H:%M}{"Z" if date.tzinfo else " (no zone)"}' for date in dates)

for zone, hour in [('America/New_York', 20), ('Asia/Kolkata', 9)]:
    start = datetime(2030, 1, 7, hour, tzinfo=ZoneInfo(zone))
    rule = rrule(WEEKLY, dtstart=start, until=(start + timedelta(days=14)).astimezone(timezone.utc))
    print(f'{zone}: given {show(date.astimezone(timezone.utc) for date in rule)}', file=sys.stderr)
    print(f'  dateutil {show(rrulestr(str(rule)))}', file=sys.stderr)
    print(str(rule).replace('\n', '\\n'))
END
cat > read.cjs <<'END'
const { rrulestr } = require('rrule');
for (const line of require('node:fs').readFileSync(0, 'utf8').trim().split('\n')) {
  console.log(line.replace('\\n', ' '));
  console.log(' ', ...rrulestr(line.replace('\\n', '\n')).all().map((date) => date.toUTCString().replace(/, (.*) 2030 (.....).*/, ' $1 $2Z')));
}
END
PYTHONTZPATH="" venv/bin/python write.py > rules 2> seen
node read.cjs < rules >> seen
cat seen
cat > expected <<'END'
America/New_York: given Tue 08 Jan 01:00Z Tue 15 Jan 01:00Z Tue 22 Jan 01:00Z
  dateutil Mon 07 Jan 20:00 (no zone) Mon 14 Jan 20:00 (no zone) Mon 21 Jan 20:00 (no zone)
Asia/Kolkata: given Mon 07 Jan 03:30Z Mon 14 Jan 03:30Z Mon 21 Jan 03:30Z
  dateutil Mon 07 Jan 09:00 (no zone) Mon 14 Jan 09:00 (no zone)
DTSTART:20300107T200000 RRULE:FREQ=WEEKLY;UNTIL=20300122T010000
  Mon 07 Jan 20:00Z Mon 14 Jan 20:00Z Mon 21 Jan 20:00Z
DTSTART:20300107T090000 RRULE:FREQ=WEEKLY;UNTIL=20300121T033000
  Mon 07 Jan 09:00Z Mon 14 Jan 09:00Z
END
diff expected seen
