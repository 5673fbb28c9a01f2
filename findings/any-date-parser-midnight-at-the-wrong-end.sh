#!/usr/bin/env bash
# Package: any-date-parser 2.2.4, which reads dates in many notations, compared with luxon 3.7.2 and date-fns 4.4.0.
# The good guess: 24:00 is the end of a day, as in ISO 8601 and in timetables, or it is refused.
# What is seen: any-date-parser reads 24:00 as the start of the same day, in both notations tested. 23:59 and 00:00 are right. luxon and
#   date-fns read 24:00 as the start of the next day, or refuse the notation that is not ISO 8601.
# Why it matters: an evening from 18:00 to 24:00 ends 18 hours before it begins, and blocks nothing. A deadline at 24:00 expires a day
#   early. Users who write 23:59 never see it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts any-date-parser@2.2.4 luxon@3.7.2 date-fns@4.4.0 >> npm.log 2>&1
cat > midnight.mjs <<'JS'
import parser from 'any-date-parser';
import { parseISO } from 'date-fns';
import { DateTime } from 'luxon';
const text = (date) => (Number.isNaN(date.getTime()) ? 'refuses it' : date.toISOString().slice(5, 16));
for (const time of ['2030-01-31T00:00', '2030-01-31T23:59', '2030-01-31T24:00', '31 January 2030 24:00'])
  console.log(`${time}: any-date-parser ${text(parser.fromString(time))}, luxon ${text(DateTime.fromISO(time).toJSDate())}, date-fns ${text(parseISO(time))}`);
JS
TZ=UTC node midnight.mjs > seen
cat seen
cat > expected <<'TXT'
2030-01-31T00:00: any-date-parser 01-31T00:00, luxon 01-31T00:00, date-fns 01-31T00:00
2030-01-31T23:59: any-date-parser 01-31T23:59, luxon 01-31T23:59, date-fns 01-31T23:59
2030-01-31T24:00: any-date-parser 01-31T00:00, luxon 02-01T00:00, date-fns 02-01T00:00
31 January 2030 24:00: any-date-parser 01-31T00:00, luxon refuses it, date-fns refuses it
TXT
diff expected seen
