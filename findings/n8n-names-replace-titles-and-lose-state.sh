#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0, with whose classes every node of n8n says its errors and keeps its state.
# The good guess: the title that a node gives to its error is the title that people see; and what n8n keeps for a node (its static data)
#   stays with the node when somebody renames it, because renaming also corrects connections and expressions.
# What is seen: n8n looks for the names of sixteen system errors inside the words of a title, and then replaces the whole title. A question
#   about "preexisting conditions" contains EEXIST, so people read "The file or directory already exists". And static data is kept under
#   the node's name, which renaming does not change: the renamed node has none, and a node that gets the old name has the other one's.
# Why it matters: an error says something that did not happen. And a polling trigger that is renamed begins from nothing and misses what
#   happened since its last poll, or goes on where another trigger was.
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
