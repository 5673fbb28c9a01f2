#!/usr/bin/env bash
# Packages: xlsx 0.18.5 (SheetJS) and exceljs 4.4.0, which write and read the dates of a spreadsheet.
# The good guess: a cell has a date and a time but no time zone. Both packages assume the same zone for it, to the second, so each reads
#   what the other writes, and an export made on a server can be read on a laptop.
# What is seen: exceljs assumes UTC, xlsx the machine's zone, so 09:00Z written by exceljs is 14:00Z for xlsx in New York, and written by
#   xlsx is 04:00Z for exceljs. In Shanghai and Kolkata, xlsx is seconds off as well (the zone's offset in 1899), which turns each date into
#   the day before. And the text of a cell with the format dd.mm.yyyy is a number, as if it had no format.
# Why it matters: a list of bookings that passes through both is shifted by the machine's offset, and its dates, such as birthdays, by a
#   day. In UTC, the times agree.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts xlsx@0.18.5 exceljs@4.4.0 >> npm.log 2>&1
cat > sheet.mjs <<'END'
import Excel from 'exceljs';
import XLSX from 'xlsx';
const start = new Date('2030-01-31T09:00:00Z');
const one = new Excel.Workbook();
const sheet = one.addWorksheet('bookings');
sheet.addRow([start, new Date('2030-01-31T00:00:00Z'), start]);
sheet.getCell('A1').numFmt = 'yyyy-mm-dd hh:mm';
sheet.getCell('B1').numFmt = 'yyyy-mm-dd';
sheet.getCell('C1').numFmt = 'dd.mm.yyyy';
const book = XLSX.read(await one.xlsx.writeBuffer(), { cellDates: true });
const { A1, B1 } = book.Sheets.bookings;
console.log(process.env.TZ);
console.log(`  exceljs wrote 09:00:00Z; xlsx reads ${A1.v.toISOString()}, and 31 January as ${B1.v.toString().slice(8, 10)} January, ${B1.v.toString().slice(16, 24)}`);
const other = XLSX.utils.book_new();
XLSX.utils.book_append_sheet(other, XLSX.utils.aoa_to_sheet([[start]]), 'bookings');
const two = new Excel.Workbook();
await two.xlsx.load(XLSX.write(other, { type: 'buffer' }));
console.log(`  xlsx wrote 09:00:00Z; exceljs reads ${two.worksheets[0].getCell('A1').value.toISOString()}`);
const [[, day, german]] = XLSX.utils.sheet_to_json(XLSX.read(await one.xlsx.writeBuffer()).Sheets.bookings, { header: 1, raw: false });
console.log(`  as text, xlsx reads ${day} and ${german}`);
END
for zone in UTC America/New_York Asia/Shanghai Asia/Kolkata; do TZ=$zone node sheet.mjs; done > seen
cat seen
cat > expected <<'END'
UTC
  exceljs wrote 09:00:00Z; xlsx reads 2030-01-31T09:00:00.000Z, and 31 January as 31 January, 00:00:00
  xlsx wrote 09:00:00Z; exceljs reads 2030-01-31T09:00:00.000Z
  as text, xlsx reads 2030-01-31 and 47514.375
America/New_York
  exceljs wrote 09:00:00Z; xlsx reads 2030-01-31T14:00:00.000Z, and 31 January as 31 January, 00:00:00
  xlsx wrote 09:00:00Z; exceljs reads 2030-01-31T04:00:00.000Z
  as text, xlsx reads 2030-01-31 and 47514.375
Asia/Shanghai
  exceljs wrote 09:00:00Z; xlsx reads 2030-01-31T00:59:17.000Z, and 31 January as 30 January, 23:59:17
  xlsx wrote 09:00:00Z; exceljs reads 2030-01-31T17:00:43.000Z
  as text, xlsx reads 2030-01-31 and 47514.375
Asia/Kolkata
  exceljs wrote 09:00:00Z; xlsx reads 2030-01-31T03:29:50.000Z, and 31 January as 30 January, 23:59:50
  xlsx wrote 09:00:00Z; exceljs reads 2030-01-31T14:30:10.000Z
  as text, xlsx reads 2030-01-31 and 47514.375
END
diff expected seen
