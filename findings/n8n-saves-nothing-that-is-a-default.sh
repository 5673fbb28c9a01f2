#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0 (with its peer zod 3.25.76), which decides what of a node is saved with a workflow, and reads it again.
# The good guess: what a person chose in a node is saved, even if it equals the default. So a new version of a node may change its defaults
#   for new nodes.
# What is seen: a value equal to the default is not saved, chosen or not, and when the node runs, it gets the default of the installed
#   version. Only values that differ from the default at the time are kept.
# Why it matters: if an update of a node turns on "tell the guests" by default, it tells them in all workflows in which somebody chose not
#   to, although these have not changed. A new default needs a new typeVersion that keeps the old default for the old version (n8n's page on
#   versioning, which does not mention defaults).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 >> npm.log 2>&1
cat > saved.cjs <<'END'
const { NodeHelpers } = require('n8n-workflow');
const fields = (tell, limit) => [
  { displayName: 'Tell the Guests', name: 'tell', type: 'boolean', default: tell },
  { displayName: 'Limit', name: 'limit', type: 'number', default: limit },
  { displayName: 'Reason', name: 'reason', type: 'string', default: '' },
];
const read = (form, values, whole) => NodeHelpers.getNodeParameters(form, values, whole, false, { typeVersion: 1 }, null);
const show = (says, values) => console.log(`${says}: ${JSON.stringify(values)}`);
const chosen = { tell: false, limit: 50, reason: 'Moved' };
show('chosen by a person', chosen);
const saved = read(fields(false, 50), chosen, false);
show('saved', saved);
show('run by the same version', read(fields(false, 50), saved, true));
show('run by the next version, which begins with other values', read(fields(true, 100), saved, true));
END
node saved.cjs > seen
cat seen
cat > expected <<'END'
chosen by a person: {"tell":false,"limit":50,"reason":"Moved"}
saved: {"reason":"Moved"}
run by the same version: {"tell":false,"limit":50,"reason":"Moved"}
run by the next version, which begins with other values: {"tell":true,"limit":100,"reason":"Moved"}
END
diff expected seen
