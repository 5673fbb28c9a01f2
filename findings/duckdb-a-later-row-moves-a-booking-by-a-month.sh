#!/usr/bin/env bash
# Packages: duckdb 1.5.6, polars 1.44.2 and pandas 3.0.6, which read a file of bookings (CSV) and find out by themselves which columns are
#   dates.
# The good guess: a date in a row does not depend on the other rows. 04/05/2030, which is 5 April in the United States and 4 May elsewhere,
#   stays text, or the three agree.
# What is seen: for duckdb it is 4 May until the file has a row with 06/13/2030: then it is 5 April. For polars it is 4 May, and with that
#   row the column is text. For pandas it is 5 April, and with a row 13/06/2030 the column is text. None of them says anything.
# Why it matters: a report of last month's bookings, or a reminder made from an export, moves by a month on the day when somebody books
#   after the twelfth; in the first days of a month nobody notices. Give the format.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 duckdb==1.5.6 polars==1.44.2 pandas==3.0.6 > pip.log 2>&1
cat > files.py <<'END'
import duckdb
import pandas
import polars

for days in [['04/05/2030', '05/06/2030'], ['04/05/2030', '06/13/2030'], ['04/05/2030', '13/06/2030']]:
    with open('bookings.csv', 'w') as file:
        file.write('guest,day\n' + ''.join(f'{name},{day}\n' for name, day in zip(['Ada', 'Ben'], days)))
    read = {
        'duckdb': duckdb.sql("select day from 'bookings.csv'").fetchone()[0],
        'polars': polars.read_csv('bookings.csv', try_parse_dates=True)['day'][0],
        'pandas': pandas.read_csv('bookings.csv', parse_dates=['day'])['day'][0],
    }
    print(f'{days[0]} beside {days[1]}: ' + ', '.join(f'{name} {one if isinstance(one, str) else f"{one:%d %B}"}' for name, one in read.items()))
END
venv/bin/python -W ignore files.py > seen
cat seen
cat > expected <<'END'
04/05/2030 beside 05/06/2030: duckdb 04 May, polars 04 May, pandas 05 April
04/05/2030 beside 06/13/2030: duckdb 05 April, polars 04/05/2030, pandas 05 April
04/05/2030 beside 13/06/2030: duckdb 04 May, polars 04 May, pandas 04/05/2030
END
diff expected seen
