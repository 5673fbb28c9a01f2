#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Mailchimp node, resource Member (with n8n-workflow 2.41.0 and moment-timezone 0.5.48, as it pins
#   them); a stub shows the request body.
# The good guess: "Opt-in Timestamp" and "Signup Timestamp" of a new list member are sent as the chosen moment, in ISO 8601, as Mailchimp
#   expects.
# What is seen: the format is YYYY-MM-DD HH:MM:SS, where MM is the month and SS a fraction of a second. 14:47:31.250 in January is sent as
#   14:01:25, and any time of that hour without a fraction as 14:01:00. The hour is in the machine's time zone.
# Why it matters: the time at which a guest consented to emails is the proof of consent, and it differs from the one in the submitted form.
#   Guests who leave and come back within the hour did both at once.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 >> npm.log 2>&1
cat > member.cjs <<'END'
const { Mailchimp } = require('./package/dist/nodes/Mailchimp/Mailchimp.node.js');
const send = async (operation, chosen) => {
  let sent;
  const fields = { timestampOpt: chosen, timestampSignup: chosen };
  const values = { resource: 'member', operation, authentication: 'apiKey', list: 'l1', email: 'ada@example.com', status: 'subscribed', jsonParameters: false, options: fields, updateFields: fields };
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'Mailchimp', typeVersion: 1 }),
    getNodeParameter: (name, _, otherwise) => values[name] ?? otherwise ?? {},
    getTimezone: () => 'UTC',
    getCredentials: async () => ({ apiKey: 'k-us1' }),
    continueOnFail: () => false,
    helpers: {
      request: async (options) => ((sent = options.body), {}),
      requestWithAuthentication: async (_, options) => ((sent = options.body), {}),
      returnJsonArray: (json) => [{ json }],
      constructExecutionMetaData: (items) => items,
    },
  };
  await new Mailchimp().execute.call(host);
  return sent;
};
(async () => {
  for (const chosen of ['2030-01-31T14:47:31.250Z', '2030-01-31T14:02:00.000Z', '2030-09-05T14:47:31.000Z'])
    for (const operation of ['create', 'update']) {
      const { timestamp_opt, timestamp_signup } = await send(operation, chosen);
      console.log(`${operation}, ${chosen}: opted in ${timestamp_opt}, signed up ${timestamp_signup}`);
    }
})();
END
TZ=UTC node member.cjs > seen
cat seen
cat > expected <<'END'
create, 2030-01-31T14:47:31.250Z: opted in 2030-01-31 14:01:25, signed up 2030-01-31 14:01:25
update, 2030-01-31T14:47:31.250Z: opted in 2030-01-31 14:01:25, signed up 2030-01-31 14:01:25
create, 2030-01-31T14:02:00.000Z: opted in 2030-01-31 14:01:00, signed up 2030-01-31 14:01:00
update, 2030-01-31T14:02:00.000Z: opted in 2030-01-31 14:01:00, signed up 2030-01-31 14:01:00
create, 2030-09-05T14:47:31.000Z: opted in 2030-09-05 14:09:00, signed up 2030-09-05 14:09:00
update, 2030-09-05T14:47:31.000Z: opted in 2030-09-05 14:09:00, signed up 2030-09-05 14:09:00
END
diff expected seen
