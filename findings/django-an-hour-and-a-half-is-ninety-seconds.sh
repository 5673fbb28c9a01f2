#!/usr/bin/env bash
# Packages: Django 5.2.17, whose DurationField is for lengths in forms and models, compared with duckdb 1.5.6 and pydantic 2.13.5.
# The good guess: 1:30 in a field for a length is an hour and a half, as on a clock and in PostgreSQL, or is asked about. A number alone is
#   refused, or is in a unit that the form shows.
# What is seen: 1:30 is a minute and a half, and 90 is ninety seconds; "1 1:30" is a day, a minute and a half. There is no error, and the
#   form shows it as 00:01:30 the next time. 1:30:00 and PT1H30M are right. duckdb and pydantic take 01:30 for an hour and a half; 90 is
#   ninety seconds for duckdb, too.
# Why it matters: a host who types 1:30 or 90 as the length of a meeting offers a slot every ninety seconds, and each booking is over before
#   the guest has said hello. -0:15 as a reminder comes fifteen seconds before.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 django==5.2.17 duckdb==1.5.6 pydantic==2.13.5 > pip.log 2>&1
cat > lengths.py <<'END'
from datetime import timedelta
import django
import duckdb
from django.conf import settings
from django.forms import DurationField
from pydantic import TypeAdapter

settings.configure()
django.setup()

def show(read, text):
    try:
        length = read(text)
    except Exception:
        return 'refused'
    return f'-{-length}' if length < timedelta(0) else str(length)

def from_database(text):
    return duckdb.execute('select cast(? as interval)', [text]).fetchone()[0]

for text in ['1:30:00', 'PT1H30M', '01:30', '1:30', '90', '1 1:30', '-0:15']:
    print(f'{text}: Django {show(DurationField().clean, text)}, duckdb {show(from_database, text)}, pydantic {show(TypeAdapter(timedelta).validate_python, text)}')
field = DurationField()
print('Django shows 1:30 again as', field.prepare_value(field.clean('1:30')))
END
venv/bin/python lengths.py > seen
cat seen
cat > expected <<'END'
1:30:00: Django 1:30:00, duckdb 1:30:00, pydantic 1:30:00
PT1H30M: Django 1:30:00, duckdb refused, pydantic 1:30:00
01:30: Django 0:01:30, duckdb 1:30:00, pydantic 1:30:00
1:30: Django 0:01:30, duckdb 1:30:00, pydantic refused
90: Django 0:01:30, duckdb 0:01:30, pydantic refused
1 1:30: Django 1 day, 0:01:30, duckdb refused, pydantic refused
-0:15: Django -0:00:15, duckdb -0:15:00, pydantic refused
Django shows 1:30 again as 00:01:30
END
diff expected seen
