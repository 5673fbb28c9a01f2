#!/usr/bin/env bash
# Package: Flask 3.1.3, with which services in Python answer JSON. Node.js reads the answer, as a browser would.
# The good guess: jsonify writes a day as 2030-01-31 and a time as ISO 8601, or refuses it. A time without a zone stays without one.
# What is seen: both become an instant in the form of an HTTP header: a day is "Thu, 31 Jan 2030 00:00:00 GMT", which in a browser in New
#   York is 30 January. A time without a zone, nine o'clock at the host's, gets GMT too, and is four in the morning in New York. A time with
#   an offset is right.
# Why it matters: each day off, birthday or deadline is a day early for everybody west of Greenwich, so the wrong day is closed. In Europe,
#   where midnight GMT is the same day, all looks fine.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 flask==3.1.3 > pip.log 2>&1
cat > answer.py <<'END'
from datetime import date, datetime, timedelta, timezone
from flask import Flask, jsonify

with Flask('host').app_context():
    print(jsonify(dayOff=date(2030, 1, 31), start=datetime(2030, 1, 31, 9), aware=datetime(2030, 1, 31, 9, tzinfo=timezone(timedelta(hours=-5)))).get_data(as_text=True), end='')
END
cat > browser.cjs <<'END'
const fields = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const show = ([name, text]) => `${name} ${new Date(text).toLocaleString('sv').slice(0, 16)}`;
console.log(`${process.env.TZ}: ${Object.entries(fields).map(show).join(', ')}`);
END
venv/bin/python answer.py > answer
cat answer > seen
for zone in UTC America/New_York Asia/Kolkata; do TZ=$zone node browser.cjs < answer >> seen; done
cat seen
cat > expected <<'END'
{"aware":"Thu, 31 Jan 2030 14:00:00 GMT","dayOff":"Thu, 31 Jan 2030 00:00:00 GMT","start":"Thu, 31 Jan 2030 09:00:00 GMT"}
UTC: aware 2030-01-31 14:00, dayOff 2030-01-31 00:00, start 2030-01-31 09:00
America/New_York: aware 2030-01-31 09:00, dayOff 2030-01-30 19:00, start 2030-01-31 04:00
Asia/Kolkata: aware 2030-01-31 19:30, dayOff 2030-01-31 05:30, start 2030-01-31 14:30
END
diff expected seen
