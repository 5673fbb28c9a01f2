#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Sort node, "Simple" (with n8n-workflow 2.41.0, as it pins it).
# The good guess: items in which the field is missing or null come first or last, as in a spreadsheet or database, and the others are in
#   order. The node accepts such items: it is enough if one item has the field.
# What is seen: an empty value is neither less nor more than any other, so the comparison calls it greater from either side. Values before
#   and after it are then not compared with each other: of 10:00, none, 09:00, 11:00 and 08:00, 10:00 comes first in ascending and last in
#   descending order. Without such an item the order is right.
# Why it matters: one booking without an end, or without a table yet, and the day's list starts with a later one, so "the first item is the
#   next guest" gives another guest. It depends on the order in which they arrived.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
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
