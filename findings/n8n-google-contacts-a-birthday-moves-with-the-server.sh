#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Google Contacts node (with n8n-workflow 2.41.0 and moment-timezone 0.5.48, as it pins them); a stub
#   shows the request body.
# The good guess: a birthday has no time. A plain date, or its midnight with an offset, as forms and APIs give it, is that date; otherwise
#   the workflow's time zone decides. Year, month and day are numbers (Google's "Date").
# What is seen: the machine's time zone decides: midnight in UTC becomes the day before on a server in America, and midnight in Berlin does
#   so on each server in UTC. A plain date is right everywhere. Year, month and day are sent as strings.
# Why it matters: guests get their birthday wishes a day early each year, and an age check admits them a day before they turn eighteen. It
#   depends on the server, so it was right where it was tried.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 >> npm.log 2>&1
cat > contact.cjs <<'END'
const { GoogleContacts } = require('./package/dist/nodes/Google/Contacts/GoogleContacts.node.js');
const send = async (birthday) => {
  let sent;
  const given = { resource: 'contact', operation: 'create', familyName: 'Lovelace', givenName: 'Ada', additionalFields: { birthday } };
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'Google Contacts', typeVersion: 1 }),
    getNodeParameter: (name, _, otherwise) => given[name] ?? otherwise ?? {},
    getTimezone: () => 'Europe/Berlin',
    continueOnFail: () => false,
    helpers: {
      requestOAuth2: async (_, { body }) => ((sent = body), { resourceName: 'people/c1' }),
      returnJsonArray: (json) => [{ json }],
      constructExecutionMetaData: (items) => items,
    },
  };
  await new GoogleContacts().execute.call(host);
  return JSON.stringify(sent.birthdays[0].date);
};
(async () => {
  console.log(`machine in ${process.env.TZ}`);
  for (const birthday of ['1990-05-17', '1990-05-17T00:00:00', '1990-05-17T00:00:00.000Z', '1990-05-17T00:00:00+02:00']) console.log(`  ${birthday}: ${await send(birthday)}`);
})();
END
for zone in UTC America/New_York; do TZ=$zone node contact.cjs; done > seen
cat seen
cat > expected <<'END'
machine in UTC
  1990-05-17: {"day":"17","month":"05","year":"1990"}
  1990-05-17T00:00:00: {"day":"17","month":"05","year":"1990"}
  1990-05-17T00:00:00.000Z: {"day":"17","month":"05","year":"1990"}
  1990-05-17T00:00:00+02:00: {"day":"16","month":"05","year":"1990"}
machine in America/New_York
  1990-05-17: {"day":"17","month":"05","year":"1990"}
  1990-05-17T00:00:00: {"day":"17","month":"05","year":"1990"}
  1990-05-17T00:00:00.000Z: {"day":"16","month":"05","year":"1990"}
  1990-05-17T00:00:00+02:00: {"day":"16","month":"05","year":"1990"}
END
diff expected seen
