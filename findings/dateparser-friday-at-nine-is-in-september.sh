#!/usr/bin/env bash
# Package: dateparser 1.4.3, which reads dates as people write them in Python. It is told that it is noon on Wednesday, 30 January 2030,
#   that dates are in the future, and that the text is English.
# The good guess: "Friday at 9" is the next Friday at nine o'clock, and "tomorrow at 9" tomorrow at nine, or the text is refused (None), as
#   "next Friday" and "half past nine" are.
# What is seen: an hour without am, pm or minutes is a month or is ignored: "Friday at 9" is Monday, 30 September, at midnight, and "Friday
#   at 13" was a Sunday two weeks ago. "tomorrow at 9" and "in 2 days at 9" are at noon, the hour of now. "at 0930" is in the year 930. "on
#   the 15th" was two weeks ago as well, though dates are to be in the future. With 9am or 9:00 all are right.
# Why it matters: a message to a booking bot makes a meeting eight months later, or at an hour that nobody said, and nothing asks back.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 dateparser==1.4.3 > pip.log 2>&1
cat > words.py <<'END'
from datetime import datetime
import dateparser

settings = {'RELATIVE_BASE': datetime(2030, 1, 30, 12), 'PREFER_DATES_FROM': 'future'}
for text in ['Friday at 9am', 'Friday at 9:00', 'Friday at 9', 'Friday at 13', 'tomorrow at 9:00', 'tomorrow at 9', 'in 2 days at 9', 'at 9', 'at 0930', 'on the 15th', 'next Friday', 'half past nine']:
    date = dateparser.parse(text, languages=['en'], settings=settings)
    print(f'{text}: {date and f"{date:%A} {date}"}')
END
venv/bin/python words.py > seen
cat seen
cat > expected <<'END'
Friday at 9am: Friday 2030-02-01 09:00:00
Friday at 9:00: Friday 2030-02-01 09:00:00
Friday at 9: Monday 2030-09-30 00:00:00
Friday at 13: Sunday 2030-01-13 00:00:00
tomorrow at 9:00: Thursday 2030-01-31 09:00:00
tomorrow at 9: Thursday 2030-01-31 12:00:00
in 2 days at 9: Friday 2030-02-01 12:00:00
at 9: Monday 2030-09-30 00:00:00
at 0930: Monday 0930-01-30 00:00:00
on the 15th: Tuesday 2030-01-15 00:00:00
next Friday: None
half past nine: None
END
diff expected seen
