#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the nodes Aggregate and Split Out (with n8n-workflow 2.41.0 and lodash 4.18.1, as it pins them), with
#   their defaults.
# The good guess: "Aggregate Individual Fields" makes one list of each field, and the n-th entry of each list belongs to the n-th item. Two
#   fields, guest.email and host.email, give two lists; the node refuses two fields with the same output name.
# What is seen: items in which a field is missing or null are skipped in its list alone. If Bob has no email, the emails of Ada and Eve
#   stand next to the hours of Ada and Bob. And only the last part of a path becomes the name: of guest.email and host.email, the list of
#   the hosts replaces that of the guests, without a word.
# Why it matters: lists that stand next to each other, in a sheet, a table of an email, or split out again, give Eve the hour of Bob, and
#   the last booking goes without an address. While every guest has an email, as in a test, it is right. "Keep Missing And Null Values"
#   keeps the lists in step.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 lodash@4.18.1 >> npm.log 2>&1
cat > lists.cjs <<'END'
const { Aggregate } = require('./package/dist/nodes/Transform/Aggregate/Aggregate.node.js');
const { SplitOut } = require('./package/dist/nodes/Transform/SplitOut/SplitOut.node.js');
const run = async (Node, items, given) => {
  const [made] = await new Node().execute.call({
    getInputData: () => items.map((json) => ({ json })),
    getNode: () => ({ name: Node.name, typeVersion: 1 }),
    getNodeParameter: (name, _, fallback) => given[name] ?? fallback,
    addExecutionHints: () => {},
    helpers: {},
  });
  return made.map(({ json }) => json);
};
const aggregate = (items, fields, keepMissing = false) =>
  run(Aggregate, items, {
    aggregate: 'aggregateIndividualFields',
    'fieldsToAggregate.fieldToAggregate': fields.map((fieldToAggregate) => ({ fieldToAggregate, renameField: false })),
    'options.keepMissing': keepMissing,
  });
const bookings = (bob) => [{ email: 'ada@example.com', at: '09:00' }, { ...bob, at: '10:00' }, { email: 'eve@example.com', at: '11:00' }];
(async () => {
  for (const [says, items, keepMissing] of [
    ['all have an email', bookings({ email: 'bob@example.com' })],
    ['Bob has none', bookings({})],
    ['Bob has null', bookings({ email: null })],
    ['Bob has none, missing values are kept', bookings({}), true],
  ]) {
    const lists = await aggregate(items, ['email', 'at'], keepMissing);
    const again = await run(SplitOut, lists, { fieldToSplitOut: 'email, at', include: 'noOtherFields', options: {} });
    console.log(`${says}: ${JSON.stringify(lists[0])}`);
    console.log(`  split out: ${again.map(({ email, at }) => `${email} at ${at}`).join(', ')}`);
  }
  const meeting = { guest: { email: 'ada@example.com' }, host: { email: 'host@example.com' } };
  console.log(`guest.email and host.email: ${JSON.stringify((await aggregate([meeting], ['guest.email', 'host.email']))[0])}`);
})();
END
node lists.cjs > seen
cat seen
cat > expected <<'END'
all have an email: {"email":["ada@example.com","bob@example.com","eve@example.com"],"at":["09:00","10:00","11:00"]}
  split out: ada@example.com at 09:00, bob@example.com at 10:00, eve@example.com at 11:00
Bob has none: {"email":["ada@example.com","eve@example.com"],"at":["09:00","10:00","11:00"]}
  split out: ada@example.com at 09:00, eve@example.com at 10:00, undefined at 11:00
Bob has null: {"email":["ada@example.com","eve@example.com"],"at":["09:00","10:00","11:00"]}
  split out: ada@example.com at 09:00, eve@example.com at 10:00, undefined at 11:00
Bob has none, missing values are kept: {"email":["ada@example.com",null,"eve@example.com"],"at":["09:00","10:00","11:00"]}
  split out: ada@example.com at 09:00, undefined at 10:00, eve@example.com at 11:00
guest.email and host.email: {"email":["host@example.com"]}
END
diff expected seen
