#!/usr/bin/env bash
# Package: timezone-soft 1.5.2, which finds the time zone that a person means by "central time", "london" or "PST", for example in zone
#   pickers.
# The good guess: GMT+2 and UTC+2 mean the same to everybody who writes them: two hours ahead of Greenwich.
# What is seen: UTC+2 gives Etc/GMT-2, which is right: the sign in those names is inverted, as in POSIX (tz database, file "etcetera").
#   GMT+2 gives Etc/GMT+2, two hours behind, and other hours fail the same way. It is a valid name, so nothing rejects it.
# Why it matters: a person in Athens who types GMT+2 is called four hours late, one in Bogotá (GMT-5) ten hours early. UTC+2, or the name of
#   a city, works. Parse such input as a number before looking it up as a name.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts timezone-soft@1.5.2 >> npm.log 2>&1
cat > zones.mjs <<'END'
import soft from 'timezone-soft';
const offset = (zone) => new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(new Date('2030-01-31T12:00:00Z')).find(({ type }) => type === 'timeZoneName').value;
for (const words of ['UTC+2', 'GMT+2', 'UTC+10', 'GMT+10', 'UTC-5', 'GMT-5', 'athens', 'bogota']) {
  const [zone] = soft(words);
  console.log(`${words}: ${zone.iana}, which is ${offset(zone.iana)} in January 2030`);
}
END
node zones.mjs > seen
cat seen
cat > expected <<'END'
UTC+2: Etc/GMT-2, which is GMT+02:00 in January 2030
GMT+2: Etc/GMT+2, which is GMT-02:00 in January 2030
UTC+10: Etc/GMT-10, which is GMT+10:00 in January 2030
GMT+10: Etc/GMT+10, which is GMT-10:00 in January 2030
UTC-5: Etc/GMT+5, which is GMT-05:00 in January 2030
GMT-5: Etc/GMT-5, which is GMT+05:00 in January 2030
athens: Europe/Athens, which is GMT+02:00 in January 2030
bogota: America/Bogota, which is GMT-05:00 in January 2030
END
diff expected seen
