#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Microsoft To Do node, Update a task (with n8n-workflow 2.41.0 and moment-timezone 0.5.48, as it pins
#   them); a stub applies PATCH like Microsoft Graph.
# The good guess: an update changes the fields that were added under "Update Fields", and nothing else.
# What is seen: each update without a reminder also sends isReminderOn: false. So a new title, a note or a status switches off the reminder
#   that the task had. Its time is still shown.
# Why it matters: "call the guest at nine" was set with a reminder; a workflow appends the phone number to the title, and at nine nothing
#   rings. The node's output is a success. Send the reminder's time again with each update.
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
const { MicrosoftToDo } = require('./package/dist/nodes/Microsoft/ToDo/MicrosoftToDo.node.js');
let task;
const run = async (operation, given) => {
  let sent;
  const host = {
    getInputData: () => [{ json: {} }],
    getTimezone: () => 'America/New_York',
    getNode: () => ({ name: 'Microsoft To Do', typeVersion: 1 }),
    getNodeParameter: (name, _, fallback) => ({ resource: 'task', operation, taskListId: 'l1', taskId: 't1', authentication: 'microsoftToDoOAuth2Api', ...given })[name] ?? fallback,
    getCredentials: async () => ({}),
    continueOnFail: () => false,
    helpers: {
      returnJsonArray: (json) => [json].flat().map((one) => ({ json: one })),
      constructExecutionMetaData: (items) => items,
      requestOAuth2: async (_, { body }) => ((sent = body), (task = { ...task, ...body })),
      requestWithAuthentication: async (_, { body }) => ((sent = body), (task = { ...task, ...body })),
    },
  };
  await new MicrosoftToDo().execute.call(host);
  console.log(`${operation} sends ${Object.keys(sent).join(', ')}: reminder at ${task.reminderDateTime.dateTime}, ${task.isReminderOn ? 'on' : 'off'}`);
};
(async () => {
  const reminderDateTime = '2030-01-31T09:00:00';
  await run('create', { title: 'Call the guest', additionalFields: { reminderDateTime } });
  await run('update', { updateFields: { title: 'Call the guest, 555 0100' } });
  await run('update', { updateFields: { title: 'Call the guest, 555 0100', reminderDateTime } });
  await run('update', { updateFields: { status: 'inProgress' } });
})();
END
node task.cjs > seen
cat seen
cat > expected <<'END'
create sends title, reminderDateTime, isReminderOn: reminder at 2030-01-31T09:00:00-05:00, on
update sends title, isReminderOn: reminder at 2030-01-31T09:00:00-05:00, off
update sends title, reminderDateTime, isReminderOn: reminder at 2030-01-31T09:00:00-05:00, on
update sends status, isReminderOn: reminder at 2030-01-31T09:00:00-05:00, off
END
diff expected seen
