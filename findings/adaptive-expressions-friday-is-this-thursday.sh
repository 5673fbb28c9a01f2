#!/usr/bin/env bash
# Package: adaptive-expressions 4.23.3, the formula language for the text of bots and of Teams cards (with adaptivecards-templating).
# The good guess: the wording of a date does not depend on the server. A time is accepted as services send it: ISO 8601, in UTC or with an
#   offset, with or without milliseconds.
# What is seen: on a server in New York, dateReadBack names the day before: midnight UTC on Saturday is "this Friday". addMinutes and
#   dayOfWeek reject a time without milliseconds (09:00:00Z) or with an offset: "not a ISO format datetime string". formatDateTime accepts
#   both. convertToUTC treats a time marked Z as local time in the given zone (09:00Z becomes 14:00Z).
# Why it matters: the card in the chat says Friday, and its button books Saturday. A time without milliseconds works in the text of a card,
#   and fails in the first formula that adds half an hour.
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
