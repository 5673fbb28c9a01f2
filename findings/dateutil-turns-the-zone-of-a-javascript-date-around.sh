#!/usr/bin/env bash
# Packages: python-dateutil 2.9.0.post0, which reads dates in Python, compared with dateparser 1.4.3. Node.js writes the dates.
# The good guess: GMT+0300 means three hours ahead of Greenwich, as JavaScript writes it in every new Date().toString(), and as people write
#   GMT+3. One package reads it in one way.
# What is seen: dateutil's parser turns the sign around: GMT-0500 becomes +05:00. So a date from New York is ten hours early, and one from
#   Kolkata eleven hours late. UTC+3 and GMT+3 are turned around too, but an offset alone is right, and tz.gettz("GMT+3") of the same
#   package is three hours ahead. dateparser is right.
# Why it matters: a form or a webhook that puts a browser's date into text books a meeting in the night, for everybody outside Greenwich
#   time, and on a server in UTC every test passes. Send toISOString().
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 python-dateutil==2.9.0.post0 dateparser==1.4.3 > pip.log 2>&1
cat > write.cjs <<'END'
console.log(String(new Date('2030-01-31T14:00:00Z')));
END
cat > read.py <<'END'
import sys
from datetime import datetime, timezone
import dateparser
from dateutil import tz
from dateutil.parser import parse

def utc(date):
    return date.astimezone(timezone.utc).strftime('%a %H:%MZ')

for line in sys.stdin.read().splitlines():
    print(f'{line}: dateutil {utc(parse(line, fuzzy=True))}, dateparser {utc(dateparser.parse(line))}')
for text in ['31 Jan 2030 09:00 GMT+3', '31 Jan 2030 09:00 UTC+3', '31 Jan 2030 09:00 +0300']:
    print(f'{text}: dateutil {utc(parse(text))}, dateparser {utc(dateparser.parse(text))}')
print('tz.gettz:', tz.gettz('GMT+3').utcoffset(datetime(2030, 1, 31)))
END
for zone in UTC America/New_York Asia/Kolkata; do TZ=$zone node write.cjs; done > dates
venv/bin/python read.py < dates > seen
cat seen
cat > expected <<'END'
Thu Jan 31 2030 14:00:00 GMT+0000 (Coordinated Universal Time): dateutil Thu 14:00Z, dateparser Thu 14:00Z
Thu Jan 31 2030 09:00:00 GMT-0500 (Eastern Standard Time): dateutil Thu 04:00Z, dateparser Thu 14:00Z
Thu Jan 31 2030 19:30:00 GMT+0530 (India Standard Time): dateutil Fri 01:00Z, dateparser Thu 14:00Z
31 Jan 2030 09:00 GMT+3: dateutil Thu 12:00Z, dateparser Thu 06:00Z
31 Jan 2030 09:00 UTC+3: dateutil Thu 12:00Z, dateparser Thu 06:00Z
31 Jan 2030 09:00 +0300: dateutil Thu 06:00Z, dateparser Thu 06:00Z
tz.gettz: 3:00:00
END
diff expected seen
