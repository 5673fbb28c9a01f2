#!/usr/bin/env bash
# Packages: SQLAlchemy 2.0.54, with which Python stores rows in databases, on SQLite, compared with peewee 4.5.1.
# The good guess: DateTime(timezone=True) stores an instant, as in PostgreSQL, or refuses what the database cannot hold. A filter by the
#   same instant finds the row.
# What is seen: the offset is cut off without a warning: 09:00+05:30 is stored as 09:00. It comes back without a zone, is not found by its
#   own instant (03:30Z), and comes after a booking that is later. peewee keeps the offset in the text, and compares as text: it does not
#   find it either.
# Why it matters: two bookings of one instant from two countries do not collide, so the hour is given twice, and a list is in the wrong
#   order. Where every time is in UTC, and so in most tests, all works; convert to UTC before storing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 sqlalchemy==2.0.54 peewee==4.5.1 tzdata==2026.4 > pip.log 2>&1
cat > rows.py <<'END'
from datetime import datetime, timezone
from zoneinfo import ZoneInfo
import peewee
from sqlalchemy import Column, DateTime, MetaData, String, Table, create_engine, select

kolkata = datetime(2030, 1, 31, 9, tzinfo=ZoneInfo('Asia/Kolkata'))
rows = [{'guest': 'Asha', 'start': kolkata}, {'guest': 'Ben', 'start': datetime(2030, 1, 31, 4, tzinfo=timezone.utc)}]

engine, metadata = create_engine('sqlite://'), MetaData()
bookings = Table('bookings', metadata, Column('guest', String), Column('start', DateTime(timezone=True)))
metadata.create_all(engine)
with engine.begin() as connection:
    connection.execute(bookings.insert(), rows)
    print('SQLAlchemy:', *[f'{row.guest} {row.start.isoformat()}' for row in connection.execute(select(bookings).order_by(bookings.c.start))])
    for zone in [kolkata.tzinfo, timezone.utc]:
        found = connection.execute(select(bookings.c.guest).where(bookings.c.start == kolkata.astimezone(zone))).scalars().all()
        print(f'  at {kolkata.astimezone(zone).isoformat()}: {found}')

database = peewee.SqliteDatabase(':memory:')

class Booking(peewee.Model):
    guest, start = peewee.CharField(), peewee.DateTimeField()

    class Meta:
        database = database

database.create_tables([Booking])
Booking.insert_many(rows).execute()
print('peewee:', *[f'{row.guest} {row.start.isoformat()}' for row in Booking.select().order_by(Booking.start)])
for zone in [kolkata.tzinfo, timezone.utc]:
    print(f'  at {kolkata.astimezone(zone).isoformat()}: {[row.guest for row in Booking.select().where(Booking.start == kolkata.astimezone(zone))]}')
END
PYTHONTZPATH="" venv/bin/python rows.py > seen
cat seen
cat > expected <<'END'
SQLAlchemy: Ben 2030-01-31T04:00:00 Asha 2030-01-31T09:00:00
  at 2030-01-31T09:00:00+05:30: ['Asha']
  at 2030-01-31T03:30:00+00:00: []
peewee: Ben 2030-01-31T04:00:00+00:00 Asha 2030-01-31T09:00:00+05:30
  at 2030-01-31T09:00:00+05:30: ['Asha']
  at 2030-01-31T03:30:00+00:00: []
END
diff expected seen
