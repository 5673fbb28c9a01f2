#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Date & Time node (with n8n-workflow 2.41.0, luxon 3.7.2 and moment-timezone 0.5.48, as it pins them).
# The good guess: "Format a Date" shows a time with an offset as written, in that offset.
# What is seen: the node uses only the hours of the offset, so 09:00+05:30 becomes 08:30, and ignores negative offsets: 09:00-05:00 becomes
#   14:00, the time in UTC. 09:00+01:00 stays 09:00.
# Why it matters: people in India, Nepal, Newfoundland and everywhere west of London read a wrong time in emails and messages, and no error
#   is reported. DateTime.fromISO(text, { setZone: true }) in an expression keeps the time as written.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >/dev/null
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils

npm install --silent --no-audit --no-fund --ignore-scripts --save-exact n8n-workflow@2.41.0 zod@3.25.76 luxon@3.7.2 moment-timezone@0.5.48 >/dev/null
cat >format.cjs <<'JS'
const { DateTimeV2 } = require('./package/dist/nodes/DateTime/V2/DateTimeV2.node.js');
const node = new DateTimeV2({});
const format = async (date) => {
  const entered = { operation: 'formatDate', date, format: 'custom', customFormat: 'HH:mm', outputFieldName: 'clock', options: {} };
  const host = {
    getInputData: () => [{ json: {} }],
    getTimezone: () => 'Asia/Kolkata',
    getNode: () => ({ name: 'Date & Time', typeVersion: 2 }),
    getNodeParameter: (name, _item, fallback) => (name in entered ? entered[name] : fallback),
    continueOnFail: () => false,
  };
  const [[item]] = await node.execute.call(host);
  return item.json.clock;
};
(async () => {
  const times = ['2030-01-31T09:00:00+05:30', '2030-01-31T09:00:00-05:00', '2030-01-31T09:00:00+01:00'];
  const clocks = await Promise.all(times.map(format));
  for (const [index, time] of times.entries()) console.log(`${time}: ${clocks[index]}`);
  process.exitCode = clocks.join() === '08:30,14:00,09:00' ? 0 : 1;
})();
JS
node format.cjs
