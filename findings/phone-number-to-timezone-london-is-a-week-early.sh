#!/usr/bin/env bash
# Package: phone-number-to-timezone 1.0.8, which says what time it is for the owner of a phone number, here with a fixed clock, compared
#   with luxon 3.7.2.
# The good guess: the time of a number of London, Auckland or Tehran is what a clock there shows, and it does not depend on where the
#   program runs.
# What is seen: European clocks change on the fourth Sunday of March, which in 2030 is the 24th, a week before the last. New Zealand (+64)
#   has the time of the Chatham Islands, 45 minutes ahead, and Iran a summer time that ended in 2022. On a machine in India, the hour in
#   London is "12.5" and the text "12.5:30". New York and Tokyo, with the machine in UTC, are right.
# Why it matters: it decides whether a person may be called now. In the last week of March calls to Europe begin at 8 instead of 9, in three
#   years of seven. New Zealand hears a call three quarters of an hour early, and a machine in India writes no time at all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts phone-number-to-timezone@1.0.8 luxon@3.7.2 >> npm.log 2>&1
cat > calls.cjs <<'END'
const { DateTime } = require('luxon');
const now = Date.parse('2030-03-27T12:00Z');
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) {
    super(...(given.length > 0 ? given : [now]));
  }
  static now() {
    return now;
  }
};
const { getLocalInfo } = require('phone-number-to-timezone');
for (const [number, zone] of [
  ['+12125550123', 'America/New_York'],
  ['+81312345678', 'Asia/Tokyo'],
  ['+442071234567', 'Europe/London'],
  ['+4930123456', 'Europe/Berlin'],
  ['+6441234567', 'Pacific/Auckland'],
  ['+982112345678', 'Asia/Tehran'],
]) {
  const real = DateTime.fromMillis(now, { zone });
  console.log(`machine in ${process.env.TZ}, ${number} (${zone}): ${getLocalInfo(number).time.display} for ${real.toFormat('HH:mm')}`);
}
END
for zone in UTC Asia/Kolkata; do TZ=$zone node calls.cjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC, +12125550123 (America/New_York): 08:00 for 08:00
machine in UTC, +81312345678 (Asia/Tokyo): 21:00 for 21:00
machine in UTC, +442071234567 (Europe/London): 13:00 for 12:00
machine in UTC, +4930123456 (Europe/Berlin): 14:00 for 13:00
machine in UTC, +6441234567 (Pacific/Auckland): 01:45 for 01:00
machine in UTC, +982112345678 (Asia/Tehran): 16:30 for 15:30
machine in Asia/Kolkata, +12125550123 (America/New_York): 07.5:30 for 08:00
machine in Asia/Kolkata, +81312345678 (Asia/Tokyo): 20.5:30 for 21:00
machine in Asia/Kolkata, +442071234567 (Europe/London): 12.5:30 for 12:00
machine in Asia/Kolkata, +4930123456 (Europe/Berlin): 13.5:30 for 13:00
machine in Asia/Kolkata, +6441234567 (Pacific/Auckland): 01.5:15 for 01:00
machine in Asia/Kolkata, +982112345678 (Asia/Tehran): 16.5:00 for 15:30
END
diff expected seen
