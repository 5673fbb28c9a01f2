#!/usr/bin/env bash
# Packages: simple-hl7 3.3.0, which writes hospital messages (HL7), such as those for appointments, and node-hl7-client 4.0.0, which parses
#   them here.
# The good guess: a value given to a segment is data, so the delimiters of a message (| ^ ~ & \) are escaped as \F\ \S\ \R\ \T\ \E\ (HL7
#   2.5, section 2.7), and the other system reads what was given.
# What is seen: they are written unescaped. The note "fasting | no metformin" ends at "fasting ", and the rest is another field, which
#   nobody reads; "Dental & Care" has two parts, of which only "Dental " is read.
# Why it matters: half of an instruction does not reach the clinic, and nothing rejects the message.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts simple-hl7@3.3.0 node-hl7-client@4.0.0 >> npm.log 2>&1
cat > note.cjs <<'END'
const hl7 = require('simple-hl7');
const { Message } = require('node-hl7-client');
for (const [clinic, note] of [['Dental', 'fasting'], ['Dental & Care', 'fasting | no metformin'], ['Dental^Care', 'room 1~2']]) {
  const message = new hl7.Message('A', 'B', 'C', 'D', ['SIU', 'S12'], '1', 'P', '2.5');
  message.addSegment('SCH', '1');
  message.addSegment('NTE', '1', clinic, note);
  const text = message.log ? message.toString() : String(message);
  const read = new Message({ text });
  console.log(`"${clinic}" and "${note}": written as ${text.split('\r').find((line) => line.startsWith('NTE'))}; read as "${read.get('NTE.2').toString()}" and "${read.get('NTE.3').toString()}"`);
}
END
node note.cjs > seen
cat seen
cat > expected <<'END'
"Dental" and "fasting": written as NTE|1|Dental|fasting; read as "Dental" and "fasting"
"Dental & Care" and "fasting | no metformin": written as NTE|1|Dental & Care|fasting | no metformin; read as "Dental " and "fasting "
"Dental^Care" and "room 1~2": written as NTE|1|Dental^Care|room 1~2; read as "Dental" and "room 1"
END
diff expected seen
