#!/usr/bin/env bash
# Package: pandas 3.0.6, whose read_json reads lists of records as services answer them.
# The good guess: in JSON, text in quotation marks is text, and a number is a number. A column becomes a date because of what is in it, or
#   because it was asked for.
# What is seen: text of digits becomes a number: the phone number +4915112345678 loses its plus, the postal code 01234 its zero, the ID 0042
#   is 42, and the room 1e3 is 1000.0. A longer ID is rounded as soon as one booking has none. And the name decides what is a date: the same
#   text is an instant under "start_at" or "date", and stays text under "start".
# Why it matters: a reminder goes to a number that does not exist, and a booking is not found, or another one is cancelled, by the ID that
#   the service itself has sent. Names and IDs with letters work. Pass dtype=False and convert_dates=False.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 pandas==3.0.6 > pip.log 2>&1
cat > records.py <<'END'
import io
import json
import pandas

first = {'id': '0042', 'long_id': '9007199254740993', 'phone': '+4915112345678', 'zip': '01234', 'room': '1e3', 'name': 'Ada', 'start': '2030-01-31T09:00:00Z', 'start_at': '2030-01-31T09:00:00Z', 'date': '2030-01-31'}
for name, records in [('one booking', [first]), ('a second without an ID', [first, {**first, 'long_id': None}])]:
    text = json.dumps(records)
    read = pandas.read_json(io.StringIO(text)).iloc[0]
    kept = pandas.read_json(io.StringIO(text), dtype=False, convert_dates=False).iloc[0]
    print(f'{name}: {sum(kept[key] == first[key] for key in first)} of {len(first)} are as sent with dtype=False, by default:')
    for key in first:
        if str(read[key]) != first[key]:
            print(f'  {key} {first[key]} is {int(read[key]) if key == "long_id" else read[key]}')
END
venv/bin/python -W ignore records.py > seen
cat seen
cat > expected <<'END'
one booking: 9 of 9 are as sent with dtype=False, by default:
  id 0042 is 42
  phone +4915112345678 is 4915112345678
  zip 01234 is 1234
  room 1e3 is 1000.0
  start_at 2030-01-31T09:00:00Z is 2030-01-31 09:00:00+00:00
  date 2030-01-31 is 2030-01-31 00:00:00
a second without an ID: 9 of 9 are as sent with dtype=False, by default:
  id 0042 is 42
  long_id 9007199254740993 is 9007199254740992
  phone +4915112345678 is 4915112345678
  zip 01234 is 1234
  room 1e3 is 1000.0
  start_at 2030-01-31T09:00:00Z is 2030-01-31 09:00:00+00:00
  date 2030-01-31 is 2030-01-31 00:00:00
END
diff expected seen
