#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the ClickUp node, resource Task (with n8n-workflow 2.41.0 and moment-timezone 0.5.48, as it pins them); a
#   stub shows the request body. ClickUp takes durations and times in milliseconds.
# The good guess: Time Estimate is in minutes, as the field says, so 60 is an hour. A day chosen for Due Date is that day in the workflow's
#   time zone, as it is for a time entry in the same node.
# What is seen: a minute is sent as 6,000 milliseconds, so an hour becomes six minutes, both when a task is created and when it is updated.
#   Due Date is read in the machine's time zone: on a server in UTC, a day in Tokyo is nine hours late, and one in Los Angeles begins the
#   afternoon before. A time entry is right in both.
# Why it matters: a plan based on estimates says that ten times as much fits into a week. The factor is always the same, so it looks as if
#   people estimated badly.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 >> npm.log 2>&1
cat > task.cjs <<'END'
const { ClickUp } = require('./package/dist/nodes/ClickUp/ClickUp.node.js');
const send = async (zone, values) => {
  let sent;
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'ClickUp', typeVersion: 1 }),
    getNodeParameter: (name) => ({ authentication: 'accessToken', list: 'l1', name: 'Talk', id: 't1', task: 't1', team: 'e1', timeEntry: 'n1' })[name] ?? values[name],
    getTimezone: () => zone,
    getCredentials: async () => ({ accessToken: 'k' }),
    continueOnFail: () => false,
    helpers: {
      request: async ({ body }) => ((sent = body), { data: {} }),
      requestWithAuthentication: async (_, { body }) => ((sent = body), { data: {} }),
      returnJsonArray: (json) => [{ json }],
      constructExecutionMetaData: (items) => items,
    },
  };
  await new ClickUp().execute.call(host);
  return sent;
};
(async () => {
  for (const timeEstimate of [60, 480]) {
    const made = await send('UTC', { resource: 'task', operation: 'create', additionalFields: { timeEstimate } });
    const changed = await send('UTC', { resource: 'task', operation: 'update', updateFields: { timeEstimate } });
    console.log(`${timeEstimate} minutes: a new task has ${made.time_estimate / 60_000}, a changed one ${changed.time_estimate / 60_000}`);
  }
  const entry = await send('UTC', { resource: 'timeEntry', operation: 'update', updateFields: { duration: 60 } });
  console.log(`60 minutes, of a time entry: ${entry.duration / 60_000}`);
  for (const zone of ['UTC', 'Asia/Tokyo', 'America/Los_Angeles']) {
    const chosen = '2030-01-31T00:00:00'; // as the field for a date gives it
    const task = await send(zone, { resource: 'task', operation: 'create', additionalFields: { dueDate: chosen } });
    const worked = await send(zone, { resource: 'timeEntry', operation: 'update', updateFields: { start: chosen } });
    const show = (time) => new Date(time).toLocaleString('sv', { timeZone: zone }).slice(0, 16);
    console.log(`${chosen} in ${zone}: a task is due ${show(task.due_date)}, a time entry starts ${show(worked.start)}`);
  }
})();
END
TZ=UTC node task.cjs > seen
cat seen
cat > expected <<'END'
60 minutes: a new task has 6, a changed one 6
480 minutes: a new task has 48, a changed one 48
60 minutes, of a time entry: 60
2030-01-31T00:00:00 in UTC: a task is due 2030-01-31 00:00, a time entry starts 2030-01-31 00:00
2030-01-31T00:00:00 in Asia/Tokyo: a task is due 2030-01-31 09:00, a time entry starts 2030-01-31 00:00
2030-01-31T00:00:00 in America/Los_Angeles: a task is due 2030-01-30 16:00, a time entry starts 2030-01-31 00:00
END
diff expected seen
