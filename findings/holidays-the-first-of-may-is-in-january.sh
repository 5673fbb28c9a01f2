#!/usr/bin/env bash
# Package: holidays 0.105, which lists public holidays by country in Python (with python-dateutil 2.9.0.post0).
# The good guess: holidays.DE() knows the first of May as 01.05.2030, as everybody in Germany writes it, or refuses such text. The package
#   knows the country, and takes text as a key.
# What is seen: text is read with the month first in every country, unless the first number is greater than 12: 01.05.2030 is no holiday,
#   and 05.01.2030, the fifth of January, is Labor Day. 03.10.2030 (Unity Day) is none, and 25.12.2030 is one. It is the same with a slash
#   in France and Brazil. 2030-05-01 is right.
# Why it matters: a service that passes on the date from a form closes in January and takes bookings for the first of May. A test with
#   Christmas or the 31st passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 holidays==0.105 python-dateutil==2.9.0.post0 > pip.log 2>&1
cat > days.py <<'END'
from datetime import date
import holidays

for country, form in [('DE', '%d.%m.%Y'), ('FR', '%d/%m/%Y'), ('BR', '%d/%m/%Y')]:
    known = holidays.country_holidays(country, language='en_US')
    days = list(holidays.country_holidays(country, years=2030, language='en_US'))
    print(f'{country}: of {len(days)} holidays, {sum(day in known for day in days)} are known as dates, {sum(day.isoformat() in known for day in days)} as 2030-05-01, {sum(day.strftime(form) in known for day in days)} as {date(2030, 5, 1).strftime(form)}')
    for day in [date(2030, 5, 1), date(2030, 1, 5), date(2030, 12, 25)]:
        print(f'  {day.strftime(form)}: {known.get(day.strftime(form))}')
END
venv/bin/python days.py > seen
cat seen
cat > expected <<'END'
DE: of 9 holidays, 9 are known as dates, 9 as 2030-05-01, 6 as 01.05.2030
  01.05.2030: None
  05.01.2030: Labor Day
  25.12.2030: Christmas Day
FR: of 11 holidays, 11 are known as dates, 11 as 2030-05-01, 7 as 01/05/2030
  01/05/2030: None
  05/01/2030: Labor Day
  25/12/2030: Christmas Day
BR: of 10 holidays, 10 are known as dates, 10 as 2030-05-01, 6 as 01/05/2030
  01/05/2030: None
  05/01/2030: Worker's Day
  25/12/2030: Christmas Day
END
diff expected seen
