#!/usr/bin/env bash
# Packages: simple-hl7 3.3.0, which writes messages of hospitals, such as those of appointments, beside node-hl7-client 4.0.0, which reads them.
# The good guess: a value that is given to a segment is a value, so the signs by which a message is cut (| ^ ~ & \) are written as \F\ \S\ \R\ \T\
#   \E\ (HL7 2.5, 2.7), and the other system reads what was given.
# What is seen: they are written as they stand. A note "fasting | no metformin" ends at "fasting ", and the rest is another field, which nobody
#   reads; "Dental & Care" is two parts, of which the first is taken.
# Why it matters: half of an instruction does not reach the clinic, and no one refuses the message.
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
