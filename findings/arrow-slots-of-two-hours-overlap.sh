#!/usr/bin/env bash
# Packages: arrow 1.4.0, which cuts a span of time into pieces (range, interval, shift), compared with pandas 3.0.6.
# The good guess: pieces of two hours follow each other and do not overlap; hourly steps through a night contain each hour once; an hour
#   after 01:30 is an hour later.
# What is seen: it adds on the clock. In spring the first piece is 00:00 to 04:00 and the second begins at 03:00, and both have that hour.
#   In autumn range leaves out the second hour at 01:00, and an hour after the first 01:30 is 02:30, two hours later. In UTC, and on other
#   days, all is right.
# Why it matters: a page that offers pieces of the night or a rota sells the same hour twice, and a price by the hour counts one too few.
#   Cut in UTC and convert then.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 arrow==1.4.0 pandas==3.0.6 tzdata==2026.4 > pip.log 2>&1
cat > pieces.py <<'END'
import arrow
import pandas

def at(day, clock):
    return arrow.get(f'2030-{day}T{clock}', tzinfo='America/New_York')

for day in ['03-09', '03-10', '11-03']:
    pieces = list(arrow.Arrow.interval('hour', at(day, '00:00'), at(day, '04:59'), 2))
    hours = [f'{start:HH:mmZ}-{end:HH:mmZ}' for start, end in pieces]
    twice = [f'{a[1]:HH:mm} > {b[0]:HH:mm}' for a, b in zip(pieces, pieces[1:]) if a[1] > b[0]]
    print(f'{day}: pieces {" ".join(hours)}{" overlap: " + " ".join(twice) if twice else ""}')
    print('  arrow: ', *[f'{one:HH:mmZ}' for one in arrow.Arrow.range('hour', at(day, '00:00'), at(day, '04:00'))])
    print('  pandas:', *[f'{one:%H:%M%z}' for one in pandas.date_range(f'2030-{day} 00:00', f'2030-{day} 04:00', freq='h', tz='America/New_York')])
first = at('11-03', '01:30')
print(f'an hour after {first:HH:mmZ}: {first.shift(hours=1):HH:mmZ}, {(first.shift(hours=1).to("UTC") - first.to("UTC"))} later')
END
PYTHONTZPATH="" venv/bin/python pieces.py > seen
cat seen
cat > expected <<'END'
03-09: pieces 00:00-0500-01:59-0500 02:00-0500-03:59-0500 04:00-0500-04:59-0500
  arrow:  00:00-0500 01:00-0500 02:00-0500 03:00-0500 04:00-0500
  pandas: 00:00-0500 01:00-0500 02:00-0500 03:00-0500 04:00-0500
03-10: pieces 00:00-0500-03:59-0400 03:00-0400-04:59-0400 overlap: 03:59 > 03:00
  arrow:  00:00-0500 01:00-0500 03:00-0400 04:00-0400
  pandas: 00:00-0500 01:00-0500 03:00-0400 04:00-0400
11-03: pieces 00:00-0400-01:59-0400 02:00-0500-03:59-0500 04:00-0500-04:59-0500
  arrow:  00:00-0400 01:00-0400 02:00-0500 03:00-0500 04:00-0500
  pandas: 00:00-0400 01:00-0400 01:00-0500 02:00-0500 03:00-0500 04:00-0500
an hour after 01:30-0400: 02:30-0500, 2:00:00 later
END
diff expected seen
