#!/usr/bin/env bash
# Packages: three that calculate spreadsheet formulas, @formulajs/formulajs 4.6.1, fast-formula-parser 1.0.19 and hyperformula 3.5.0.
# The good guess: a formula has one result, that of OpenFormula 1.2 (6.10) and of well-known spreadsheets: a month after 31 January is the
#   last day of February, the working day before a Monday is Friday, a day short of two years is one year, and 10:15 has 15 minutes.
# What is seen: fast-formula-parser returns 3 March, the Monday itself and 14 minutes; its ISO week of a Sunday is that of the next day.
#   formulajs counts 2031-01-01 to 2032-12-31 as two years, and with the later date first NETWORKDAYS returns -27 instead of -21.
#   hyperformula puts the last Monday of 2030 in week 53; it is in week 1 of 2031 (ISO 8601).
# Why it matters: payment dates, notice periods and rotas differ between a team's sheet and the service that calculates it. Each package is
#   right where the others are wrong, and on most days all agree.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @formulajs/formulajs@4.6.1 fast-formula-parser@1.0.19 hyperformula@3.5.0 >> npm.log 2>&1
cat > formulas.mjs <<'END'
import * as formulajs from '@formulajs/formulajs';
import FastFormula from 'fast-formula-parser';
import { HyperFormula } from 'hyperformula';
const sheet = HyperFormula.buildEmpty({ licenseKey: 'gpl-v3' });
sheet.addSheet('one');
const day = (...parts) => new Date(parts[0], parts[1] - 1, parts[2]);
const serial = (value) => (value instanceof Date ? Math.round((Date.UTC(value.getFullYear(), value.getMonth(), value.getDate()) - Date.UTC(1899, 11, 30)) / 86400000) : value);
const shown = (value, isDay) => (isDay ? new Date(Date.UTC(1899, 11, 30) + value * 86400000).toISOString().slice(0, 10) : value);
for (const [formula, right, isDay, calculate] of [
  ['EDATE(DATE(2030,1,31),1)', 47542, true, () => formulajs.EDATE(day(2030, 1, 31), 1)],
  ['EDATE(DATE(2030,1,28),1)', 47542, true, () => formulajs.EDATE(day(2030, 1, 28), 1)],
  ['WORKDAY(DATE(2030,2,4),-1)', 47515, true, () => formulajs.WORKDAY(day(2030, 2, 4), -1)],
  ['WORKDAY(DATE(2030,2,1),1)', 47518, true, () => formulajs.WORKDAY(day(2030, 2, 1), 1)],
  ['NETWORKDAYS(DATE(2030,2,28),DATE(2030,1,31))', -21, false, () => formulajs.NETWORKDAYS(day(2030, 2, 28), day(2030, 1, 31))],
  ['DATEDIF(DATE(2031,1,1),DATE(2032,12,31),"Y")', 1, false, () => formulajs.DATEDIF(day(2031, 1, 1), day(2032, 12, 31), 'Y')],
  ['ISOWEEKNUM(DATE(2030,12,30))', 1, false, () => formulajs.ISOWEEKNUM(day(2030, 12, 30))],
  ['ISOWEEKNUM(DATE(2030,2,3))', 5, false, () => formulajs.ISOWEEKNUM(day(2030, 2, 3))],
  ['MINUTE(DATE(2030,1,31)+10/24+15/1440)', 15, false, () => formulajs.MINUTE(47514 + 10 / 24 + 15 / 1440)],
]) {
  const results = { formulajs: serial(calculate()), 'fast-formula-parser': new FastFormula().parse(formula, { row: 1, col: 1 }), hyperformula: sheet.calculateFormula(`=${formula}`, 0) };
  const wrong = Object.entries(results).filter(([, value]) => value !== right);
  console.log(`${formula}: ${shown(right, isDay)}${wrong.map(([name, value]) => `, by ${name} ${shown(value, isDay)}`).join('')}`);
}
END
TZ=UTC node formulas.mjs > seen
cat seen
cat > expected <<'END'
EDATE(DATE(2030,1,31),1): 2030-02-28, by fast-formula-parser 2030-03-03
EDATE(DATE(2030,1,28),1): 2030-02-28
WORKDAY(DATE(2030,2,4),-1): 2030-02-01, by fast-formula-parser 2030-02-04
WORKDAY(DATE(2030,2,1),1): 2030-02-04
NETWORKDAYS(DATE(2030,2,28),DATE(2030,1,31)): -21, by formulajs -27
DATEDIF(DATE(2031,1,1),DATE(2032,12,31),"Y"): 1, by formulajs 2
ISOWEEKNUM(DATE(2030,12,30)): 1, by hyperformula 53
ISOWEEKNUM(DATE(2030,2,3)): 5, by fast-formula-parser 6
MINUTE(DATE(2030,1,31)+10/24+15/1440): 15, by fast-formula-parser 14
END
diff expected seen
