#!/usr/bin/env bash
# Package: n8n-core 2.41.1, which runs n8n's nodes (with n8n-workflow 2.41.0, as it pins it). The nodes here are small ones; the second
#   returns new records without saying which input each came from (pairedItem), as a Code node does that builds its records.
# The good guess: $('Bookings').item returns the booking from which a record was made, or an error if n8n cannot know it, as it does in some
#   cases.
# What is seen: the error comes only if the counts differ. An equal number of records is linked by position, so after sorting, each has
#   another person's booking. And a single record made from many is linked to the first, even if it came from the last or is the sum of all.
# Why it matters: the email "your appointment is at nine" goes to somebody else, with a name that matches the address. While a list keeps
#   its order, or has one booking, as in a test, all is right. Set pairedItem, or carry the needed fields along.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts n8n-core@2.41.1 >> npm.log 2>&1
cat > links.cjs <<'END'
const { writeFileSync } = require('node:fs');
const { ExecutionLifecycleHooks, WorkflowExecute } = require('n8n-core');
const { Workflow } = require('n8n-workflow');
const bookings = [
  { email: 'ada@example.com', at: '15:00' },
  { email: 'bob@example.com', at: '09:00' },
  { email: 'eve@example.com', at: '12:00' },
];
const properties = [{ displayName: 'To', name: 'to', type: 'string', default: '' }];
const type = (name, execute, outputs = ['main']) => ({ description: { displayName: name, name, group: ['output'], version: 1, description: name, defaults: { name }, inputs: ['main'], outputs, properties }, execute });
const records = (made) => [made.map((json) => ({ json }))];
const run = async (make) => {
  const sent = [];
  const types = {
    Bookings: type('Bookings', async () => records(bookings)),
    Make: type('Make', async () => records(make())),
    Mail: type('Mail', async function () {
      this.getInputData().forEach(({ json }, item) => sent.push(`${json.at} to ${this.getNodeParameter('to', item)}`));
      return [[]];
    }),
  };
  const parameters = { to: "={{ $('Bookings').item.json.email }}" };
  const nodes = Object.keys(types).map((name) => ({ id: name, name, type: name, typeVersion: 1, position: [0, 0], parameters: name === 'Mail' ? parameters : {} }));
  const to = (node) => ({ main: [[{ node, type: 'main', index: 0 }]] });
  const about = { id: 'w', name: 'Reminders', nodes, connections: { Bookings: to('Make'), Make: to('Mail') }, active: false };
  const nodeTypes = { getByName: (name) => types[name], getByNameAndVersion: (name) => types[name], getKnownTypes: () => ({}) };
  const workflow = new Workflow({ ...about, nodeTypes, settings: { executionOrder: 'v1' } });
  const additionalData = { hooks: new ExecutionLifecycleHooks('trigger', '1', about), setExecutionStatus: () => {}, variables: {}, webhookWaitingBaseUrl: 'http://n8n', formWaitingBaseUrl: 'http://n8n' };
  const { data } = await new WorkflowExecute(additionalData, 'trigger').run({ workflow, startNode: workflow.getNode('Bookings') });
  return data.resultData.error ? `an error: ${data.resultData.error.message}` : sent.join(', ');
};
(async () => {
  const sorted = () => bookings.map(({ at }) => ({ at })).sort((one, other) => (one.at < other.at ? -1 : 1));
  const lines = [
    `as they are: ${await run(() => bookings.map(({ at }) => ({ at })))}`,
    `sorted: ${await run(sorted)}`,
    `the next one: ${await run(() => sorted().slice(0, 1))}`,
    `the next two: ${await run(() => sorted().slice(0, 2))}`,
  ];
  writeFileSync('seen', `${lines.join('\n')}\n`);
  process.exit(0);
})();
END
node links.cjs > links.log 2>&1 || { cat links.log; exit 1; }
cat seen
cat > expected <<'END'
as they are: 15:00 to ada@example.com, 09:00 to bob@example.com, 12:00 to eve@example.com
sorted: 09:00 to ada@example.com, 12:00 to bob@example.com, 15:00 to eve@example.com
the next one: 09:00 to ada@example.com
the next two: an error: Paired item data for item from node 'Make' is unavailable. Ensure 'Make' is providing the required output.
END
diff expected seen
