#!/usr/bin/env bash
# Packages: Babel 2.18.0 and humanize 4.16.0, which write lengths of time as words in Python, compared with arrow 1.4.0 and pendulum 3.2.0.
# The good guess: the length of a meeting is rounded, if at all, so that an hour and a half is not the same as two hours, or its text says
#   "about".
# What is seen: format_timedelta of Babel writes "2 hours" for each length from 90 to 150 minutes, "1 day" for 20 hours and 24 minutes, and
#   "1 week" for six days. humanize writes "2 hours" for 90 minutes and "an hour" for 89. arrow has "an hour" for 90, and pendulum alone has
#   both parts. In the other languages of Babel it is the same.
# Why it matters: an invitation in which the length is words says two hours for a meeting of ninety minutes, and guests block or pay half an
#   hour too much; "1 week" is said six days before. Lengths of 30, 45 and 60 minutes are right, so a test passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 babel==2.18.0 humanize==4.16.0 arrow==1.4.0 pendulum==3.2.0 > pip.log 2>&1
cat > lengths.py <<'END'
from datetime import timedelta
import arrow
import humanize
import pendulum
from babel.dates import format_timedelta

now = arrow.get('2030-01-31T09:00Z')
for length in [timedelta(minutes=45), timedelta(minutes=50), timedelta(minutes=51), timedelta(minutes=89), timedelta(minutes=90), timedelta(minutes=150), timedelta(hours=20, minutes=24), timedelta(days=6), timedelta(days=10), timedelta(days=26)]:
    words = {
        'Babel': format_timedelta(length, locale='en'),
        'in German': format_timedelta(length, locale='de'),
        'humanize': humanize.naturaldelta(length),
        'arrow': now.shift(seconds=length.total_seconds()).humanize(now, only_distance=True),
        'pendulum': pendulum.duration(seconds=length.total_seconds()).in_words(locale='en'),
    }
    print(f'{length}: ' + ', '.join(f'{name} {text}' for name, text in words.items()))
END
venv/bin/python lengths.py > seen
cat seen
cat > expected <<'END'
0:45:00: Babel 45 minutes, in German 45 Minuten, humanize 45 minutes, arrow 45 minutes, pendulum 45 minutes
0:50:00: Babel 50 minutes, in German 50 Minuten, humanize 50 minutes, arrow 50 minutes, pendulum 50 minutes
0:51:00: Babel 1 hour, in German 1 Stunde, humanize 51 minutes, arrow 51 minutes, pendulum 51 minutes
1:29:00: Babel 1 hour, in German 1 Stunde, humanize an hour, arrow an hour, pendulum 1 hour 29 minutes
1:30:00: Babel 2 hours, in German 2 Stunden, humanize 2 hours, arrow an hour, pendulum 1 hour 30 minutes
2:30:00: Babel 2 hours, in German 2 Stunden, humanize 2 hours, arrow 2 hours, pendulum 2 hours 30 minutes
20:24:00: Babel 1 day, in German 1 Tag, humanize 20 hours, arrow 20 hours, pendulum 20 hours 24 minutes
6 days, 0:00:00: Babel 1 week, in German 1 Woche, humanize 6 days, arrow 6 days, pendulum 6 days
10 days, 0:00:00: Babel 1 week, in German 1 Woche, humanize 10 days, arrow a week, pendulum 1 week 3 days
26 days, 0:00:00: Babel 1 month, in German 1 Monat, humanize a month, arrow a month, pendulum 3 weeks 5 days
END
diff expected seen
