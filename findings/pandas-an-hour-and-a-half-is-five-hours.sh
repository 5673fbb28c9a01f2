#!/usr/bin/env bash
# Packages: pandas 3.0.6, whose Timedelta reads durations, ISO 8601 among them, compared with isodate 0.7.2.
# The good guess: PT1.5H is an hour and a half and P0.5D half a day (ISO 8601), or they are rejected. P1M is a month, or is rejected,
#   because a Timedelta has no months: "1M" is rejected for that reason.
# What is seen: PT1.5H is five hours and a second, PT0.5H is five hours, PT0.25H is 25 hours, P0.5D is five days. P1M is one minute. "1,5h"
#   is fifteen hours. PT90M and PT1H30M are right.
# Why it matters: the lengths of events that a calendar or a JSON API writes as PT1.5H come out more than three times too long, so free
#   hours are shown as taken and paid by the hour. A reminder a month before (-P1M) comes a minute before.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 pandas==3.0.6 isodate==0.7.2 > pip.log 2>&1
cat > lengths.py <<'END'
import isodate
import pandas

def show(read, text):
    try:
        return str(read(text))
    except Exception as error:
        return type(error).__name__

for text in ['PT90M', 'PT1H30M', 'PT1.5H', 'PT0.5H', 'PT0.25H', 'P0.5D', 'P1M', '-P1M', 'P1Y', '1.5h', '1,5h', '1M']:
    print(f'{text}: pandas {show(pandas.Timedelta, text)}, isodate {show(isodate.parse_duration, text)}')
END
venv/bin/python -W ignore lengths.py > seen
cat seen
cat > expected <<'END'
PT90M: pandas 0 days 01:30:00, isodate 1:30:00
PT1H30M: pandas 0 days 01:30:00, isodate 1:30:00
PT1.5H: pandas 0 days 05:00:01, isodate 1:30:00
PT0.5H: pandas 0 days 05:00:00, isodate 0:30:00
PT0.25H: pandas 1 days 01:00:00, isodate 0:15:00
P0.5D: pandas 5 days 00:00:00, isodate 12:00:00
P1M: pandas 0 days 00:01:00, isodate 1 month, 0:00:00
-P1M: pandas -1 days +23:59:00, isodate -1 month, 0:00:00
P1Y: pandas ValueError, isodate 1 years, 0:00:00
1.5h: pandas 0 days 01:30:00, isodate ISO8601Error
1,5h: pandas 0 days 15:00:00, isodate ISO8601Error
1M: pandas ValueError, isodate ISO8601Error
END
diff expected seen
