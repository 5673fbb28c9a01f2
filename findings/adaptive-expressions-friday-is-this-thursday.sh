#!/usr/bin/env bash
# Package: adaptive-expressions 4.23.3, in whose formulas the texts of bots and of cards in Teams are written (with adaptivecards-templating).
# The good guess: what is said of a date does not depend on the server. A time is taken as services write it, in ISO 8601 and UTC, with or without
#   thousandths of a second, or with an offset.
# What is seen: west of Greenwich, dateReadBack names the day before: the meeting on Friday is "this Thursday". A time without thousandths,
#   09:00:00Z, is "not a ISO format datetime string" to most functions, and one with an offset too, but formatDateTime takes both. convertToUTC
#   takes a time in UTC for one of the zone.
# Why it matters: the card in the chat says Thursday, and the button on it books Friday. A service that writes no thousandths works in the text of
#   a card, and fails in the first formula that adds half an hour.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts adaptive-expressions@4.23.3 >> npm.log 2>&1
cat > formulas.cjs <<'END'
const { Expression } = require('adaptive-expressions');
const show = (formula) => {
  const { value, error } = Expression.parse(formula).tryEvaluate({});
  console.log(`  ${formula}: ${error ?? value}`);
};
console.log(`machine in ${process.env.TZ}`);
for (const day of ['2030-01-31', '2030-02-01', '2030-02-02']) show(`dateReadBack('2030-01-30T12:00:00.000Z', '${day}T00:00:00.000Z')`);
if (process.env.TZ === 'UTC')
  for (const time of ['2030-01-31T09:00:00.000Z', '2030-01-31T09:00:00Z', '2030-01-31T09:00:00.000+01:00']) {
    for (const name of ['addMinutes', 'dayOfWeek']) show(`${name}('${time}'${name === 'addMinutes' ? ', 30' : ''})`);
    show(`formatDateTime('${time}', 'HH:mm')`);
    show(`convertToUTC('${time}', 'Eastern Standard Time')`);
  }
END
for zone in UTC America/New_York Asia/Tokyo; do TZ=$zone node formulas.cjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  dateReadBack('2030-01-30T12:00:00.000Z', '2030-01-31T00:00:00.000Z'): tomorrow
  dateReadBack('2030-01-30T12:00:00.000Z', '2030-02-01T00:00:00.000Z'): this Friday
  dateReadBack('2030-01-30T12:00:00.000Z', '2030-02-02T00:00:00.000Z'): this Saturday
  addMinutes('2030-01-31T09:00:00.000Z', 30): 2030-01-31T09:30:00.000Z
  dayOfWeek('2030-01-31T09:00:00.000Z'): 4
  formatDateTime('2030-01-31T09:00:00.000Z', 'HH:mm'): 09:00
  convertToUTC('2030-01-31T09:00:00.000Z', 'Eastern Standard Time'): 2030-01-31T14:00:00.000Z
  addMinutes('2030-01-31T09:00:00Z', 30): 2030-01-31T09:00:00Z is not a ISO format datetime string.
  dayOfWeek('2030-01-31T09:00:00Z'): 2030-01-31T09:00:00Z is not a ISO format datetime string.
  formatDateTime('2030-01-31T09:00:00Z', 'HH:mm'): 09:00
  convertToUTC('2030-01-31T09:00:00Z', 'Eastern Standard Time'): 2030-01-31T14:00:00.000Z
  addMinutes('2030-01-31T09:00:00.000+01:00', 30): 2030-01-31T09:00:00.000+01:00 is not a ISO format datetime string.
  dayOfWeek('2030-01-31T09:00:00.000+01:00'): 2030-01-31T09:00:00.000+01:00 is not a ISO format datetime string.
  formatDateTime('2030-01-31T09:00:00.000+01:00', 'HH:mm'): 08:00
  convertToUTC('2030-01-31T09:00:00.000+01:00', 'Eastern Standard Time'): 2030-01-31T13:00:00.000Z
machine in America/New_York
  dateReadBack('2030-01-30T12:00:00.000Z', '2030-01-31T00:00:00.000Z'): today
  dateReadBack('2030-01-30T12:00:00.000Z', '2030-02-01T00:00:00.000Z'): tomorrow
  dateReadBack('2030-01-30T12:00:00.000Z', '2030-02-02T00:00:00.000Z'): this Friday
machine in Asia/Tokyo
  dateReadBack('2030-01-30T12:00:00.000Z', '2030-01-31T00:00:00.000Z'): tomorrow
  dateReadBack('2030-01-30T12:00:00.000Z', '2030-02-01T00:00:00.000Z'): this Friday
  dateReadBack('2030-01-30T12:00:00.000Z', '2030-02-02T00:00:00.000Z'): this Saturday
END
diff expected seen
