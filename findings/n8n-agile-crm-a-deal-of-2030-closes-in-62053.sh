#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Agile CRM node, resource Deal (with n8n-workflow 2.41.0, as it pins it); a stub shows the request
#   body.
# The good guess: Close Date is sent as Agile CRM expects it, in seconds ("close_date": 1371753000 for June 2013, on its REST API page).
# What is seen: a new deal is sent with milliseconds, so a deal that closes in January 2030 closes in May of the year 62053.
# Why it matters: a deal opened for a booking is in no forecast and on no list of what is due. The number looks like a timestamp, and no
#   error is reported.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 >> npm.log 2>&1
cat > deal.cjs <<'END'
const { AgileCrm } = require('./package/dist/nodes/AgileCrm/AgileCrm.node.js');
const send = async (operation, values) => {
  let sent;
  const given = { resource: 'deal', operation, jsonParameters: false, dealId: '1', name: 'Talk', expectedValue: 100, milestone: 'New', probability: 50, additionalFields: {}, ...values };
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'Agile CRM', typeVersion: 1 }),
    getNodeParameter: (name) => given[name],
    getTimezone: () => 'UTC',
    getCredentials: async () => ({ subdomain: 'x', email: 'ada@x.example', apiKey: 'k' }),
    continueOnFail: () => false,
    helpers: {
      request: async ({ body }) => ((sent = body), {}),
      returnJsonArray: (json) => [{ json }],
      constructExecutionMetaData: (items) => items,
    },
  };
  await new AgileCrm().execute.call(host);
  return sent;
};
const inSeconds = (value) => new Date(value * 1000).toISOString();
(async () => {
  for (const closeDate of ['2030-01-31T00:00:00.000Z', '2013-06-20T18:30:00.000Z']) {
    const { close_date } = await send('create', { closeDate });
    console.log(`${closeDate} is sent as ${close_date}, in seconds ${inSeconds(close_date)}`);
  }
})();
END
node deal.cjs > seen
cat seen
cat > expected <<'END'
2030-01-31T00:00:00.000Z is sent as 1896048000000, in seconds +062053-05-15T00:00:00.000Z
2013-06-20T18:30:00.000Z is sent as 1371753000000, in seconds +045439-02-14T20:00:00.000Z
END
diff expected seen
