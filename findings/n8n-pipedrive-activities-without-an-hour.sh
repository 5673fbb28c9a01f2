#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Pipedrive node, resource Activity (with n8n-workflow 2.41.0 and what else it pins); a stub shows the
#   request body.
# The good guess: an activity with a date and a time is due then. Pipedrive has due_date and due_time for it, and n8n's field "Due Date"
#   asks for both.
# What is seen: the time is dropped, and no field of the node accepts one. The date is the first ten characters, so the same moment is due
#   on 31 January if written with New York's offset, and on 1 February if written in UTC.
# Why it matters: a call booked for three o'clock becomes an entry without a time, and an evening call moves to the next day. No error is
#   reported: the salesperson sees a day full of calls, and no appointment.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 lodash@4.18.1 >> npm.log 2>&1
cat > activity.cjs <<'END'
const activity = './package/dist/nodes/Pipedrive/v2/actions/activity';
const send = async (operation, due_date) => {
  let sent;
  const values = { subject: 'Call', type: 'call', done: '0', rawCustomFieldKeys: true, activityId: 7, additionalFields: { due_date }, updateFields: { due_date } };
  const answer = async (_, { body }) => ((sent = body), { success: true, data: {} });
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'Pipedrive', typeVersion: 2 }),
    getNodeParameter: (name, _item, fallback) => values[name] ?? fallback,
    getTimezone: () => 'America/New_York',
    continueOnFail: () => false,
    helpers: {
      requestWithAuthentication: answer,
      httpRequestWithAuthentication: answer,
      returnJsonArray: (json) => [json],
      constructExecutionMetaData: (items) => items,
    },
  };
  await require(`${activity}/${operation}.operation.js`).execute.call(host);
  return JSON.stringify({ due_date: sent.due_date, due_time: sent.due_time });
};
(async () => {
  for (const due of ['2030-01-31T15:00:00Z', '2030-01-31 15:00', '2030-01-31T21:00:00-05:00', '2030-02-01T02:00:00Z'])
    for (const operation of ['create', 'update']) console.log(`${operation}, due at ${due}: ${await send(operation, due)}`);
  const { description } = require(`${activity}/create.operation.js`);
  const fields = description.flatMap(({ name, type, options = [] }) => [{ name, type }, ...options]);
  console.log(`fields that take a time: ${fields.filter(({ name, type }) => type === 'dateTime' || /due|time/.test(name ?? '')).map(({ name, type }) => `${name} (${type})`)}`);
})();
END
node activity.cjs > seen
cat seen
cat > expected <<'END'
create, due at 2030-01-31T15:00:00Z: {"due_date":"2030-01-31"}
update, due at 2030-01-31T15:00:00Z: {"due_date":"2030-01-31"}
create, due at 2030-01-31 15:00: {"due_date":"2030-01-31"}
update, due at 2030-01-31 15:00: {"due_date":"2030-01-31"}
create, due at 2030-01-31T21:00:00-05:00: {"due_date":"2030-01-31"}
update, due at 2030-01-31T21:00:00-05:00: {"due_date":"2030-01-31"}
create, due at 2030-02-01T02:00:00Z: {"due_date":"2030-02-01"}
update, due at 2030-02-01T02:00:00Z: {"due_date":"2030-02-01"}
fields that take a time: due_date (dateTime)
END
diff expected seen
