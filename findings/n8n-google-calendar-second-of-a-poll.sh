#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Google Calendar Trigger node (with n8n-workflow 2.41.0, moment-timezone 0.5.48, rrule 2.8.1, luxon
#   3.7.2 and @n8n/utils 1.48.0, as it pins them); a stub filters by timeMin, timeMax and updatedMin as Google Calendar does.
# The good guess: consecutive polls report each event once when it is created, updated or starts, including all-day events.
# What is seen: each poll covers the time from the second of the last poll to its own. "Event Created" excludes both ends, so an event
#   created in the second of a poll is never reported. "Event Updated" has no upper end, so a change in that second is reported twice. The
#   start and end of an all-day event are never reported. Everything else is reported once.
# Why it matters: imports and booking forms create many events per second, and some of them start no workflow, with no error and no log
#   line; some changes start theirs twice. And nothing happens "on the day of the workshop".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 rrule@2.8.1 luxon@3.7.2 @n8n/utils@1.48.0 >> npm.log 2>&1
cat > polls.cjs <<'END'
const { GoogleCalendarTrigger } = require('./package/dist/nodes/Google/Calendar/GoogleCalendarTrigger.node.js');
const at = (clock) => `2030-01-31T${clock}Z`;
const hour = { start: { dateTime: at('09:07:00') }, end: { dateTime: at('09:12:00') } };
const day = { start: { date: '2030-01-31' }, end: { date: '2030-02-01' } };
// The service gives the second in which an event was made, and the millisecond of its last change.
const meetings = [
  { summary: 'an hour, made and changed between two polls', created: at('09:02:10.000'), updated: at('09:03:30.250'), ...hour },
  { summary: 'an hour, made in the second of a poll', created: at('09:05:00.000'), updated: at('09:05:00.020'), ...hour },
  { summary: 'an hour, changed in the second of a poll', created: at('09:02:10.000'), updated: at('09:05:00.020'), ...hour },
  { summary: 'a whole day', created: at('09:02:10.000'), updated: at('09:02:10.250'), ...day },
];
const instant = ({ dateTime, date }) => Date.parse(dateTime ?? date);
/** The events of a calendar, as the service filters them. */
const list = ({ timeMin, timeMax, updatedMin }) =>
  meetings
    .filter(({ created }) => Date.parse(created) <= Date.now())
    .filter((one) => !timeMin || (instant(one.end) > Date.parse(timeMin) && instant(one.start) < Date.parse(timeMax)))
    .filter(({ updated }) => !updatedMin || Date.parse(updated) >= Date.parse(updatedMin));
(async () => {
  const now = Date.now;
  for (const triggerOn of ['eventCreated', 'eventUpdated', 'eventStarted', 'eventEnded']) {
    const state = {};
    const parameters = { 'pollTimes.item': [{}], triggerOn, calendarId: 'c1', 'options.matchTerm': '' };
    const told = Object.fromEntries(meetings.map(({ summary }) => [summary, 0]));
    // Every five minutes, a little after the minute, as timers are, and at the end of the day.
    for (const clock of ['09:00:00.040', '09:05:00.040', '09:10:00.040', '09:15:00.040', '23:59:59.040']) {
      Date.now = () => Date.parse(at(clock));
      const items = await GoogleCalendarTrigger.prototype.poll.call({
        getNodeParameter: (name) => parameters[name],
        getWorkflowStaticData: () => state,
        getMode: () => 'trigger',
        getNode: () => ({ name: 'Google Calendar Trigger' }),
        helpers: { requestOAuth2: async (_, { qs }) => ({ items: list(qs) }), returnJsonArray: (events) => events },
      });
      for (const { summary } of items?.[0] ?? []) told[summary]++;
    }
    console.log(triggerOn);
    for (const [summary, times] of Object.entries(told)) console.log(`  ${summary}: ${times}`);
  }
  Date.now = now;
})();
END
TZ=UTC node polls.cjs > seen
cat seen
cat > expected <<'END'
eventCreated
  an hour, made and changed between two polls: 1
  an hour, made in the second of a poll: 0
  an hour, changed in the second of a poll: 1
  a whole day: 1
eventUpdated
  an hour, made and changed between two polls: 1
  an hour, made in the second of a poll: 0
  an hour, changed in the second of a poll: 2
  a whole day: 0
eventStarted
  an hour, made and changed between two polls: 1
  an hour, made in the second of a poll: 1
  an hour, changed in the second of a poll: 1
  a whole day: 0
eventEnded
  an hour, made and changed between two polls: 1
  an hour, made in the second of a poll: 1
  an hour, changed in the second of a poll: 1
  a whole day: 0
END
diff expected seen
