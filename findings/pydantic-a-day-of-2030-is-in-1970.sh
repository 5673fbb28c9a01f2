#!/usr/bin/env bash
# Packages: pydantic 2.13.5, with which services and MCP servers in Python read their input, in FastAPI 0.142.2, compared with pendulum
#   3.2.0 and isodate 0.7.2.
# The good guess: 20300131, the short form of ISO 8601 and the form of calendar files, is 31 January 2030, or is refused. The schema says
#   format date-time, and text is no number.
# What is seen: text of digits is a number of seconds since 1970: 20300131 is 23 August 1970, and in a query ?since=20300131 too, where all
#   is text. 2030 is half an hour after midnight in 1970, and 203001311930 (a minute) is in 1976. 2030-01-31 is right, and a field for a
#   date alone refuses 20300131.
# Why it matters: "bookings since 31 January" are all bookings since 1970, and nothing says so. A reminder for that time is due at once.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 pydantic==2.13.5 fastapi==0.142.2 httpx==0.28.1 pendulum==3.2.0 isodate==0.7.2 > pip.log 2>&1
cat > dates.py <<'END'
from datetime import date, datetime
import isodate
import pendulum
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import TypeAdapter

app = FastAPI()

@app.get('/bookings')
def bookings(since: datetime):
    return since

client = TestClient(app)

def show(read, text):
    try:
        return str(read(text))
    except Exception:
        return 'refused'

for text in ['2030-01-31', '2030-01-31T19:30', '20300131', '20300131T1930', '203001311930', '2030']:
    print(f'{text}: datetime {show(TypeAdapter(datetime).validate_python, text)}, date {show(TypeAdapter(date).validate_python, text)}, pendulum {show(pendulum.parse, text)}, isodate {show(isodate.parse_date, text)}')
    print(f'  ?since={text}: {client.get("/bookings", params={"since": text}).text[:60]}')
END
venv/bin/python -W ignore dates.py > seen
cat seen
cat > expected <<'END'
2030-01-31: datetime 2030-01-31 00:00:00, date 2030-01-31, pendulum 2030-01-31 00:00:00+00:00, isodate 2030-01-31
  ?since=2030-01-31: "2030-01-31T00:00:00"
2030-01-31T19:30: datetime 2030-01-31 19:30:00, date refused, pendulum 2030-01-31 19:30:00+00:00, isodate refused
  ?since=2030-01-31T19:30: "2030-01-31T19:30:00"
20300131: datetime 1970-08-23 22:55:31+00:00, date refused, pendulum 2030-01-31 00:00:00+00:00, isodate 2030-01-31
  ?since=20300131: "1970-08-23T22:55:31+00:00"
20300131T1930: datetime refused, date refused, pendulum 2030-01-31 19:30:00+00:00, isodate refused
  ?since=20300131T1930: {"detail":[{"type":"datetime_from_date_parsing","loc":["quer
203001311930: datetime 1976-06-07 13:15:11.930000+00:00, date refused, pendulum refused, isodate refused
  ?since=203001311930: "1976-06-07T13:15:11.930000+00:00"
2030: datetime 1970-01-01 00:33:50+00:00, date refused, pendulum 2030-01-01 00:00:00+00:00, isodate 2030-01-01
  ?since=2030: "1970-01-01T00:33:50+00:00"
END
diff expected seen
