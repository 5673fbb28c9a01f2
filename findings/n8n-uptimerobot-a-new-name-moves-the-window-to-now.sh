#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the UptimeRobot node, Update a maintenance window (with n8n-workflow 2.41.0 and moment-timezone 0.5.48, as
#   it pins them); the clock is set, and a stub shows what is sent.
# The good guess: an update changes what was added under "Update Fields": a new name leaves the start of the window alone. A start time is
#   sent as the service takes it, as when the window was created: a time of the day, or in seconds for a window that takes place once.
# What is seen: without a start time, the current time of the workflow's zone is sent as the start: a nightly window at 02:00 becomes one at
#   the minute of the update. And a new start of a window that takes place once is sent as a time of the day, 02:00 without a date, unless
#   its type is set again as well.
# Why it matters: the nightly restart of the booking page raises the alarm each night again, and in the middle of the day nobody is told
#   that the page is down. The answer says that the update was successful.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 >> npm.log 2>&1
cat > window.cjs <<'END'
require('moment-timezone').now = () => Date.parse('2030-01-31T20:47:00Z');
const { UptimeRobot } = require('./package/dist/nodes/UptimeRobot/UptimeRobot.node.js');
const run = async (operation, given) => {
  let sent;
  const host = {
    getInputData: () => [{ json: {} }],
    getTimezone: () => 'America/New_York',
    getNode: () => ({ name: 'UptimeRobot', typeVersion: 1 }),
    getNodeParameter: (name, _, fallback) => ({ resource: 'maintenanceWindow', operation, id: 7, duration: 30, ...given })[name] ?? fallback,
    getCredentials: async () => ({ apiKey: 'k' }),
    continueOnFail: () => false,
    helpers: {
      returnJsonArray: (json) => [json].flat().map((one) => ({ json: one })),
      constructExecutionMetaData: (items) => items,
      request: async ({ form }) => ((sent = form), { stat: 'ok', mwindow: {} }),
    },
  };
  await new UptimeRobot().execute.call(host);
  const { api_key, id, ...rest } = sent;
  console.log(`${operation} ${JSON.stringify(given)}`);
  console.log(`  sends ${JSON.stringify(rest)}`);
};
(async () => {
  const start_time = '2030-02-01T02:00:00';
  const [once, daily] = [1, 2];
  await run('create', { friendlyName: 'Restart', type: daily, start_time });
  await run('update', { updateFields: { friendly_name: 'Nightly restart' } });
  await run('create', { friendlyName: 'Move', type: once, start_time });
  await run('update', { updateFields: { start_time: '2030-02-08T02:00:00' } });
  await run('update', { updateFields: { start_time: '2030-02-08T02:00:00', type: once } });
})();
END
node window.cjs > seen
cat seen
cat > expected <<'END'
create {"friendlyName":"Restart","type":2,"start_time":"2030-02-01T02:00:00"}
  sends {"duration":30,"friendly_name":"Restart","start_time":"02:00","type":2}
update {"updateFields":{"friendly_name":"Nightly restart"}}
  sends {"duration":30,"friendly_name":"Nightly restart","start_time":"15:47"}
create {"friendlyName":"Move","type":1,"start_time":"2030-02-01T02:00:00"}
  sends {"duration":30,"friendly_name":"Move","start_time":1896159600,"type":1}
update {"updateFields":{"start_time":"2030-02-08T02:00:00"}}
  sends {"duration":30,"start_time":"02:00"}
update {"updateFields":{"start_time":"2030-02-08T02:00:00","type":1}}
  sends {"duration":30,"start_time":1896764400,"type":1}
END
diff expected seen
