#!/usr/bin/env bash
# Packages: two that read and write contacts (vCard), ical.js 2.2.1 and vcf 2.1.2, compared with vcard4 4.0.5.
# The good guess: in a contact's text a semicolon may be written as \; (RFC 6350, 3.4; RFC 2426, section 4), and in a part of a name it must
#   be. It is read as a semicolon, and a contact that is read and written is the same contact.
# What is seen: ical.js keeps the backslash in a note and a title, and writes it out as part of the text, so that vcard4, which read the
#   original correctly, then reads two pieces and a backslash. Names are right. vcf keeps all backslashes, and splits a name at \;, so the
#   family name is "Smith\" and the given name " Jr.".
# Why it matters: if an address book writes \; everywhere, "Gate 3; second bell" comes back with a backslash, or cut in half, after one
#   sync, on every device, and an email greets the wrong half of a name. A contact without semicolons works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ical.js@2.2.1 vcf@2.1.2 vcard4@4.0.5 >> npm.log 2>&1
cat > contacts.mjs <<'END'
import ICAL from 'ical.js';
import * as vcard4 from 'vcard4';
import Vcf from 'vcf';
const card = (version) =>
  ['BEGIN:VCARD', `VERSION:${version}`, 'FN:Ada Smith', 'N:Smith\\; Jr.;Ada;;;', 'NOTE:Gate 3\\; second bell\\, left', 'TITLE:Sales\\; Berlin', 'END:VCARD', ''].join('\r\n');
const inIcal = (text, name) => new ICAL.Component(ICAL.parse(text)).getFirstPropertyValue(name);
const readers = {
  'ical.js': inIcal,
  vcf: (text, name) => new Vcf().parse(text).get(name).toJSON()[3],
  vcard4: (text, name) => {
    const { value } = vcard4.parse(text).parsedVcard.find(({ property }) => property === name.toUpperCase());
    return name === 'n' ? [value.familyNames, value.givenNames] : value;
  },
};
for (const version of ['3.0', '4.0'])
  for (const [name, read] of Object.entries(readers)) {
    if (name === 'vcard4' && version === '3.0') continue;
    const values = ['n', 'note', 'title'].map((field) => [read(card(version), field)].flat().filter(Boolean).join(' | '));
    console.log(`vCard ${version}, ${name}: ${values.join(' / ')}`);
  }
const again = new ICAL.Component(ICAL.parse(card('4.0'))).toString();
console.log(`vCard 4.0, written again by ical.js and read by vcard4: ${['n', 'note', 'title'].map((field) => [readers.vcard4(again, field)].flat().join(' | ')).join(' / ')}`);
END
node contacts.mjs > seen
cat seen
cat > expected <<'END'
vCard 3.0, ical.js: Smith; Jr. | Ada / Gate 3\; second bell, left / Sales\; Berlin
vCard 3.0, vcf: Smith\ |  Jr. | Ada / Gate 3\; second bell\, left / Sales\; Berlin
vCard 4.0, ical.js: Smith; Jr. | Ada / Gate 3\; second bell, left / Sales\; Berlin
vCard 4.0, vcf: Smith\ |  Jr. | Ada / Gate 3\; second bell\, left / Sales\; Berlin
vCard 4.0, vcard4: Smith; Jr. | Ada / Gate 3; second bell, left / Sales; Berlin
vCard 4.0, written again by ical.js and read by vcard4: Smith; Jr. | Ada / Gate 3\ |  second bell, left / Sales\ |  Berlin
END
diff expected seen
