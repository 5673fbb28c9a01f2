#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0, whose classes every n8n node uses to report errors and keep state.
# The good guess: the title that a node gives its error is the title that people see. And what n8n stores for a node (its static data) stays
#   with the node when it is renamed, because renaming also updates connections and expressions.
# What is seen: n8n searches titles for the names of sixteen system errors, even inside words, and then replaces the whole title. A question
#   about "preexisting_conditions" contains EEXIST, so people read "The file or directory already exists". Static data is stored under the
#   node's name, and renaming does not move it: the renamed node has none, and a node that gets the old name has the other's.
# Why it matters: an error reports something that did not happen. A renamed polling trigger starts from nothing and misses what happened
#   since its last poll, or continues where another trigger was.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact n8n-workflow@2.41.0 >/dev/null
cat >seen.cjs <<'JS'
const { NodeOperationError, Workflow } = require('n8n-workflow');
const node = { id: '1', name: 'Poll', type: 'poll', typeVersion: 1, position: [0, 0], parameters: {} };
const title = 'The answer to "preexisting_conditions" is wrong.';
const shown = new NodeOperationError(node, title).message;
console.log('given:', title);
console.log('shown:', shown);

const nodeTypes = { getByName: () => undefined, getByNameAndVersion: () => undefined, getKnownTypes: () => ({}) };
const workflow = new Workflow({ id: '1', nodes: [node], connections: {}, active: false, nodeTypes, staticData: {} });
workflow.getStaticData('node', node).cursor = 'event 41';
workflow.renameNode('Poll', 'Poll bookings');
const renamed = workflow.getNode('Poll bookings');
const kept = { ...workflow.getStaticData('node', renamed) };
const heir = { ...workflow.getStaticData('node', { ...node, id: '2', name: 'Poll' }) };
console.log('after renaming, the same node has:', kept);
console.log('another node with the old name has:', heir);
const isAsSeen = shown === 'The file or directory already exists' && kept.cursor === undefined && heir.cursor === 'event 41';
console.log(isAsSeen ? 'as described' : 'CHANGED: not as described');
process.exitCode = isAsSeen ? 0 : 1;
JS
node seen.cjs
