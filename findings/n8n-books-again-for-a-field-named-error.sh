#!/usr/bin/env bash
# Package: n8n-core 2.41.1, which runs n8n's nodes (with n8n-workflow 2.41.0, as it pins it); the node here is a small one that books.
# The good guess: "Retry On Fail" runs a node again if it has failed. A node that succeeded is not run again because of a field's name.
# What is seen: if its first record has a field "error", the node runs three times in all, and the run is a success. An empty string or an
#   empty array is enough; null is not. In a second record the field has no effect.
# Why it matters: APIs return "error": "" for no error, or the reason why a payment is pending. Each such booking is made three times for
#   everybody who has switched on retries. Nothing in n8n shows it; only the API's records do.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts n8n-core@2.41.1 >> npm.log 2>&1
cat > retries.cjs <<'END'
const { writeFileSync } = require('node:fs');
const { ExecutionLifecycleHooks, WorkflowExecute } = require('n8n-core');
const { Workflow } = require('n8n-workflow');
let bookings;
let records;
const description = { displayName: 'Book', name: 'book', group: ['output'], version: 1, description: 'Books', defaults: { name: 'Book' }, inputs: ['main'], outputs: ['main'], properties: [] };
const book = {
  description,
  execute: async () => {
    bookings++;
    return [records.map((json) => ({ json }))];
  },
};
const nodeTypes = { getByName: () => book, getByNameAndVersion: () => book, getKnownTypes: () => ({}) };
const run = async (retryOnFail) => {
  bookings = 0;
  const node = { id: '1', name: 'Book', type: 'book', typeVersion: 1, position: [0, 0], parameters: {}, retryOnFail, maxTries: 3, waitBetweenTries: 0 };
  const about = { id: 'w', name: 'Bookings', nodes: [node], connections: {}, active: false };
  const workflow = new Workflow({ ...about, nodeTypes, settings: { executionOrder: 'v1' } });
  const additionalData = { hooks: new ExecutionLifecycleHooks('trigger', '1', about), setExecutionStatus: () => {}, variables: {} };
  const { data } = await new WorkflowExecute(additionalData, 'trigger').run({ workflow, startNode: workflow.getNode('Book') });
  const [{ executionStatus }] = data.resultData.runData.Book;
  return `${bookings} booked, ${executionStatus}`;
};
(async () => {
  const lines = [];
  const one = { id: 'b1' };
  for (const given of [[one], [{ ...one, error: null }], [{ ...one, error: '' }], [{ ...one, error: [] }], [{ ...one, error: 'Payment is pending' }], [one, { id: 'b2', error: 'Payment is pending' }]]) {
    records = given;
    lines.push(`${JSON.stringify(given)}: ${await run(false)}; with Retry On Fail: ${await run(true)}`);
  }
  writeFileSync('seen', `${lines.join('\n')}\n`);
  process.exit(0);
})();
END
node retries.cjs > retries.log 2>&1 || { cat retries.log; exit 1; }
cat seen
cat > expected <<'END'
[{"id":"b1"}]: 1 booked, success; with Retry On Fail: 1 booked, success
[{"id":"b1","error":null}]: 1 booked, success; with Retry On Fail: 1 booked, success
[{"id":"b1","error":""}]: 1 booked, success; with Retry On Fail: 3 booked, success
[{"id":"b1","error":[]}]: 1 booked, success; with Retry On Fail: 3 booked, success
[{"id":"b1","error":"Payment is pending"}]: 1 booked, success; with Retry On Fail: 3 booked, success
[{"id":"b1"},{"id":"b2","error":"Payment is pending"}]: 1 booked, success; with Retry On Fail: 1 booked, success
END
diff expected seen
