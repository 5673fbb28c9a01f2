#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Google Calendar node, Get Many events with After and Before (with n8n-workflow 2.41.0 and what else it
#   pins); the clock is set, and a stub answers like Google Calendar.
# The good guess: "Recurring Event Handling" decides in which form a series is returned that takes place between After and Before: each of
#   its meetings, its first, or its next one in that time.
# What is seen: "First Occurrence" compares the time at which the series was entered into the calendar, not when it takes place: a series
#   entered before After is dropped. "Next Occurrence" asks for the next meeting from now on, whatever After is: for a week in March, it
#   returns one of January. "All Occurrences", the default, is right.
# Why it matters: the plan of next week lacks each weekly consultation that was not set up in that very week, and hours that are taken are
#   offered. With "Next", guests get next week's list with this week's date. A series made for a test is found.
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
cat > series.cjs <<'END'
const { GoogleCalendar } = require('./package/dist/nodes/Google/Calendar/GoogleCalendar.node.js');
const RealDate = Date;
global.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length ? given : [RealDate.parse('2030-01-20T12:00:00Z')]));
  }
};
const week = 7 * 86_400_000;
const series = [
  { id: 'old', created: '2029-12-20T09:00:00.000Z', first: '2030-01-07T14:00:00Z' },
  { id: 'new', created: '2030-03-05T09:00:00.000Z', first: '2030-03-06T14:00:00Z' },
];
const meetings = ({ id, first }, from, to) =>
  Array.from({ length: 20 }, (_, index) => RealDate.parse(first) + index * week)
    .filter((at) => at >= RealDate.parse(from) && !(at > RealDate.parse(to)))
    .map((at) => ({ id, start: { dateTime: new Date(at).toISOString() } }));
const list = async (recurringEventHandling) => {
  const given = { resource: 'event', operation: 'getAll', calendar: 'c1', returnAll: true, timeMin: '2030-03-04T00:00:00Z', timeMax: '2030-03-10T23:59:59Z', options: { recurringEventHandling } };
  const host = {
    getInputData: () => [{ json: {} }],
    getTimezone: () => 'UTC',
    getNode: () => ({ name: 'Google Calendar', typeVersion: 1.3 }),
    getNodeParameter: (name, _, fallback) => given[name] ?? fallback,
    continueOnFail: () => false,
    addExecutionHints: () => {},
    helpers: {
      returnJsonArray: (json) => [json].flat().map((one) => ({ json: one })),
      constructExecutionMetaData: (items) => items,
      requestOAuth2: async (_, { uri, qs }) => {
        const one = series.find(({ id }) => uri.includes(`/events/${id}/instances`));
        if (one) return { items: meetings(one, qs.timeMin).slice(0, qs.maxResults) };
        const found = series.filter((each) => meetings(each, qs.timeMin, qs.timeMax).length > 0);
        if (qs.singleEvents) return { items: found.flatMap((each) => meetings(each, qs.timeMin, qs.timeMax)) };
        return { items: found.map(({ id, created, first }) => ({ id, created, start: { dateTime: first }, recurrence: ['RRULE:FREQ=WEEKLY'] })) };
      },
    },
  };
  const [items] = await new GoogleCalendar().execute.call(host);
  console.log(`${recurringEventHandling}: ${items.map(({ json }) => `${json.id} of ${json.start.dateTime.slice(0, 10)}`).join(', ')}`);
};
(async () => {
  console.log('4 to 10 March, asked on 20 January');
  for (const handling of ['expand', 'first', 'next']) await list(handling);
})();
END
node series.cjs > seen
cat seen
cat > expected <<'END'
4 to 10 March, asked on 20 January
expand: old of 2030-03-04, new of 2030-03-06
first: new of 2030-03-06
next: old of 2030-01-21, new of 2030-03-06
END
diff expected seen
