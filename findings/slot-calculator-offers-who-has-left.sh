#!/usr/bin/env bash
# Package: slot-calculator 2.2.1, which splits the availability of several hosts into slots (with luxon 2.5.2).
# The good guess: weekly hours apply to every day between from and to. A slot lists the hosts who are free for all of it
#   (metadataAvailable), and unavailability without a host, such as a public holiday, applies to all.
# What is seen: days are counted in steps of 24 hours from the time of day in from, so if to is earlier in the day than from, the last day
#   has no slots. Of two hosts who leave in the same minute, only the first is removed, and the other is offered in a slot that ends after
#   that host has left. A holiday without a host leaves every named host free; if no host is named, it works.
# Why it matters: a guest who opens the calendar in the afternoon cannot book the morning of the last day, and others book a host who has
#   left.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts slot-calculator@2.2.1 luxon@2.5.2 >> npm.log 2>&1
cat > slots.cjs <<'END'
const { getSlots } = require('slot-calculator');
const day = '2030-01-31';
const show = (title, options) => {
  const { availableSlots } = getSlots({ duration: 60, ...options });
  console.log(title);
  for (const { from, metadataAvailable = [] } of availableSlots) console.log(`  ${from.slice(0, 16)} ${metadataAvailable.map(({ host }) => host).join(' and ')}`.trimEnd());
};
const hours = (from, to, host) => ({ from: `${day}T${from}:00Z`, to: `${day}T${to}:00Z`, ...(host && { metadata: { host } }) });
const week = ['Wednesday', 'Thursday', 'Friday'].map((name) => ({ day: name, from: '09:00', to: '10:00', timezone: 'UTC' }));
for (const clock of ['08:00', '18:00']) show(`Wednesday ${clock} to Friday 12:00, each from 9 to 10`, { from: `2030-01-30T${clock}:00Z`, to: '2030-02-01T12:00:00Z', availability: week });
const bounds = { from: `${day}T09:00:00Z`, to: `${day}T12:00:00Z` };
const all = hours('09:00', '12:00', 'Eve');
show('Ada until 9:50, Eve until 12', { ...bounds, availability: [hours('09:00', '09:50', 'Ada'), all] });
show('Ada and Bea until 9:59, Eve until 12', { ...bounds, availability: [hours('09:00', '09:59', 'Ada'), hours('09:00', '09:59', 'Bea'), all] });
show('Eve until 12, a holiday of Eve from 10 to 12', { ...bounds, availability: [all], unavailability: [hours('10:00', '12:00', 'Eve')] });
show('Eve until 12, a holiday from 10 to 12', { ...bounds, availability: [all], unavailability: [hours('10:00', '12:00')] });
show('open until 12, a holiday from 10 to 12', { ...bounds, availability: [hours('09:00', '12:00')], unavailability: [hours('10:00', '12:00')] });
END
node slots.cjs > seen
cat seen
cat > expected <<'END'
Wednesday 08:00 to Friday 12:00, each from 9 to 10
  2030-01-30T09:00
  2030-01-31T09:00
  2030-02-01T09:00
Wednesday 18:00 to Friday 12:00, each from 9 to 10
  2030-01-31T09:00
Ada until 9:50, Eve until 12
  2030-01-31T09:00 Eve
  2030-01-31T10:00 Eve
  2030-01-31T11:00 Eve
Ada and Bea until 9:59, Eve until 12
  2030-01-31T09:00 Bea and Eve
  2030-01-31T10:00 Eve
  2030-01-31T11:00 Eve
Eve until 12, a holiday of Eve from 10 to 12
  2030-01-31T09:00 Eve
Eve until 12, a holiday from 10 to 12
  2030-01-31T09:00 Eve
  2030-01-31T10:00 Eve
  2030-01-31T11:00 Eve
open until 12, a holiday from 10 to 12
  2030-01-31T09:00
END
diff expected seen
