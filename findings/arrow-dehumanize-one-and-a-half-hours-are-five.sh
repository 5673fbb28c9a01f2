#!/usr/bin/env bash
# Packages: arrow 1.4.0, whose dehumanize reads phrases such as "in 2 hours" (the counterpart of humanize), compared with dateparser 1.4.3.
# The good guess: "in 1.5 hours" is ninety minutes, or is rejected, as "tomorrow" is: a ValueError says that the phrase is not understood.
# What is seen: it looks for a phrase that it knows anywhere in the text: in "in 1.5 hours" that is "5 hours". "in half an hour" is an hour,
#   "in two hours and 15 minutes" is a quarter of an hour, and "in two weeks and a day" is one day. Whole numbers are right.
# Why it matters: an assistant or a bot that passes on "call me back in half an hour" or "move it by 1.5 hours" sets a wrong time without an
#   error, and everybody waits.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 arrow==1.4.0 dateparser==1.4.3 > pip.log 2>&1
cat > phrases.py <<'END'
import arrow
import dateparser

now = arrow.get('2030-01-31T09:00:00+00:00')
for phrase in ['in 2 hours', 'in 90 minutes', 'in 2 hours and 30 minutes', 'in 1.5 hours', 'in 0.5 hours', 'in half an hour', 'in an hour and a half', 'in two hours and 15 minutes', 'in two weeks and a day', 'tomorrow']:
    try:
        read = now.dehumanize(phrase).format('MM-DD HH:mm')
    except ValueError:
        read = 'refused'
    other = dateparser.parse(phrase, languages=['en'], settings={'RELATIVE_BASE': now.naive})
    print(f'{phrase}: arrow {read}, dateparser {other.strftime("%m-%d %H:%M") if other else "nothing"}')
END
venv/bin/python phrases.py > seen
cat seen
cat > expected <<'END'
in 2 hours: arrow 01-31 11:00, dateparser 01-31 11:00
in 90 minutes: arrow 01-31 10:30, dateparser 01-31 10:30
in 2 hours and 30 minutes: arrow 01-31 11:30, dateparser 01-31 11:30
in 1.5 hours: arrow 01-31 14:00, dateparser 01-31 10:30
in 0.5 hours: arrow 01-31 14:00, dateparser 01-31 09:30
in half an hour: arrow 01-31 10:00, dateparser nothing
in an hour and a half: arrow 01-31 10:00, dateparser nothing
in two hours and 15 minutes: arrow 01-31 09:15, dateparser 01-31 11:15
in two weeks and a day: arrow 02-01 09:00, dateparser 02-15 09:00
tomorrow: arrow refused, dateparser 02-01 09:00
END
diff expected seen
