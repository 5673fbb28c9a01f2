#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the node Sort, "Simple" (with n8n-workflow 2.41.0, as it pins it).
# The good guess: items that lack the field, or have null in it, come last or first, as in a spreadsheet or a database, and the others are in
#   order. The node allows them, as one item with the field is enough for it.
# What is seen: what is missing is neither less nor more than any other value, in both directions, and counts as more whichever side it stands on.
#   So the ones before and behind it are not compared, and of 10:00, none, 09:00, 11:00 and 08:00 the first stays where it is. Without such an
#   item the order is right.
# Why it matters: one booking without an end, or without a table yet, and the list of the day starts with a later one, so "the first item is the
#   next guest" is another guest. The order in which they came in decides which.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# The nodes alone: what the other nodes of the package need is 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 >> npm.log 2>&1
cat > bookings.cjs <<'END'
const { Sort } = require('./package/dist/nodes/Transform/Sort/Sort.node.js');
const sort = async (starts, order) => {
  const host = {
    getInputData: () => starts.map((start) => ({ json: start === undefined ? {} : { start } })),
    getNode: () => ({ name: 'Sort', typeVersion: 1 }),
    getNodeParameter: (name, _, otherwise) => ({ type: 'simple', sortFieldsUi: { sortField: [{ fieldName: 'start', order }] } })[name] ?? otherwise,
  };
  const [items] = await new Sort().execute.call(host);
  return items.map(({ json }) => json.start ?? 'none').join(', ');
};
(async () => {
  for (const starts of [
    ['10:00', '09:00', '11:00', '08:00'],
    ['10:00', undefined, '09:00', '11:00', '08:00'],
    ['10:00', '09:00', null, '08:00', '11:00'],
    [null, '11:00', '10:00'],
  ]) {
    console.log(starts.map((start) => start ?? 'none').join(', '));
    for (const order of ['ascending', 'descending']) console.log(`  ${order}: ${await sort(starts, order)}`);
  }
})();
END
node bookings.cjs > seen
cat seen
cat > expected <<'END'
10:00, 09:00, 11:00, 08:00
  ascending: 08:00, 09:00, 10:00, 11:00
  descending: 11:00, 10:00, 09:00, 08:00
10:00, none, 09:00, 11:00, 08:00
  ascending: 10:00, none, 08:00, 09:00, 11:00
  descending: 11:00, 09:00, 08:00, none, 10:00
10:00, 09:00, none, 08:00, 11:00
  ascending: 08:00, 09:00, 10:00, none, 11:00
  descending: 11:00, none, 10:00, 09:00, 08:00
none, 11:00, 10:00
  ascending: none, 10:00, 11:00
  descending: 11:00, 10:00, none
END
diff expected seen
