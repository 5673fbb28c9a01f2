#!/usr/bin/env bash
# Packages: vcard-parser 1.0.0, which reads and writes contacts (vCard), and vcards-js 2.11.1, which writes them.
# The good guess: a contact that is read and written is the same contact. A URL is a single value, with all its characters (RFC 6350,
#   6.7.8), and a company's name is one component of its line: a semicolon in it is written as \; (6.6.4).
# What is seen: vcard-parser splits a URL at semicolons or, if there are none, at commas, and joins it with semicolons, so @1.5,2.5 on a map
#   becomes @1.5;2.5. After a split at semicolons, a comma becomes "\,". vcards-js does not escape a semicolon in a company's name, so the
#   rest becomes a department. It writes a birthday in local time: west of Greenwich, midnight UTC, as a date field gives it, is a day
#   early.
# Why it matters: a contact's link to a place or a booking page leads elsewhere, and guests are congratulated a day early.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts vcard-parser@1.0.0 vcards-js@2.11.1 >> npm.log 2>&1
cat > contact.cjs <<'END'
const { generate, parse } = require('vcard-parser');
const vCard = require('vcards-js');
console.log(`machine in ${process.env.TZ}`);
for (const link of ['https://map.example/?at=1.5', 'https://map.example/@1.5,2.5', 'https://book.example/jo;type=call,30']) {
  const read = parse(['BEGIN:VCARD', 'VERSION:4.0', 'FN:Jo', `URL:${link}`, 'END:VCARD', ''].join('\r\n'));
  console.log(`  ${link}: read as ${JSON.stringify(read.url[0].value)}, written as ${generate(read).match(/URL:(\S*)/)[1]}`);
}
const card = vCard();
card.firstName = 'Jo';
card.organization = 'Doe; Roe Ltd';
card.birthday = new Date('1990-05-04');
console.log(`  by vcards-js: ${card.getFormattedString().split('\r\n').filter((line) => /^(ORG|BDAY)/.test(line)).join(' and ')}`);
END
for zone in UTC America/New_York; do TZ=$zone node contact.cjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  https://map.example/?at=1.5: read as "https://map.example/?at=1.5", written as https://map.example/?at=1.5
  https://map.example/@1.5,2.5: read as ["https://map.example/@1.5","2.5"], written as https://map.example/@1.5;2.5
  https://book.example/jo;type=call,30: read as ["https://book.example/jo","type=call,30"], written as https://book.example/jo;type=call\,30
  by vcards-js: BDAY:1990-05-04 and ORG:Doe; Roe Ltd
machine in America/New_York
  https://map.example/?at=1.5: read as "https://map.example/?at=1.5", written as https://map.example/?at=1.5
  https://map.example/@1.5,2.5: read as ["https://map.example/@1.5","2.5"], written as https://map.example/@1.5;2.5
  https://book.example/jo;type=call,30: read as ["https://book.example/jo","type=call,30"], written as https://book.example/jo;type=call\,30
  by vcards-js: BDAY:1990-05-03 and ORG:Doe; Roe Ltd
END
diff expected seen
