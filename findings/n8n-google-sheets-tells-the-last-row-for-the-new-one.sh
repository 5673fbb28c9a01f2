#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Google Sheets Trigger node, "Row Added" (with n8n-workflow 2.41.0, lodash 4.18.1 and @e965/xlsx
#   0.20.3, as it pins them); a stub answers with the rows of a sheet.
# The good guess: a row that was added is reported, wherever it is. Removing a row has no effect on those that are added later.
# What is seen: the node counts the rows, and reports what is below the old count. A row inserted at the top, or a sheet sorted by date,
#   gives the last row, which is an old one. If as many rows were removed as added since the last poll, or more, the added ones are never
#   reported.
# Why it matters: in a list of bookings with the newest on top, or kept in the order of their dates, an old guest gets another confirmation
#   for each new guest, who gets none. Appending at the end, as in a test, is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 lodash@4.18.1 @e965/xlsx@0.20.3 jsonwebtoken@9.0.3 \
  moment-timezone@0.5.48 >> npm.log 2>&1
cat > trigger.cjs <<'END'
const { GoogleSheetsTrigger } = require('./package/dist/nodes/Google/Sheet/GoogleSheetsTrigger.node.js');
const poll = async (kept, names) => {
  const values = [['Name'], ...names.map((name) => [name])];
  const host = {
    getWorkflowStaticData: () => kept,
    getNodeParameter: (name, _, options) =>
      name === 'event' ? 'rowAdded' : name === 'options' ? {} : name === 'authentication' ? 'triggerOAuth2' : options?.extractValue ? 'gid' : { mode: 'name' },
    getMode: () => 'trigger',
    getNode: () => ({ name: 'Google Sheets Trigger', typeVersion: 1 }),
    helpers: {
      returnJsonArray: (json) => json,
      requestOAuth2: async (_, { uri }) => (uri.includes('/values/') ? { values } : { sheets: [{ properties: { sheetId: 1, title: 'gid' } }] }),
    },
  };
  return ((await new GoogleSheetsTrigger().poll.call(host))?.[0] ?? []).map(({ Name }) => Name || '(empty)').join(' ') || 'nothing';
};
const old = ['Ada', 'Bob', 'Eve'];
(async () => {
  for (const [says, ...then] of [
    ['Kim at the end', ['Ada', 'Bob', 'Eve', 'Kim']],
    ['Kim at the top', ['Kim', 'Ada', 'Bob', 'Eve']],
    ['Bob cancels, Kim at the end', ['Ada', 'Eve', 'Kim']],
    ['Ada and Bob cancel, Kim at the end, then Lea', ['Eve', 'Kim'], ['Eve', 'Kim', 'Lea']],
  ]) {
    const kept = {};
    await poll(kept, old);
    const told = [];
    for (const names of then) told.push(await poll(kept, names));
    console.log(`${says}: told ${told.join(', then ')}`);
  }
})();
END
node trigger.cjs > seen
cat seen
cat > expected <<'END'
Kim at the end: told Kim
Kim at the top: told Eve
Bob cancels, Kim at the end: told nothing
Ada and Bob cancel, Kim at the end, then Lea: told nothing, then Lea
END
diff expected seen
