#!/usr/bin/env bash
# Package: Babel 2.18.0, which writes and reads dates, times and numbers in the form of a language.
# The good guess: a time that format_time wrote is read by parse_time, in the same language, as the same time. 12:30 AM is half an hour
#   after midnight.
# What is seen: parse_time knows "PM" and no other word: 9:30 in the evening, as it is written in Taiwan, Greece, Mexico, Canada and Egypt,
#   comes back as 9:30 in the morning. Half past midnight (12:30 AM) becomes half past noon, and noon (12:00 PM) is an error. Languages with
#   24 hours are right.
# Why it matters: a guest in Athens who chooses 9:30 in the evening is booked for the morning, and everybody's noon is an error. "9:30 PM"
#   in English works, so a test passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --retries 1 babel==2.18.0 > pip.log 2>&1
cat > times.py <<'END'
from datetime import time
from babel.dates import format_time, parse_time

for locale in ['en_US', 'en_IN', 'de_DE', 'zh_TW', 'el_GR', 'es_MX', 'en_CA', 'ar_EG']:
    results = []
    for one in [time(9, 30), time(21, 30), time(0, 30), time(12, 0)]:
        text = format_time(one, 'short', locale=locale)
        try:
            read = parse_time(text, locale=locale).strftime('%H:%M')
        except Exception as error:
            read = type(error).__name__
        results.append(f'{one:%H:%M} "{text}" {read if read != one.strftime("%H:%M") else "is right"}')
    print(f'{locale}: ' + ', '.join(results))
END
venv/bin/python times.py > seen
cat seen
cat > expected <<'END'
en_US: 09:30 "9:30 AM" is right, 21:30 "9:30 PM" is right, 00:30 "12:30 AM" 12:30, 12:00 "12:00 PM" ValueError
en_IN: 09:30 "9:30 am" is right, 21:30 "9:30 pm" is right, 00:30 "12:30 am" 12:30, 12:00 "12:00 pm" ValueError
de_DE: 09:30 "09:30" is right, 21:30 "21:30" is right, 00:30 "00:30" is right, 12:00 "12:00" is right
zh_TW: 09:30 "上午9:30" is right, 21:30 "晚上9:30" 09:30, 00:30 "凌晨12:30" 12:30, 12:00 "中午12:00" is right
el_GR: 09:30 "9:30 π.μ." is right, 21:30 "9:30 μ.μ." 09:30, 00:30 "12:30 π.μ." 12:30, 12:00 "12:00 μ.μ." is right
es_MX: 09:30 "9:30 a.m." is right, 21:30 "9:30 p.m." 09:30, 00:30 "12:30 a.m." 12:30, 12:00 "12:00 p.m." is right
en_CA: 09:30 "9:30 a.m." is right, 21:30 "9:30 p.m." 09:30, 00:30 "12:30 a.m." 12:30, 12:00 "12:00 p.m." is right
ar_EG: 09:30 "9:30 ص" is right, 21:30 "9:30 م" 09:30, 00:30 "12:30 ص" 12:30, 12:00 "12:00 م" is right
END
diff expected seen
