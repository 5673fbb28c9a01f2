#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the SeaTable Trigger node, version 2, "New Row" (with n8n-workflow 2.41.0 and moment-timezone 0.5.48, as
#   it pins them); a stub lists rows like SeaTable, oldest first, at most 1,000 for a request.
# The good guess: each new row is reported once, however long the table is. View is optional: without it, rows of the whole table are meant.
# What is seen: the node requests the first 1,000 rows and looks among them for new ones. New rows are at the end of a table, so from row
#   1,001 on, none is reported. No error is reported either, and a test, which shows three rows, looks fine.
# Why it matters: a table of bookings works for months, and then no guest gets a confirmation any more. Give the trigger a view that shows
#   the newest first, or only those of today.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 lodash@4.18.1 >> npm.log 2>&1
cat > trigger.cjs <<'END'
const { SeaTableTriggerV2 } = require('./package/dist/nodes/SeaTable/v2/SeaTableTriggerV2.node.js');
const RealDate = Date;
let now;
global.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length ? given : [now]));
  }
  static now() {
    return now;
  }
};
require('moment-timezone').now = () => now;
const poll = async (kept, rows, viewName) => {
  const host = {
    getWorkflowStaticData: () => kept,
    getNodeParameter: (name) => ({ event: 'newRow', tableName: 'Bookings', viewName, options: {} })[name],
    getMode: () => 'trigger',
    getNode: () => ({ name: 'SeaTable Trigger', typeVersion: 2 }),
    getCredentials: async () => ({ environment: 'cloudHosted', token: 't', domain: '' }),
    helpers: {
      returnJsonArray: (json) => json,
      httpRequest: async () => ({ access_token: 'a', dtable_server: 'https://s.example/', dtable_uuid: 'u' }),
      requestWithAuthentication: async (_, { uri, qs }) => {
        if (uri.includes('/metadata/')) return { metadata: { tables: [{ name: 'Bookings', columns: [] }] } };
        if (uri.includes('/related-users/')) return { user_list: [] };
        return { rows: (qs.view_name === 'Newest first' ? rows.toReversed() : rows).slice(0, Math.min(qs.limit, 1000)) };
      },
    },
  };
  return ((await new SeaTableTriggerV2({}).poll.call(host))?.[0] ?? []).map(({ Name }) => Name).join(' ') || 'nothing';
};
const row = (number, time) => ({ _id: `r${number}`, _ctime: time, _mtime: time, Name: `Guest${number}` });
(async () => {
  for (const [count, view] of [[999, ''], [1000, ''], [2000, ''], [2000, 'Newest first']]) {
    const kept = {};
    const rows = Array.from({ length: count }, (_, index) => row(index + 1, '2030-01-30T09:00:00.000Z'));
    now = RealDate.parse('2030-01-31T09:00:00Z');
    await poll(kept, rows, view);
    rows.push(row(count + 1, '2030-01-31T09:00:30.000Z'));
    now += 60_000;
    console.log(`${count} rows and a new one${view && `, view ${view}`}: told ${await poll(kept, rows, view)}`);
  }
})();
END
node trigger.cjs > seen
cat seen
cat > expected <<'END'
999 rows and a new one: told Guest1000
1000 rows and a new one: told nothing
2000 rows and a new one: told nothing
2000 rows and a new one, view Newest first: told Guest2001
END
diff expected seen
