#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Remove Duplicates node (with n8n-workflow 2.41.0).
# The good guess: with a full history, "Remove Items Processed in Previous Executions" forgets the oldest values, or at least still
#   recognizes those it knows.
# What is seen: if stored values plus incoming items exceed the history size (default 10,000), the node fails, even if it knows every value
#   that comes in, and fails again in each such run. It never forgets a value by itself.
# Why it matters: a workflow that watches a list works for months or years, and then never again. With a long list this happens much sooner,
#   because every incoming item counts, known or not.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >/dev/null
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils

npm install --silent --no-audit --no-fund --ignore-scripts --save-exact n8n-workflow@2.41.0 zod@3.25.76 lodash@4.17.21 compare-versions@6.1.1 >/dev/null
cat >duplicates.cjs <<'JS'
const { RemoveDuplicatesV2 } = require('./package/dist/nodes/Transform/RemoveDuplicates/v2/RemoveDuplicatesV2.node.js');
const node = new RemoveDuplicatesV2({});
// What n8n keeps for the node: the values that it has seen.
const held = new Set();
const run = async (...ids) => {
  const entered = { operation: 'removeItemsSeenInPreviousExecutions', logic: 'removeItemsWithAlreadySeenKeyValues', 'options.historySize': 5 };
  const host = {
    getInputData: () => ids.map((id) => ({ json: { id } })),
    getNode: () => ({ name: 'Remove Duplicates', typeVersion: 2 }),
    getNodeParameter: (name, item, fallback) => (name === 'dedupeValue' ? ids[item] : (entered[name] ?? fallback)),
    continueOnFail: () => false,
    addExecutionHints: () => {},
    helpers: {
      getProcessedDataCount: () => Promise.resolve(held.size),
      checkProcessedAndRecord: (values) => {
        const fresh = values.filter((value) => !held.has(value));
        for (const value of fresh) held.add(value);
        return Promise.resolve({ new: fresh, processed: values.filter((value) => !fresh.includes(value)) });
      },
    },
  };
  return node.execute.call(host).then(([kept]) => `kept ${kept.length}`, (error) => `failed: ${error.message.slice(0, 70)}`);
};
(async () => {
  const seen = [await run('a', 'b', 'c'), await run('a', 'b'), await run('a', 'b', 'c'), await run('a', 'b', 'c')];
  seen.forEach((line, index) => console.log(`run ${index + 1}, a history of 5: ${line}`));
  process.exitCode = seen.map((line) => line.slice(0, 6)).join() === 'kept 3,kept 0,failed,failed' ? 0 : 1;
})();
JS
node duplicates.cjs
