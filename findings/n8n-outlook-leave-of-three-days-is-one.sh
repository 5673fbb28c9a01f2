#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Microsoft Outlook node, resource Event (with n8n-workflow 2.41.0, luxon 3.7.2 and moment-timezone
#   0.5.48, as it pins them); a stub shows the request body.
# The good guess: an event with "All Day" lasts from its start day to its end day, and at least one day. Changing the title of such an
#   event, with "All Day" set again, leaves its days alone.
# What is seen: every all-day event is sent as 24 hours long, however many days were entered: the node subtracts the end from the start, and
#   the result is never as much as a day. If the clocks change in those 24 hours, it ends at one o'clock, though an all-day event must end
#   at midnight. An update without dates sends "Invalid DateTime" for both.
# Why it matters: a leave of two weeks is one day in the calendar, so people are booked on the other thirteen. The node's output shows an
#   end date and looks fine. One day is right, and that is what people try.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 luxon@3.7.2 moment-timezone@0.5.48 lodash@4.18.1 >> npm.log 2>&1
cat > leave.cjs <<'END'
const event = './package/dist/nodes/Microsoft/Outlook/v2/actions/event';
const send = async (operation, entered) => {
  let sent;
  const host = {
    getNode: () => ({ name: 'Microsoft Outlook', typeVersion: 2 }),
    getNodeParameter: (name, _item, fallback) => entered[name] ?? fallback,
    getCredentials: async () => ({}),
    helpers: {
      requestWithAuthentication: async (_, { body }) => (sent = body),
      requestOAuth2: async (_, { body }) => (sent = body),
      returnJsonArray: (json) => [json],
      constructExecutionMetaData: (items) => items,
    },
  };
  await require(`${event}/${operation}.operation.js`).execute.call(host, 0);
  return sent;
};
(async () => {
  for (const [what, end] of [['one day', '2030-02-05'], ['three days', '2030-02-07'], ['two weeks', '2030-02-18']]) {
    const day = { startDateTime: '2030-02-04T00:00:00', endDateTime: `${end}T00:00:00` };
    const { start, end: until } = await send('create', { ...day, calendarId: 'c1', subject: 'Leave', additionalFields: { isAllDay: true, timeZone: 'Europe/Berlin' } });
    console.log(`${what}, to ${end}: sent as ${start.dateTime} to ${until.dateTime}`);
  }
  const change = { startDateTime: '2030-03-31T00:00:00', endDateTime: '2030-04-01T00:00:00' };
  const { end: until } = await send('create', { ...change, calendarId: 'c1', subject: 'Leave', additionalFields: { isAllDay: true, timeZone: 'Europe/Berlin' } });
  console.log(`the day on which the clocks change, 2030-03-31: sent until ${until.dateTime}`);
  const { start, end } = await send('update', { eventId: 'e1', additionalFields: { isAllDay: true, subject: 'Leave of Ada' } });
  console.log(`another title: sent as ${start?.dateTime} to ${end?.dateTime}`);
})();
END
node leave.cjs > seen
cat seen
cat > expected <<'END'
one day, to 2030-02-05: sent as 2030-02-04 to 2030-02-05T00:00:00.000+01:00
three days, to 2030-02-07: sent as 2030-02-04 to 2030-02-05T00:00:00.000+01:00
two weeks, to 2030-02-18: sent as 2030-02-04 to 2030-02-05T00:00:00.000+01:00
the day on which the clocks change, 2030-03-31: sent until 2030-04-01T01:00:00.000+02:00
another title: sent as Invalid DateTime to Invalid DateTime
END
diff expected seen
