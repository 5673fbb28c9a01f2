#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Google Calendar node (with n8n-workflow 2.41.0 and what else it pins); a stub shows what is asked and
#   answers like Google Calendar. The machine is in UTC, as most servers are.
# The good guess: Start Time and End Time of "Availability" are read like those of Create and of Get Many in the same node: without an
#   offset, as the date field gives them, they are in the workflow's time zone, or in the one chosen under Timezone.
# What is seen: Availability reads them on the clock of the machine, with Timezone set or not. In a workflow of New York on a server in UTC,
#   a booking for 09:00 asks whether 04:00 is free. Create then books 09:00, and Get Many lists what is at 09:00.
# Why it matters: "if the hour is free, create the event" is what everybody builds with this node, and it books an hour that is taken, and
#   refuses one that is free. On the builder's own machine it was right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 luxon@3.7.2 rrule@2.8.1 \
  uuid@11.1.1 @n8n/utils@1.48.0 >> npm.log 2>&1
cat > free.cjs <<'END'
const { GoogleCalendar } = require('./package/dist/nodes/Google/Calendar/GoogleCalendar.node.js');
// The calendar has one event, at nine in New York.
const busy = [Date.parse('2030-01-31T14:00:00Z'), Date.parse('2030-01-31T15:00:00Z')];
const meets = (from, to) => Date.parse(from) < busy[1] && Date.parse(to) > busy[0];
const run = async (resource, operation, values) => {
  let asked;
  const given = { resource, operation, calendar: 'c1', options: {}, additionalFields: {}, useDefaultReminders: true, returnAll: true, ...values };
  const host = {
    getInputData: () => [{ json: {} }],
    getTimezone: () => 'America/New_York',
    getNode: () => ({ name: 'Google Calendar', typeVersion: 1.3 }),
    getNodeParameter: (name, _, fallback) => given[name] ?? fallback,
    continueOnFail: () => false,
    addExecutionHints: () => {},
    helpers: {
      returnJsonArray: (json) => [json].flat().map((one) => ({ json: one })),
      constructExecutionMetaData: (items) => items,
      requestOAuth2: async (_, { uri, body, qs }) => {
        const [from, to] = uri.endsWith('freeBusy') ? [body.timeMin, body.timeMax] : operation === 'create' ? [body.start.dateTime, body.end.dateTime] : [qs.timeMin, qs.timeMax];
        asked = from;
        if (uri.endsWith('freeBusy')) return { calendars: { c1: { busy: meets(from, to) ? [{}] : [] } } };
        return operation === 'create' ? { id: 'e2' } : { items: meets(from, to) ? [{ id: 'e1' }] : [] };
      },
    },
  };
  const [items] = await new GoogleCalendar().execute.call(host);
  return `${asked}, ${JSON.stringify(items.map(({ json }) => json))}`;
};
(async () => {
  for (const [from, to] of [['09:00', '10:00'], ['14:00', '15:00']].map((pair) => pair.map((clock) => `2030-01-31T${clock}:00`))) {
    console.log(`${from} in New York`);
    console.log(`  Availability asks for ${await run('calendar', 'availability', { timeMin: from, timeMax: to })}`);
    const zone = { 'options.timezone': 'America/New_York' };
    console.log(`  with Timezone, for ${await run('calendar', 'availability', { timeMin: from, timeMax: to, ...zone })}`);
    console.log(`  Get Many asks for ${await run('event', 'getAll', { timeMin: from, timeMax: to })}`);
    console.log(`  Create books ${await run('event', 'create', { start: from, end: to })}`);
  }
})();
END
TZ=UTC node free.cjs > seen
cat seen
cat > expected <<'END'
2030-01-31T09:00:00 in New York
  Availability asks for 2030-01-31T09:00:00Z, [{"available":true}]
  with Timezone, for 2030-01-31T09:00:00Z, [{"available":true}]
  Get Many asks for 2030-01-31T14:00:00Z, [{"id":"e1"}]
  Create books 2030-01-31T14:00:00Z, [{"id":"e2"}]
2030-01-31T14:00:00 in New York
  Availability asks for 2030-01-31T14:00:00Z, [{"available":false}]
  with Timezone, for 2030-01-31T14:00:00Z, [{"available":false}]
  Get Many asks for 2030-01-31T19:00:00Z, []
  Create books 2030-01-31T19:00:00Z, [{"id":"e2"}]
END
diff expected seen
