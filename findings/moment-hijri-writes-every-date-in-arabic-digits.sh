#!/usr/bin/env bash
# Package: moment-hijri 3.0.0 (with moment 2.30.1), which adds the Islamic calendar to moment.
# The good guess: it adds formats such as iYYYY, and all other dates of the program stay as they are. Its documentation says to load the
#   Arabic locale and to set it "to use the Arabic locale".
# What is seen: loading it sets moment's global locale to ar-sa, for the whole program: format() of any date, in ISO form too, has Arabic
#   digits, which neither Date nor most services read. format('YYYY-MM-DD') as a key finds nothing. Dates before 1937 and after 2077 are
#   "NaN" in the new formats, and isValid says true. toISOString is right.
# Why it matters: one page for guests in Riyadh turns the times in all emails, links and API calls of the service into text that others
#   refuse. Call moment.locale('en') after it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts moment-hijri@3.0.0 moment@2.30.1 >> npm.log 2>&1
cat > dates.cjs <<'END'
const moment = require('moment');
const show = (says) => {
  const meeting = moment.utc('2030-01-15T09:00:00Z');
  const [iso, key] = [meeting.format(), meeting.format('YYYY-MM-DD')];
  const booked = new Map([['2030-01-15', 'a meeting']]);
  console.log(`${says}: locale ${moment.locale()}, ${iso}, ${meeting.format('dddd, h:mm A')}; toISOString ${meeting.toISOString()}`);
  console.log(`  read again by Date: ${new Date(iso)}; found by its day: ${booked.get(key) ?? 'nothing'}`);
};
show('before');
const hijri = require('moment-hijri');
show('after require');
moment.locale('en');
show("after moment.locale('en')");
for (const day of ['2030-01-15', '2077-01-15', '2078-01-15', '1936-01-15']) {
  const date = hijri(day);
  console.log(`${day}: ${date.format('iYYYY/iM/iD')}, valid ${date.isValid()}`);
}
END
TZ=UTC node dates.cjs > seen
cat seen
cat > expected <<'END'
before: locale en, 2030-01-15T09:00:00Z, Tuesday, 9:00 AM; toISOString 2030-01-15T09:00:00.000Z
  read again by Date: Tue Jan 15 2030 09:00:00 GMT+0000 (Coordinated Universal Time); found by its day: a meeting
after require: locale ar-sa, ٢٠٣٠-٠١-١٥T٠٩:٠٠:٠٠Z, الثلاثاء، ٩:٠٠ ص; toISOString 2030-01-15T09:00:00.000Z
  read again by Date: Invalid Date; found by its day: nothing
after moment.locale('en'): locale en, 2030-01-15T09:00:00Z, Tuesday, 9:00 AM; toISOString 2030-01-15T09:00:00.000Z
  read again by Date: Tue Jan 15 2030 09:00:00 GMT+0000 (Coordinated Universal Time); found by its day: a meeting
2030-01-15: 1451/9/11, valid true
2077-01-15: 1500/2/20, valid true
2078-01-15: 0NaN/NaN/NaN, valid true
1936-01-15: 1355/12/NaN, valid true
END
diff expected seen
