#!/usr/bin/env bash
# Package: dateparser 1.4.3, whose search_dates finds dates in running text, such as an email. It is told that it is noon on Wednesday, 30
#   January 2030, that dates are in the future, and that the text is English.
# The good guess: "we" and "may" in an English sentence are no dates. One date with its hour is one hit.
# What is seen: "We" is next Wednesday and "may" is 30 May. They come first in the list. "Room 12, Friday 10 am" is 10 December, and "at 10
#   on Tuesday" is 30 October. The end of "from 9:00 to 10:30" on 5 February is a date of its own: tomorrow.
# Why it matters: an assistant that looks for the date of a meeting in "We would like to come on 5 February" books next Wednesday at
#   midnight. "The meeting is on 5 February" is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 dateparser==1.4.3 > pip.log 2>&1
cat > mails.py <<'END'
from datetime import datetime
from dateparser.search import search_dates

settings = {'RELATIVE_BASE': datetime(2030, 1, 30, 12), 'PREFER_DATES_FROM': 'future'}
for text in [
    'The meeting is on 5 February at 9:30.',
    'We would like to come on 5 February at 9:30.',
    'May we come on 5 February?',
    'I may be late on 5 February.',
    'Room 12, Friday 10 am',
    'at 10 on Tuesday',
    'Tuesday 5 February from 9:00 to 10:30',
]:
    found = search_dates(text, languages=['en'], settings=settings)
    print(f'{text}\n  ' + ('; '.join(f'"{words}" {date:%Y-%m-%d %H:%M}' for words, date in found) if found else 'nothing'))
END
venv/bin/python mails.py > seen
cat seen
cat > expected <<'END'
The meeting is on 5 February at 9:30.
  "on 5 February at 9:30" 2030-02-05 09:30
We would like to come on 5 February at 9:30.
  "We" 2030-02-06 00:00; "on 5 February at 9:30" 2030-02-05 09:30
May we come on 5 February?
  "May we" 2030-05-30 00:00; "on 5 February" 2030-02-05 00:00
I may be late on 5 February.
  "may" 2030-05-30 00:00; "on 5 February" 2030-02-05 00:00
Room 12, Friday 10 am
  "12, Friday 10 am" 2030-12-10 00:00
at 10 on Tuesday
  "at 10 on Tuesday" 2030-10-30 00:00
Tuesday 5 February from 9:00 to 10:30
  "Tuesday 5 February from 9:00" 2030-02-05 09:00; "10:30" 2030-01-31 10:30
END
diff expected seen
