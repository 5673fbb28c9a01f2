#!/usr/bin/env bash
# Packages: python-dateutil 2.9.0.post0, which has a table of time zones of its own, compared with zoneinfo of Python on tzdata 2026.4.
# The good guess: after "pip install --upgrade tzdata", all that runs in Python knows the new laws. A package with a table of its own uses
#   it only where it has been kept up.
# What is seen: where the machine has no zone files, as in a slim container, tz.gettz takes its own table of 2024, also beside the newest
#   tzdata. (TZPATHS is emptied here to be such a machine.) Vancouver, Edmonton, Asunción and Casablanca, whose laws have changed since, are
#   an hour off for half of the year.
# Why it matters: each winter's meetings in western Canada are an hour off in the container, and right on the laptop, which has zone files.
#   Other zones are right everywhere, so no test shows it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 python-dateutil==2.9.0.post0 tzdata==2026.4 > pip.log 2>&1
cat > zones.py <<'END'
from datetime import datetime, timezone
from zoneinfo import ZoneInfo
from dateutil import tz
from dateutil.zoneinfo import get_zonefile_instance

tz.tz.TZPATHS.clear()
print('its table is of', get_zonefile_instance().metadata['tzversion'])
for zone in ['America/Vancouver', 'America/Edmonton', 'America/Asuncion', 'Africa/Casablanca', 'America/New_York', 'Asia/Kolkata']:
    months = []
    for month in (1, 7):
        instant = datetime(2030, month, 15, 17, tzinfo=timezone.utc)
        ours, theirs = instant.astimezone(ZoneInfo(zone)), instant.astimezone(tz.gettz(zone))
        months.append(f'{instant:%B} {ours:%H:%M}' + ('' if ours.utcoffset() == theirs.utcoffset() else f', but {theirs:%H:%M} by dateutil'))
    print(f'{zone}: {"; ".join(months)}')
END
PYTHONTZPATH="" venv/bin/python zones.py > seen
cat seen
cat > expected <<'END'
its table is of 2024a
America/Vancouver: January 10:00, but 09:00 by dateutil; July 10:00
America/Edmonton: January 11:00, but 10:00 by dateutil; July 11:00
America/Asuncion: January 14:00; July 14:00, but 13:00 by dateutil
Africa/Casablanca: January 17:00; July 17:00, but 18:00 by dateutil
America/New_York: January 12:00; July 13:00
Asia/Kolkata: January 22:30; July 22:30
END
diff expected seen
