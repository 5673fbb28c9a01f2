#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, Convert to File > Convert to ICS (with n8n-workflow 2.41.0, ics 2.40.0 and moment-timezone 0.5.48, as it
#   pins them).
# The good guess: an instant such as 2030-01-31T09:00:00Z is written to the calendar file as that instant, wherever n8n runs.
# What is seen: the node takes the machine's local time and marks it as UTC. In Berlin, the file says 10:00Z, in New York 04:00Z. "Use
#   Workflow Timezone" makes no difference.
# Why it matters: invitations are an hour or more off, but only on machines that are not in UTC. A time without an offset is written
#   unchanged with a Z, so pass the UTC time that way.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >/dev/null
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils

npm install --silent --no-audit --no-fund --ignore-scripts --save-exact n8n-workflow@2.41.0 zod@3.25.76 ics@2.40.0 moment-timezone@0.5.48 lodash@4.17.21 >/dev/null
cat >calendar.cjs <<'JS'
const { execute } = require('./package/dist/nodes/ICalendar/createEvent.operation.js');
const entered = { title: 'Meeting', allDay: false, start: process.argv[2], end: process.argv[2], binaryPropertyName: 'data', additionalFields: {} };
let file = '';
const host = {
  getTimezone: () => 'UTC',
  getNode: () => ({ name: 'Convert to File' }),
  getNodeParameter: (name) => structuredClone(entered[name]),
  continueOnFail: () => false,
  helpers: { prepareBinaryData: (buffer) => ((file = buffer.toString()), Promise.resolve({})) },
};
execute.call(host, [{ json: {} }]).then(() => console.log(/^DTSTART.*$/m.exec(file)[0].trim()));
JS
seen=''
for zone in UTC Europe/Berlin America/New_York; do
  line=$(TZ=$zone node calendar.cjs 2030-01-31T09:00:00Z)
  echo "09:00Z on a machine in $zone: $line"
  seen="$seen $line"
done
line=$(TZ=Europe/Berlin node calendar.cjs 2030-01-31T09:00:00)
echo "09:00 without an offset in Europe/Berlin: $line"
[ "$seen $line" = ' DTSTART:20300131T090000Z DTSTART:20300131T100000Z DTSTART:20300131T040000Z DTSTART:20300131T090000Z' ]
