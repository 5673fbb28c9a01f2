#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0 (with its peer zod 3.25.76), which decides for each field of a node whether it is displayed (displayOptions).
# The good guess: two conditions in one "hide" work as in "show": both must be met. So a field hidden for resource booking and operation
#   create is displayed for all other operations of a booking, and for creating a contact.
# What is seen: "show" requires all conditions, but "hide" applies if any is met. The field is hidden for each operation of a booking, and
#   for creating anything. And a hidden field has no value: what was saved in it is dropped when the node is read.
# Why it matters: an exception meant for one combination hides the field in four, without a warning, and a workflow that had a value there
#   runs without it. With a single condition the two are opposites, so a small node works. List the remaining cases in "show" instead.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 >> npm.log 2>&1
cat > fields.cjs <<'END'
const { NodeHelpers } = require('n8n-workflow');
const choice = (name, ...values) => ({ displayName: name, name, type: 'options', options: values.map((value) => ({ name: value, value })), default: values[0], noDataExpression: true });
const resource = choice('resource', 'booking', 'contact');
const operation = choice('operation', 'create', 'get', 'cancel');
const condition = { resource: ['booking'], operation: ['create'] };
const saved = (values, displayOptions) => {
  const notes = { displayName: 'Notes', name: 'notes', type: 'string', default: '', displayOptions };
  const read = NodeHelpers.getNodeParameters([resource, operation, notes], { ...values, notes: 'Bring a laptop' }, true, false, { typeVersion: 1 }, null);
  return read.notes === undefined ? 'gone' : 'there';
};
for (const kind of ['booking', 'contact'])
  for (const what of ['create', 'get', 'cancel']) {
    const values = { resource: kind, operation: what };
    console.log(`${kind}, ${what}: by show ${saved(values, { show: condition })}, by hide ${saved(values, { hide: condition })}`);
  }
END
node fields.cjs > seen
cat seen
cat > expected <<'END'
booking, create: by show there, by hide gone
booking, get: by show gone, by hide gone
booking, cancel: by show gone, by hide gone
contact, create: by show gone, by hide gone
contact, get: by show gone, by hide there
contact, cancel: by show gone, by hide there
END
diff expected seen
