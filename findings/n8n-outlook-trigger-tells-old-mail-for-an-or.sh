#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Microsoft Outlook Trigger node, filter "Custom" (with n8n-workflow 2.41.0 and what else it pins); a
#   stub shows the filters that are sent and evaluates them as OData does, "and" before "or".
# The good guess: the trigger reports mails that have arrived since the last poll and match the filter. Filters are combined by "and", each
#   as a whole.
# What is seen: the time is added to the filter without parentheses, so it applies only to the last part of an "or". Everything that matches
#   an earlier part is reported at every poll, however old it is. A filter without an "or" is right, and so are the node's own filters.
# Why it matters: a filter for two words, "booking" or "cancelled", processes each old mail about a booking again every minute, and books or
#   answers again each time. Put the whole filter in parentheses.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 luxon@3.7.2 lodash@4.18.1 moment-timezone@0.5.48 >> \
  npm.log 2>&1
cat > trigger.cjs <<'END'
const { MicrosoftOutlookTrigger } = require('./package/dist/nodes/Microsoft/Outlook/MicrosoftOutlookTrigger.node.js');
const { Settings } = require('luxon');
const mails = [
  { subject: 'Booking of last year', receivedDateTime: '2029-01-31T09:00:00.000Z' },
  { subject: 'Cancelled last year', receivedDateTime: '2029-02-28T09:00:00.000Z' },
  { subject: 'Booking of today', receivedDateTime: '2030-01-31T09:00:30.000Z' },
];
// JavaScript has the same order of "and" and "or" as OData.
const matches = (filter, mail) => {
  const test = filter
    .replace(/contains\(subject,('.*?')\)/g, 'subject.includes($1)')
    .replace(/receivedDateTime (ge|lt) (\S+)/g, (_, than, time) => `at ${than === 'ge' ? '>=' : '<'} Date.parse('${time}')`);
  return new Function('subject', 'at', `return ${test.replaceAll(' and ', ' && ').replaceAll(' or ', ' || ')}`)(mail.subject, Date.parse(mail.receivedDateTime));
};
const poll = async (kept, clock, custom) => {
  Settings.now = () => Date.parse(`2030-01-31T${clock}Z`);
  const host = {
    getWorkflowStaticData: () => kept,
    getNodeParameter: (name, fallback) => ({ filters: { custom }, output: 'raw', options: {}, authentication: 'microsoftOutlookOAuth2Api' })[name] ?? fallback,
    getMode: () => 'trigger',
    getNode: () => ({ name: 'Outlook Trigger', typeVersion: 1 }),
    getCredentials: async () => ({}),
    helpers: {
      returnJsonArray: (json) => json.map((one) => ({ json: one })),
      requestWithAuthentication: async (_, { qs }) => ({ value: mails.filter((mail) => matches(qs.$filter, mail)) }),
    },
  };
  const told = (await new MicrosoftOutlookTrigger().poll.call(host))?.[0] ?? [];
  return told.map(({ json }) => json.subject).join(', ') || 'nothing';
};
(async () => {
  for (const custom of ["contains(subject,'Booking')", "contains(subject,'Booking') or contains(subject,'Cancelled')", "(contains(subject,'Booking') or contains(subject,'Cancelled'))"]) {
    console.log(custom);
    const kept = {};
    await poll(kept, '09:00', custom);
    for (const clock of ['09:01', '09:02', '09:03']) console.log(`  poll of ${clock}: ${await poll(kept, clock, custom)}`);
  }
})();
END
node trigger.cjs > seen
cat seen
cat > expected <<'END'
contains(subject,'Booking')
  poll of 09:01: Booking of today
  poll of 09:02: nothing
  poll of 09:03: nothing
contains(subject,'Booking') or contains(subject,'Cancelled')
  poll of 09:01: Booking of last year, Booking of today
  poll of 09:02: Booking of last year, Booking of today
  poll of 09:03: Booking of last year, Booking of today
(contains(subject,'Booking') or contains(subject,'Cancelled'))
  poll of 09:01: Booking of today
  poll of 09:02: nothing
  poll of 09:03: nothing
END
diff expected seen
