#!/usr/bin/env bash
# Packages: hl7v2 1.8.0 (with hl7v2-dictionary 1.8.0), which reads and writes hospital messages, such as appointments (SIU^S12), and
#   node-hl7-client 4.0.0, which reads them.
# The good guess: a message that is read and passed on unchanged means the same, as an interface between two systems requires. A time may
#   have an offset, +ZZZZ or -ZZZZ (HL7 2.5, 2.A.22 DTM).
# What is seen: hl7v2 takes the minus for a date separator and drops it, but keeps the digits: 09:00:00-0500 becomes 203001310900000500.
#   node-hl7-client reads that as nine o'clock on the machine's clock: on a machine in UTC, five hours early. Positive offsets are right.
# Why it matters: behind an interface that was tested in Europe, appointments from Boston or São Paulo are at a wrong hour, and nothing
#   rejects the message. Messages without offsets pass everywhere.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts hl7v2@1.8.0 hl7v2-dictionary@1.8.0 node-hl7-client@4.0.0 >> npm.log 2>&1
cat > appointments.mjs <<'END'
import { HL7Message } from 'hl7v2';
import { Message } from 'node-hl7-client';
const start = (text) => {
  try {
    return new Message({ text }).get('AIS.4').toDate().toISOString();
  } catch (error) {
    return `no time (${error.message})`;
  }
};
for (const time of ['20300131090000', '20300131090000+0100', '20300131090000-0500', '203001310900-0300', '20300131090000.5-0500']) {
  const text = ['MSH|^~\\&|A|B|C|D|20300120120000||SIU^S12|1|P|2.5', 'SCH|1', `AIS|1||ROOM|${time}`].join('\r');
  const written = HL7Message.parse(text).toHL7String();
  console.log(`${time} is written as ${written.match(/ROOM.(.*)/)[1].trim()}; node-hl7-client reads ${start(text)} before and ${start(written)} after`);
}
END
TZ=UTC node appointments.mjs > seen
cat seen
cat > expected <<'END'
20300131090000 is written as 203001310900; node-hl7-client reads 2030-01-31T09:00:00.000Z before and 2030-01-31T09:00:00.000Z after
20300131090000+0100 is written as 20300131090000+0100; node-hl7-client reads 2030-01-31T08:00:00.000Z before and 2030-01-31T08:00:00.000Z after
20300131090000-0500 is written as 203001310900000500; node-hl7-client reads 2030-01-31T14:00:00.000Z before and 2030-01-31T09:00:00.000Z after
203001310900-0300 is written as 203001310900000300; node-hl7-client reads 2030-01-31T12:00:00.000Z before and 2030-01-31T09:00:00.000Z after
20300131090000.5-0500 is written as 20300131090000.50500; node-hl7-client reads 2030-01-31T14:00:00.000Z before and 2030-01-31T09:00:00.000Z after
END
diff expected seen
