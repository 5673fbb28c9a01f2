#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Webex by Cisco node, resource Meeting (with n8n-workflow 2.41.0 and moment-timezone 0.5.48, as it pins
#   them); a stub shows the request.
# The good guess: From and To of "Get Many" are the chosen instants, or in the workflow's time zone, like the start of a new meeting in the
#   same node. "Password" of "Get" is sent in the header that Webex has for it, password.
# What is seen: From and To are converted to the machine's local time, which is then marked as UTC: on a server in Tokyo, 14:00Z is
#   requested as 23:00Z. A time without an offset is not read in the workflow's time zone either: 09:00 becomes 09:00Z. The password is put
#   into the URL.
# Why it matters: "what is booked from now on?" misses nine hours, or begins too early west of UTC, and a slot is booked twice. Creating a
#   meeting, which people try first, is right. A meeting with a password stays inaccessible.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 >> npm.log 2>&1
cat > meetings.cjs <<'END'
const { CiscoWebex } = require('./package/dist/nodes/Cisco/Webex/CiscoWebex.node.js');
const send = async (operation, values) => {
  let sent;
  const given = { resource: 'meeting', operation, title: 'Talk', meetingId: 'm1', returnAll: false, limit: 10, ...values };
  const host = {
    getInputData: () => [{ json: {} }],
    getNodeParameter: (name, _, otherwise) => given[name] ?? otherwise ?? {},
    getTimezone: () => 'America/New_York',
    getNode: () => ({ name: 'Webex' }), continueOnFail: () => false,
    helpers: {
      requestOAuth2: async (_, options) => ((sent = options), { items: [] }),
      returnJsonArray: (json) => [{ json }], constructExecutionMetaData: (items) => items,
    },
  };
  await new CiscoWebex().execute.call(host);
  return sent;
};
(async () => {
  console.log(`machine in ${process.env.TZ}`);
  for (const from of ['2030-01-31T14:00:00.000Z', '2030-01-31T09:00:00']) {
    const made = await send('create', { start: from, end: from });
    const listed = await send('getAll', { filters: { from } });
    console.log(`  ${from}: a new meeting starts ${made.body.start}; listed from ${listed.qs.from}`);
  }
  const one = await send('get', { options: { password: 'p4ss' } });
  console.log(`  with a password: headers ${JSON.stringify(one.headers ?? {})}, query ${JSON.stringify(one.qs)}`);
})();
END
for zone in UTC Asia/Tokyo; do TZ=$zone node meetings.cjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  2030-01-31T14:00:00.000Z: a new meeting starts 2030-01-31T09:00:00-05:00; listed from 2030-01-31T14:00:00Z
  2030-01-31T09:00:00: a new meeting starts 2030-01-31T09:00:00-05:00; listed from 2030-01-31T09:00:00Z
  with a password: headers {}, query {"password":"p4ss"}
machine in Asia/Tokyo
  2030-01-31T14:00:00.000Z: a new meeting starts 2030-01-31T09:00:00-05:00; listed from 2030-01-31T23:00:00Z
  2030-01-31T09:00:00: a new meeting starts 2030-01-31T09:00:00-05:00; listed from 2030-01-31T09:00:00Z
  with a password: headers {}, query {"password":"p4ss"}
END
diff expected seen
