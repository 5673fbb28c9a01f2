#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the HubSpot node, resource Engagement (with n8n-workflow 2.41.0, moment-timezone 0.5.48 and change-case
#   5.4.4, as it pins them); a stub shows the request body.
# The good guess: start and end of a meeting are sent as HubSpot expects them, in milliseconds ("Unix timestamp in milliseconds", on its
#   page on meetings), as the node itself does for a task's due date.
# What is seen: they are sent in seconds, so software that reads milliseconds puts a meeting of January 2030 in January 1970. A start
#   without an offset, as the date field gives it, is read in the time zone of the machine, not of the workflow. A task of the same node is
#   in milliseconds.
# Why it matters: the booked meeting is missing at the top of the guest's timeline, where people look for the latest. It is there, 60 years
#   further down, and no error is reported.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 change-case@5.4.4 >> npm.log 2>&1
cat > meeting.cjs <<'END'
const { HubspotV2 } = require('./package/dist/nodes/Hubspot/V2/HubspotV2.node.js');
const send = async (typeVersion, values) => {
  let sent;
  const given = { resource: 'engagement', operation: 'create', authentication: 'appToken', ...values };
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'HubSpot', type: 'n8n-nodes-base.hubspot', typeVersion }),
    getNodeParameter: (name, _, otherwise) => given[name] ?? otherwise ?? {},
    getTimezone: () => 'America/New_York',
    getCredentials: async () => ({ appToken: 'k' }),
    continueOnFail: () => false,
    helpers: {
      requestWithAuthentication: async (_, { body }) => ((sent = body), {}),
      returnJsonArray: (json) => [{ json }],
      constructExecutionMetaData: (items) => items,
    },
  };
  await new HubspotV2({}).execute.call(host);
  return sent;
};
const show = (time) => `${time} (${new Date(time).toISOString().slice(0, 16)}Z)`;
(async () => {
  for (const [startTime, endTime] of [['2030-01-31T14:00:00.000Z', '2030-01-31T14:30:00.000Z'], ['2030-01-31T09:00:00', '2030-01-31T09:30:00']]) {
    const meeting = await send(2.2, { type: 'meeting', metadata: { title: 'Talk', startTime, endTime } });
    const task = await send(2.2, { type: 'task', metadata: { subject: 'Prepare' }, dueDate: startTime });
    console.log(`${startTime}: a task is due ${show(task.engagement.timestamp)}`);
    console.log(`  a meeting starts ${show(meeting.metadata.startTime)} and ends ${show(meeting.metadata.endTime)}`);
  }
})();
END
TZ=UTC node meeting.cjs > seen
cat seen
cat > expected <<'END'
2030-01-31T14:00:00.000Z: a task is due 1896098400000 (2030-01-31T14:00Z)
  a meeting starts 1896098400 (1970-01-22T22:41Z) and ends 1896100200 (1970-01-22T22:41Z)
2030-01-31T09:00:00: a task is due 1896080400000 (2030-01-31T09:00Z)
  a meeting starts 1896080400 (1970-01-22T22:41Z) and ends 1896082200 (1970-01-22T22:41Z)
END
diff expected seen
