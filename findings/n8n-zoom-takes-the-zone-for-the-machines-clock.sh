#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Zoom node, Create a Meeting (with n8n-workflow 2.41.0, moment-timezone 0.5.48 and @n8n/utils 1.48.0,
#   as it pins them); a stub shows the request body.
# The good guess: a start with an offset, as every API gives it, is an instant. With Timezone set, the meeting takes place then, and is
#   shown in that zone; Zoom reads a time without an offset in that zone.
# What is seen: with Timezone, the start is written as the machine's local time but labeled with the chosen zone: on a server in UTC, nine
#   in New York becomes two in the afternoon there. Without Timezone, and in an update, it is right.
# Why it matters: the guest's calendar says nine and the meeting opens at two, but only on the server: on a laptop in New York it was right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 @n8n/utils@1.48.0 >> npm.log 2>&1
cat > meeting.cjs <<'END'
const { Zoom } = require('./package/dist/nodes/Zoom/Zoom.node.js');
const send = async (operation, fields) => {
  let sent;
  const values = { resource: 'meeting', operation, authentication: 'accessToken', topic: 'Talk', meetingId: 'm1', additionalFields: fields, updateFields: fields };
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'Zoom', typeVersion: 1 }),
    getNodeParameter: (name) => values[name],
    getTimezone: () => 'America/New_York',
    continueOnFail: () => false,
    helpers: {
      requestWithAuthentication: async (_, { body }) => (sent = body),
      returnJsonArray: (json) => [{ json }],
      constructExecutionMetaData: (items) => items,
    },
  };
  await new Zoom().execute.call(host);
  return `${sent.start_time} ${sent.timezone ?? 'without a zone'}`;
};
(async () => {
  console.log(`machine in ${process.env.TZ}`);
  for (const startTime of ['2030-01-31T14:00:00.000Z', '2030-01-31T09:00:00-05:00'])
    for (const timeZone of [undefined, 'America/New_York']) console.log(`  ${startTime}, Timezone ${timeZone ?? 'not chosen'}: sent as ${await send('create', { startTime, timeZone })}`);
  console.log(`  update, Timezone chosen: sent as ${await send('update', { startTime: '2030-01-31T14:00:00.000Z', timeZone: 'America/New_York' })}`);
})();
END
for zone in UTC America/New_York Asia/Kolkata; do TZ=$zone node meeting.cjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  2030-01-31T14:00:00.000Z, Timezone not chosen: sent as 2030-01-31T09:00:00-05:00 without a zone
  2030-01-31T14:00:00.000Z, Timezone America/New_York: sent as 2030-01-31T14:00:00 America/New_York
  2030-01-31T09:00:00-05:00, Timezone not chosen: sent as 2030-01-31T09:00:00-05:00 without a zone
  2030-01-31T09:00:00-05:00, Timezone America/New_York: sent as 2030-01-31T14:00:00 America/New_York
  update, Timezone chosen: sent as 2030-01-31T14:00:00.000Z America/New_York
machine in America/New_York
  2030-01-31T14:00:00.000Z, Timezone not chosen: sent as 2030-01-31T09:00:00-05:00 without a zone
  2030-01-31T14:00:00.000Z, Timezone America/New_York: sent as 2030-01-31T09:00:00 America/New_York
  2030-01-31T09:00:00-05:00, Timezone not chosen: sent as 2030-01-31T09:00:00-05:00 without a zone
  2030-01-31T09:00:00-05:00, Timezone America/New_York: sent as 2030-01-31T09:00:00 America/New_York
  update, Timezone chosen: sent as 2030-01-31T14:00:00.000Z America/New_York
machine in Asia/Kolkata
  2030-01-31T14:00:00.000Z, Timezone not chosen: sent as 2030-01-31T09:00:00-05:00 without a zone
  2030-01-31T14:00:00.000Z, Timezone America/New_York: sent as 2030-01-31T19:30:00 America/New_York
  2030-01-31T09:00:00-05:00, Timezone not chosen: sent as 2030-01-31T09:00:00-05:00 without a zone
  2030-01-31T09:00:00-05:00, Timezone America/New_York: sent as 2030-01-31T19:30:00 America/New_York
  update, Timezone chosen: sent as 2030-01-31T14:00:00.000Z America/New_York
END
diff expected seen
