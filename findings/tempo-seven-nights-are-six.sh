#!/usr/bin/env bash
# Package: @formkit/tempo 1.1.0, compared with date-fns 4.4.0 and luxon 3.7.2.
# The good guess: addDay and diffDays of one library are each other's inverse: seven days later is a difference of seven days, even in the
#   week of a clock change. The other two count so, in calendar days.
# What is seen: addDay counts calendar days, and diffDays 24-hour periods, rounded down. Across the clock change in spring every difference
#   is a day short (7 nights are 6), and seven days are 0 weeks. In autumn it is right.
# Why it matters: for guests who stay across the clock change in March, seven nights are priced as six, one night as none, and "a day's
#   notice" is refused. All other dates work, and so does a machine in UTC.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @formkit/tempo@1.1.0 date-fns@4.4.0 luxon@3.7.2 >> npm.log 2>&1
cat > nights.mjs <<'END'
import { addDay, diffDays, diffWeeks } from '@formkit/tempo';
import { differenceInDays } from 'date-fns';
import { DateTime } from 'luxon';
for (const [name, from] of [
  ['in January', '2026-01-10'],
  ['in spring', '2026-03-07'],
  ['in autumn', '2026-10-31'],
])
  for (const nights of [1, 2, 7, 14]) {
    const arrives = new Date(`${from}T15:00`);
    const leaves = addDay(arrives, nights);
    const others = [differenceInDays(leaves, arrives), DateTime.fromJSDate(leaves).diff(DateTime.fromJSDate(arrives), 'days').days];
    console.log(`${name}, ${nights} nights: tempo ${diffDays(leaves, arrives)}, or ${diffWeeks(leaves, arrives)} weeks; date-fns ${others[0]}, luxon ${others[1]}`);
  }
END
TZ=America/New_York node nights.mjs > seen
cat seen
cat > expected <<'END'
in January, 1 nights: tempo 1, or 0 weeks; date-fns 1, luxon 1
in January, 2 nights: tempo 2, or 0 weeks; date-fns 2, luxon 2
in January, 7 nights: tempo 7, or 1 weeks; date-fns 7, luxon 7
in January, 14 nights: tempo 14, or 2 weeks; date-fns 14, luxon 14
in spring, 1 nights: tempo 0, or 0 weeks; date-fns 1, luxon 1
in spring, 2 nights: tempo 1, or 0 weeks; date-fns 2, luxon 2
in spring, 7 nights: tempo 6, or 0 weeks; date-fns 7, luxon 7
in spring, 14 nights: tempo 13, or 1 weeks; date-fns 14, luxon 14
in autumn, 1 nights: tempo 1, or 0 weeks; date-fns 1, luxon 1
in autumn, 2 nights: tempo 2, or 0 weeks; date-fns 2, luxon 2
in autumn, 7 nights: tempo 7, or 1 weeks; date-fns 7, luxon 7
in autumn, 14 nights: tempo 14, or 2 weeks; date-fns 14, luxon 14
END
diff expected seen
