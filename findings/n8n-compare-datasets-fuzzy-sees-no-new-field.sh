#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Compare Datasets node (with n8n-workflow 2.41.0 and lodash 4.18.1, as it pins them).
# The good guess: "Fuzzy Compare" is less strict with types (3 and "3") and with empty values. A booking that has the field cancelledAt in
#   input B, and does not have it in A, is different.
# What is seen: with the option, only the fields of A are compared. What exists only in B is not looked at, so the cancelled booking comes
#   out of "Same". The other way round, with the field in A only, it is different, and so it is without the option.
# Why it matters: a service that sends a field only when it has a value, as many do, gets a cancellation, an approval or a payment that a
#   sync by Compare Datasets does not pass on. The direction decides, and most people test one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 lodash@4.18.1 >> npm.log 2>&1
cat > compare.cjs <<'END'
const { CompareDatasets } = require('./package/dist/nodes/CompareDatasets/CompareDatasets.node.js');
const compare = async (fuzzyCompare, ...inputs) => {
  const given = { 'mergeByFields.values': [{ field1: 'id', field2: 'id' }], resolve: 'preferInput2', fuzzyCompare, options: {} };
  const outputs = await new CompareDatasets().execute.call({
    getInputData: (index) => [{ json: inputs[index], pairedItem: { item: 0 } }],
    getNode: () => ({ name: 'Compare Datasets', typeVersion: 2.3 }),
    getNodeParameter: (name, _, fallback) => given[name] ?? fallback,
  });
  return ['In A only', 'Same', 'Different', 'In B only'][outputs.findIndex((items) => items.length > 0)];
};
(async () => {
  const booking = { id: 'b1', guests: 3 };
  for (const [says, a, b] of [
    ['3 and "3" guests', booking, { ...booking, guests: '3' }],
    ['3 and 4 guests', booking, { ...booking, guests: 4 }],
    ['cancelledAt in B only', booking, { ...booking, cancelledAt: '2030-01-31T09:00:00Z' }],
    ['cancelledAt in A only', { ...booking, cancelledAt: '2030-01-31T09:00:00Z' }, booking],
    ['cancelledAt null in A', { ...booking, cancelledAt: null }, { ...booking, cancelledAt: '2030-01-31T09:00:00Z' }],
  ])
    console.log(`${says}: ${await compare(false, a, b)}, fuzzy ${await compare(true, a, b)}`);
})();
END
node compare.cjs > seen
cat seen
cat > expected <<'END'
3 and "3" guests: Different, fuzzy Same
3 and 4 guests: Different, fuzzy Different
cancelledAt in B only: Different, fuzzy Same
cancelledAt in A only: Different, fuzzy Different
cancelledAt null in A: Different, fuzzy Different
END
diff expected seen
