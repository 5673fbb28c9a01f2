#!/usr/bin/env bash
# Packages: six that parse a command line: minimist 1.2.8, mri 1.2.0, cac 7.1.0, yargs 18.2.0, meow 14.1.0, citty 0.2.2, compared with
#   Node's own parseArgs.
# The good guess: the value of an option that nobody declared as a number is the text that was typed.
# What is seen: minimist, mri and cac convert all that looks like a number: a phone number loses its plus, an ID its leading zeros or its
#   last digit, and the code 1e5 becomes 100000. yargs keeps these, except 1e5 and 0x1F. meow, and citty and parseArgs with the options
#   declared as strings, return the text.
# Why it matters: "--phone +4915112345678" calls 4915112345678, which is nobody's number, and "--booking 00123" cancels booking 123. With
#   the first three, declare each such option: { string: ['phone'] }.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts minimist@1.2.8 mri@1.2.0 cac@7.1.0 yargs@18.2.0 meow@14.1.0 citty@0.2.2 >> npm.log 2>&1
cat > options.mjs <<'END'
import { parseArgs } from 'node:util';
import { cac } from 'cac';
import { parseArgs as citty } from 'citty';
import meow from 'meow';
import minimist from 'minimist';
import mri from 'mri';
import yargs from 'yargs';
const names = ['phone', 'booking', 'event', 'code', 'room'];
const typed = ['--phone', '+4915112345678', '--booking', '00123', '--event', '9007199254740993', '--code', '1e5', '--room', '0x1F'];
const asText = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
const readers = {
  minimist: () => minimist(typed),
  mri: () => mri(typed),
  cac: () => cac().parse(['node', 'book', ...typed]).options,
  yargs: () => yargs(typed).parse(),
  meow: () => meow({ importMeta: import.meta, argv: typed }).flags,
  citty: () => citty(typed, asText),
  'Node.js': () => parseArgs({ args: typed, options: asText }).values,
};
for (const [name, read] of Object.entries(readers)) {
  const options = read();
  console.log(`${name}: ${names.map((each) => JSON.stringify(options[each])).join(' ')}`);
}
END
node options.mjs > seen
cat seen
cat > expected <<'END'
minimist: 4915112345678 123 9007199254740992 100000 31
mri: 4915112345678 123 9007199254740992 100000 31
cac: 4915112345678 123 9007199254740992 100000 31
yargs: "+4915112345678" "00123" "9007199254740993" 100000 31
meow: "+4915112345678" "00123" "9007199254740993" "1e5" "0x1F"
citty: "+4915112345678" "00123" "9007199254740993" "1e5" "0x1F"
Node.js: "+4915112345678" "00123" "9007199254740993" "1e5" "0x1F"
END
diff expected seen
