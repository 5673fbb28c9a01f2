#!/usr/bin/env bash
# Packages: luxon 3.7.2, and temporal-polyfill 1.0.8, which writes and reads RFC 9557 times as the standard says.
# The good guess: a time with both offset and time zone, such as 2026-11-01T01:30:00-04:00[America/New_York], is the same instant for
#   everybody. Luxon uses the zone in brackets, so it uses the offset too.
# What is seen: if there is a zone, Luxon drops the offset, even Z, and reads the local time in that zone. 09:00:00Z[Europe/Berlin] is two
#   hours early in summer, and in a repeated hour it picks the wrong instant. 09:00:00-05:00[Europe/Berlin], which Temporal rejects as a
#   contradiction, silently becomes 08:00Z. With a calendar or "!" in brackets, which the same standard allows, the time is invalid.
# Why it matters: a start written by Temporal, the standard of the language, is hours off in an n8n expression.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts luxon@3.7.2 temporal-polyfill@1.0.8 >> npm.log 2>&1
cat > zoned.cjs <<'END'
const { DateTime, Settings } = require('luxon');
const { Temporal } = require('temporal-polyfill');
Settings.now = () => Date.UTC(2026, 0, 15);
const byTemporal = (text) => {
  try {
    return Temporal.ZonedDateTime.from(text).toInstant().toString();
  } catch {
    return 'refused';
  }
};
const byLuxon = (text) => DateTime.fromISO(text, { zone: 'utc' }).toISO({ suppressMilliseconds: true }) ?? 'not read';
const written = Temporal.Instant.from('2026-11-01T05:30:00Z').toZonedDateTimeISO('America/New_York').toString();
const texts = [
  written,
  '2030-07-31T09:00:00Z[Europe/Berlin]',
  '2030-01-31T09:00:00-05:00[Europe/Berlin]',
  '2030-07-31T09:00:00+02:00[Europe/Berlin]',
  '2030-07-31T09:00:00+02:00[Europe/Berlin][u-ca=gregory]',
  '2030-07-31T09:00:00+02:00[!Europe/Berlin]',
];
for (const text of texts) console.log(`${text}: Temporal ${byTemporal(text)}, Luxon ${byLuxon(text)}`);
END
TZ=UTC node zoned.cjs > seen
cat seen
cat > expected <<'END'
2026-11-01T01:30:00-04:00[America/New_York]: Temporal 2026-11-01T05:30:00Z, Luxon 2026-11-01T06:30:00Z
2030-07-31T09:00:00Z[Europe/Berlin]: Temporal 2030-07-31T09:00:00Z, Luxon 2030-07-31T07:00:00Z
2030-01-31T09:00:00-05:00[Europe/Berlin]: Temporal refused, Luxon 2030-01-31T08:00:00Z
2030-07-31T09:00:00+02:00[Europe/Berlin]: Temporal 2030-07-31T07:00:00Z, Luxon 2030-07-31T07:00:00Z
2030-07-31T09:00:00+02:00[Europe/Berlin][u-ca=gregory]: Temporal 2030-07-31T07:00:00Z, Luxon not read
2030-07-31T09:00:00+02:00[!Europe/Berlin]: Temporal 2030-07-31T07:00:00Z, Luxon not read
END
diff expected seen
