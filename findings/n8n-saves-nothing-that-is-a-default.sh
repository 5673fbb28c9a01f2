#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0 (with its peer zod 3.25.76), by which n8n decides what of a node is saved with a workflow, and reads it again.
# The good guess: what a person chose in a node is saved, also if it is what the form began with. So a new version of a node may begin
#   with something else, for new nodes.
# What is seen: a value that is the default is left out when the node is saved, chosen or not, and the default of the version that is installed
#   takes its place when it runs. Only what differs from the default of its day is kept.
# Why it matters: an update of a node that begins with "tell the guests" tells them in all workflows in which somebody chose not to, and nothing
#   in them has changed. A change of a default wants a new typeVersion, with the old default kept for the old one (n8n's page on versioning, which
#   does not name defaults).
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
