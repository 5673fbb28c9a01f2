#!/usr/bin/env bash
# Package: moment-duration-format 2.3.2 (with moment 2.30.1), which writes a duration by a template such as "h:mm", for timesheets, compared
#   with luxon 3.7.2.
# The good guess: the template says what a column of times looks like. "h:mm" writes half an hour as 0:30, as it writes an hour and a half
#   as 1:30, and a thousand hours as 1000:00.
# What is seen: leading parts that are zero are left out, so half an hour is "30", and so is "hh:mm" of it; 45 seconds by "h:mm:ss" is "45".
#   An hour and 30 minutes by "h" is 2, and a thousand hours are "1,000:00", which a file with commas between its fields splits. The option
#   trim: false keeps the zeros, useGrouping: false the number.
# Why it matters: a sheet or payroll that imports the column reads "30" as thirty hours, or thirty days, and pays them; "1,000:00" moves the
#   rest of the row to the next field. All durations between one hour and a thousand are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts moment-duration-format@2.3.2 moment@2.30.1 luxon@3.7.2 papaparse@5.7.1 hyperformula@3.5.0 >> npm.log 2>&1
cat > sheet.cjs <<'END'
const { Duration } = require('luxon');
const moment = require('moment');
require('moment-duration-format')(moment);
const { HyperFormula } = require('hyperformula');
const Papa = require('papaparse');
for (const [hours, template] of [[1.5, 'h:mm'], [0.5, 'h:mm'], [0.5, 'hh:mm'], [0.25, 'h:mm'], [45 / 3600, 'h:mm:ss'], [1.5, 'h'], [1000, 'h:mm']]) {
  const duration = moment.duration(hours, 'hours');
  const kept = duration.format(template, { trim: false, useGrouping: false });
  console.log(`${Number(hours.toFixed(4))} hours by ${template}: "${duration.format(template)}"; with the options "${kept}"; luxon "${Duration.fromObject({ hours }).toFormat(template)}"`);
}
const rows = [['Ada', 0.5], ['Eve', 1.5]].map(([name, hours]) => [name, moment.duration(hours, 'hours').format('h:mm')]);
const sheet = HyperFormula.buildFromArray([...rows, ['total hours', '=SUM(B1:B2)*24']], { licenseKey: 'gpl-v3', timeFormats: ['hh:mm', 'h:mm'] });
console.log(`a sheet of ${rows.map((row) => row.join(' ')).join(' and ')}: ${sheet.getSheetValues(0).at(-1).join(' ')}`);
console.log(`a row with a total of 1000 hours: ${JSON.stringify(Papa.parse(`Ada,${moment.duration(1000, 'hours').format('h:mm')},paid`).data[0])}`);
END
TZ=UTC node sheet.cjs > seen
cat seen
cat > expected <<'END'
1.5 hours by h:mm: "1:30"; with the options "1:30"; luxon "1:30"
0.5 hours by h:mm: "30"; with the options "0:30"; luxon "0:30"
0.5 hours by hh:mm: "30"; with the options "00:30"; luxon "00:30"
0.25 hours by h:mm: "15"; with the options "0:15"; luxon "0:15"
0.0125 hours by h:mm:ss: "45"; with the options "0:00:45"; luxon "0:00:45"
1.5 hours by h: "2"; with the options "2"; luxon "1"
1000 hours by h:mm: "1,000:00"; with the options "1000:00"; luxon "1000:00"
a sheet of Ada 30 and Eve 1:30: total hours 721.5
a row with a total of 1000 hours: ["Ada","1","000:00","paid"]
END
diff expected seen
