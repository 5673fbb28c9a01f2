#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the node Webex by Cisco, resource Meeting (with n8n-workflow 2.41.0 and moment-timezone 0.5.48, as it pins
#   them); a stand-in shows what is asked.
# The good guess: From and To, of "Get Many", are the instants that were chosen, or are on the clock of the workflow, as the start of a new
#   meeting of the same node is. "Password", of "Get", is sent in the header that Webex has for it, password.
# What is seen: From and To are put on the clock of the machine, which is then called UTC: what should be 14:00Z is asked for as 23:00Z on a
#   server in Tokyo, and as 09:00Z in New York. Without an offset it is not the workflow's clock either. The password goes into the address.
# Why it matters: "what is booked from now on?" is blind for nine hours, or begins too early, and a slot is given away twice; a new meeting, with
#   which one tries the node, is right. A meeting with a password stays closed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# The nodes alone: what the other nodes of the package need is 500 MB.
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
