#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Microsoft OneDrive Trigger node (with n8n-workflow 2.41.0 and luxon 3.7.2, as it pins them); a stub
#   answers like Microsoft Graph: fileSystemInfo has the times of the file on the device it came from, createdDateTime those in OneDrive.
# The good guess: "On File Created" reports each file that has come into the folder since the last poll. Graph's list of changes holds
#   exactly those.
# What is seen: of the changes, the node keeps only files whose time on the device they came from is after the last poll. A document written
#   yesterday and uploaded today is not reported as created, nor as updated. A minute between writing and uploading is enough, if a poll
#   falls into it. One that is made in OneDrive itself is reported.
# Why it matters: signed contracts, invoices and lists of guests are as a rule written before they are uploaded, so nothing happens to them,
#   and a test with a new file works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 luxon@3.7.2 lodash@4.18.1 >> npm.log 2>&1
cat > trigger.cjs <<'END'
const { MicrosoftOneDriveTrigger } = require('./package/dist/nodes/Microsoft/OneDrive/MicrosoftOneDriveTrigger.node.js');
const { Settings } = require('luxon');
const arrived = '2030-01-31T09:00:30Z';
// As Graph lists it: the times at the top are OneDrive's, those in fileSystemInfo the device's.
const file = (name, created, modified = created) => ({
  id: name,
  name,
  file: { mimeType: 'application/pdf' },
  createdDateTime: arrived,
  lastModifiedDateTime: arrived,
  fileSystemInfo: { createdDateTime: created, lastModifiedDateTime: modified },
  parentReference: { id: 'folder' },
});
const changes = [
  file('made-in-onedrive.pdf', arrived),
  file('written-yesterday.pdf', '2030-01-30T16:00:00Z'),
  file('written-a-minute-before.pdf', '2030-01-31T08:59:30Z'),
];
const poll = async (kept, event, value) => {
  const host = {
    getWorkflowStaticData: () => kept,
    getNodeParameter: (name, fallback) => ({ event, watch: 'anyFile', simple: true, authentication: 'microsoftOneDriveOAuth2Api' })[name] ?? fallback,
    getMode: () => 'trigger',
    getNode: () => ({ name: 'OneDrive Trigger', typeVersion: 1 }),
    getCredentials: async () => ({}),
    helpers: {
      returnJsonArray: (json) => json,
      requestOAuth2: async () => ({ value, '@odata.deltaLink': 'https://graph.microsoft.com/v1.0/me/drive/root/delta?token=2' }),
      requestWithAuthentication: async () => ({ value, '@odata.deltaLink': 'https://graph.microsoft.com/v1.0/me/drive/root/delta?token=2' }),
    },
  };
  return ((await new MicrosoftOneDriveTrigger().poll.call(host))?.[0] ?? []).map(({ name }) => name);
};
(async () => {
  const told = {};
  for (const event of ['fileCreated', 'fileUpdated']) {
    const kept = {};
    Settings.now = () => Date.parse('2030-01-31T09:00:00Z');
    await poll(kept, event, []);
    Settings.now = () => Date.parse('2030-01-31T09:01:00Z');
    told[event] = await poll(kept, event, changes);
  }
  for (const { name } of changes)
    console.log(`${name}: ${Object.entries(told).filter(([, names]) => names.includes(name)).map(([event]) => event).join(' ') || 'not told'}`);
})();
END
node trigger.cjs > seen
cat seen
cat > expected <<'END'
made-in-onedrive.pdf: fileCreated
written-yesterday.pdf: not told
written-a-minute-before.pdf: not told
END
diff expected seen
