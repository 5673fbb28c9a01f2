#!/usr/bin/env bash
# Package: liquidjs 10.30.1, which fills templates of emails and pages, and its filter "date" with a named time zone.
# The good guess: a named time zone does not depend on the machine's own: nine in Tokyo is nine in Tokyo, wherever the email is written.
# What is seen: in the hours around a clock change in the machine's zone, times or offsets in other zones are an hour off. Tokyo, which
#   never changes its clocks, first gets the offset +0800 and then the time 17:30 instead of 16:30. Berlin and New York are off as well, New
#   York with -0600, an offset it never has. On a machine in UTC all are correct.
# Why it matters: on the eve of the clock change, a server in California sends reminders with the wrong hour to guests in Japan and Europe.
#   On any other day, and in any test in UTC, they are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts liquidjs@10.30.1 >> npm.log 2>&1
cat > mails.cjs <<'END'
const { Liquid } = require('liquidjs');
console.log(`machine in ${process.env.TZ}`);
for (const instant of ['2030-01-31T00:00Z', '2030-03-10T00:00Z', '2030-03-10T07:30Z', '2030-03-10T12:00Z', '2030-11-03T00:00Z', '2030-11-03T06:30Z', '2030-11-03T12:00Z']) {
  const seen = ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York'].map((timezoneOffset) => {
    const text = new Liquid({ timezoneOffset }).parseAndRenderSync('{{ start | date: "%H:%M %z" }}', { start: instant });
    const right = new Date(instant).toLocaleTimeString('en-GB', { timeZone: timezoneOffset, hour: '2-digit', minute: '2-digit' });
    return `${timezoneOffset} ${text}${text.startsWith(right) ? '' : ` (it is ${right})`}`;
  });
  console.log(`  ${instant}: ${seen.join(', ')}`);
}
END
for zone in UTC America/Los_Angeles; do TZ=$zone node mails.cjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  2030-01-31T00:00Z: Asia/Tokyo 09:00 +0900, Europe/Berlin 01:00 +0100, America/New_York 19:00 -0500
  2030-03-10T00:00Z: Asia/Tokyo 09:00 +0900, Europe/Berlin 01:00 +0100, America/New_York 19:00 -0500
  2030-03-10T07:30Z: Asia/Tokyo 16:30 +0900, Europe/Berlin 08:30 +0100, America/New_York 03:30 -0400
  2030-03-10T12:00Z: Asia/Tokyo 21:00 +0900, Europe/Berlin 13:00 +0100, America/New_York 08:00 -0400
  2030-11-03T00:00Z: Asia/Tokyo 09:00 +0900, Europe/Berlin 01:00 +0100, America/New_York 20:00 -0400
  2030-11-03T06:30Z: Asia/Tokyo 15:30 +0900, Europe/Berlin 07:30 +0100, America/New_York 01:30 -0500
  2030-11-03T12:00Z: Asia/Tokyo 21:00 +0900, Europe/Berlin 13:00 +0100, America/New_York 07:00 -0500
machine in America/Los_Angeles
  2030-01-31T00:00Z: Asia/Tokyo 09:00 +0900, Europe/Berlin 01:00 +0100, America/New_York 19:00 -0500
  2030-03-10T00:00Z: Asia/Tokyo 09:00 +0800, Europe/Berlin 01:00 +0100, America/New_York 19:00 -0500
  2030-03-10T07:30Z: Asia/Tokyo 17:30 +0900 (it is 16:30), Europe/Berlin 09:30 +0100 (it is 08:30), America/New_York 04:30 -0400 (it is 03:30)
  2030-03-10T12:00Z: Asia/Tokyo 21:00 +0900, Europe/Berlin 13:00 +0100, America/New_York 08:00 -0400
  2030-11-03T00:00Z: Asia/Tokyo 09:00 +1000, Europe/Berlin 01:00 +0100, America/New_York 20:00 -0400
  2030-11-03T06:30Z: Asia/Tokyo 14:30 +0900 (it is 15:30), Europe/Berlin 06:30 +0100 (it is 07:30), America/New_York 00:30 -0600 (it is 01:30)
  2030-11-03T12:00Z: Asia/Tokyo 21:00 +0900, Europe/Berlin 13:00 +0100, America/New_York 07:00 -0500
END
diff expected seen
