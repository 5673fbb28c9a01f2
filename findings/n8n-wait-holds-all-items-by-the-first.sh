#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Wait node (with n8n-workflow 2.41.0, luxon 3.7.2 and lodash 4.18.1, as it pins them).
# The good guess: an expression in a field is evaluated per item, so "wait until an hour before {{ $json.start }}" holds each booking until
#   its own time, or the node says that it has one time for all. A time without an offset is in the workflow's time zone, in all fields.
# What is seen: all items continue at the first item's time, even those whose time is days away. "At Specified Time" uses the workflow's
#   time zone; the limit of waiting for a webhook ("Limit Wait Time", at a specified time) uses the machine's.
# Why it matters: if the day's bookings go into Wait, all reminders are sent before the first meeting, or, if the last is listed first,
#   after the other meetings. With one booking, as in a test, all is right. And an approval that is open until 17:00 ends hours earlier or
#   later on a server. Use Loop Over Items, or one workflow run per item, and write an offset.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 luxon@3.7.2 lodash@4.18.1 >> npm.log 2>&1
cat > wait.cjs <<'END'
const Module = require('node:module');
const load = Module._load;
// The webhook and the form, on which the node stands, ask for packages that no wait calls.
Module._load = function (name, ...more) {
  try {
    return load.call(this, name, ...more);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' || name.startsWith('.')) throw error;
    return {};
  }
};
const { Wait } = require('./package/dist/nodes/Wait/Wait.node.js');
const wait = async (entered, items) => {
  let until;
  const [goOn] = await new Wait().execute({
    getInputData: () => items,
    getNode: () => ({ name: 'Wait', typeVersion: 1.1 }),
    getTimezone: () => 'America/New_York',
    getNodeParameter: (name, item, fallback) => (typeof entered[name] === 'function' ? entered[name](items[item].json) : entered[name]) ?? fallback,
    evaluateExpression: () => '',
    setMetadata: () => {},
    putExecutionToWait: async (time) => (until = time),
  });
  return `${goOn.length} go on at ${until.toISOString()}`;
};
const bookings = ['2099-01-05T09:00:00-05:00', '2099-01-05T16:00:00-05:00', '2099-01-09T09:00:00-05:00'].map((start) => ({ json: { start } }));
(async () => {
  const own = { resume: 'specificTime', dateTime: ({ start }) => start };
  console.log(`bookings at their start: ${await wait(own, bookings)}`);
  console.log(`the same, last one first: ${await wait(own, bookings.toReversed())}`);
  const clock = '2099-01-05T17:00:00';
  console.log(`at 17:00: ${await wait({ resume: 'specificTime', dateTime: clock }, [{ json: {} }])}`);
  console.log(`for a call, until 17:00: ${await wait({ resume: 'webhook', limitWaitTime: true, limitType: 'atSpecifiedTime', maxDateAndTime: clock }, [{ json: {} }])}`);
})();
END
TZ=UTC node wait.cjs > seen
cat seen
cat > expected <<'END'
bookings at their start: 3 go on at 2099-01-05T14:00:00.000Z
the same, last one first: 3 go on at 2099-01-09T14:00:00.000Z
at 17:00: 1 go on at 2099-01-05T22:00:00.000Z
for a call, until 17:00: 1 go on at 2099-01-05T17:00:00.000Z
END
diff expected seen
