#!/usr/bin/env bash
# Packages: APScheduler 3.11.3, which runs jobs at times, compared with croniter 6.2.4.
# The good guess: CronTrigger.from_crontab reads a standard crontab line, as it says: 1 is Monday, and 0 and 7 are Sunday. If a day of the
#   month and a day of the week are given, a match of either is enough (POSIX, crontab).
# What is seen: 1 is Tuesday and 0 Monday, so 1-5 is Tuesday to Saturday, and 7 is an error. (The function's documentation calls it a
#   historical mistake.) "the 1st, the 15th and every Monday" runs only where both match: four times in 2030. Names of days alone are right.
# Why it matters: a line that a host has tested with cron, or copied from a page that explains it, sends Monday's digest on Tuesday and
#   Friday's on Saturday, and a bill for twice a month and each Monday for months not at all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 apscheduler==3.11.3 croniter==6.2.4 tzdata==2026.4 > pip.log 2>&1
cat > days.py <<'END'
from datetime import datetime, timedelta, timezone
from apscheduler.triggers.cron import CronTrigger
from croniter import croniter

def scheduler(line, now):
    trigger, previous = CronTrigger.from_crontab(line, timezone=timezone.utc), None
    while True:
        previous = trigger.get_next_fire_time(previous, now)
        yield previous
        now = previous + timedelta(seconds=1)

def cron(line, now):
    dates = croniter(line, now)
    while True:
        yield dates.get_next(datetime)

def runs(read, line):
    try:
        dates = read(line, datetime(2030, 1, 1, tzinfo=timezone.utc))
        return ', '.join(f'{next(dates):%a %m-%d}' for _ in range(6))
    except ValueError as error:
        return type(error).__name__

for line in ['0 9 * * mon', '0 9 * * 1', '0 9 * * 1-5', '0 9 * * 0', '0 9 * * 7', '0 9 1,15 * 1', '0 9 1,15 * mon']:
    print(f'{line}\n  APScheduler: {runs(scheduler, line)}\n  croniter:    {runs(cron, line)}')
END
PYTHONTZPATH="" venv/bin/python days.py > seen
cat seen
cat > expected <<'END'
0 9 * * mon
  APScheduler: Mon 01-07, Mon 01-14, Mon 01-21, Mon 01-28, Mon 02-04, Mon 02-11
  croniter:    Mon 01-07, Mon 01-14, Mon 01-21, Mon 01-28, Mon 02-04, Mon 02-11
0 9 * * 1
  APScheduler: Tue 01-01, Tue 01-08, Tue 01-15, Tue 01-22, Tue 01-29, Tue 02-05
  croniter:    Mon 01-07, Mon 01-14, Mon 01-21, Mon 01-28, Mon 02-04, Mon 02-11
0 9 * * 1-5
  APScheduler: Tue 01-01, Wed 01-02, Thu 01-03, Fri 01-04, Sat 01-05, Tue 01-08
  croniter:    Tue 01-01, Wed 01-02, Thu 01-03, Fri 01-04, Mon 01-07, Tue 01-08
0 9 * * 0
  APScheduler: Mon 01-07, Mon 01-14, Mon 01-21, Mon 01-28, Mon 02-04, Mon 02-11
  croniter:    Sun 01-06, Sun 01-13, Sun 01-20, Sun 01-27, Sun 02-03, Sun 02-10
0 9 * * 7
  APScheduler: ValueError
  croniter:    Sun 01-06, Sun 01-13, Sun 01-20, Sun 01-27, Sun 02-03, Sun 02-10
0 9 1,15 * 1
  APScheduler: Tue 01-01, Tue 01-15, Tue 10-01, Tue 10-15, Tue 04-01, Tue 04-15
  croniter:    Tue 01-01, Mon 01-07, Mon 01-14, Tue 01-15, Mon 01-21, Mon 01-28
0 9 1,15 * mon
  APScheduler: Mon 04-01, Mon 04-15, Mon 07-01, Mon 07-15, Mon 09-01, Mon 09-15
  croniter:    Tue 01-01, Mon 01-07, Mon 01-14, Tue 01-15, Mon 01-21, Mon 01-28
END
diff expected seen
