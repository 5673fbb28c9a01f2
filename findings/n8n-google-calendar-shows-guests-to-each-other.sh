#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Google Calendar node, Create and Update an event (with n8n-workflow 2.41.0 and what else it pins); a
#   stub answers like Google Calendar, where guestsCanSeeOtherGuests and guestsCanInviteOthers are true unless a request says false.
# The good guess: "Guests Can See Other Guests" switched off hides the guests of an event from each other, and "Guests Can Invite Others"
#   switched off keeps them from inviting.
# What is seen: only true is sent, which Google assumes anyway; false is left out, both when an event is created and when it is updated. The
#   two switches, which are on when added, have no effect in either position. "Guests Can Modify", which Google assumes to be off, works
#   when it is switched on, and cannot be switched off again.
# Why it matters: the guests of a group session, a consultation or an interview see each other's addresses, and pass the invitation on,
#   although the host has seen to it that they cannot. Nothing in n8n shows it, since the host sees all guests in any case.
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
cat > guests.cjs <<'END'
const { GoogleCalendar } = require('./package/dist/nodes/Google/Calendar/GoogleCalendar.node.js');
const switches = { guestsCanSeeOtherGuests: true, guestsCanInviteOthers: true, guestsCanModify: false };
let event;
const run = async (operation, fields) => {
  const given = {
    resource: 'event',
    operation,
    calendar: 'c1',
    eventId: 'e1',
    start: '2030-01-31T09:00:00',
    end: '2030-01-31T10:00:00',
    useDefaultReminders: true,
    additionalFields: { summary: 'Session', ...fields },
    updateFields: fields,
  };
  const host = {
    getInputData: () => [{ json: {} }],
    getTimezone: () => 'America/New_York',
    getNode: () => ({ name: 'Google Calendar', typeVersion: 1.3 }),
    getNodeParameter: (name, _, fallback) => given[name] ?? fallback,
    continueOnFail: () => false,
    helpers: {
      returnJsonArray: (json) => [json].flat().map((one) => ({ json: one })),
      constructExecutionMetaData: (items) => items,
      requestOAuth2: async (_, { body }) => (event = { ...(operation === 'create' ? switches : event), ...body }),
    },
  };
  await new GoogleCalendar().execute.call(host);
  const says = Object.keys(switches).map((name) => `${name} ${event[name]}`);
  console.log(`${operation} with ${JSON.stringify(fields)}: ${says.join(', ')}`);
};
(async () => {
  await run('create', { guestsCanSeeOtherGuests: false, guestsCanInviteOthers: false, guestsCanModify: true });
  await run('update', { guestsCanSeeOtherGuests: false, guestsCanInviteOthers: false, guestsCanModify: false });
})();
END
node guests.cjs > seen
cat seen
cat > expected <<'END'
create with {"guestsCanSeeOtherGuests":false,"guestsCanInviteOthers":false,"guestsCanModify":true}: guestsCanSeeOtherGuests true, guestsCanInviteOthers true, guestsCanModify true
update with {"guestsCanSeeOtherGuests":false,"guestsCanInviteOthers":false,"guestsCanModify":false}: guestsCanSeeOtherGuests true, guestsCanInviteOthers true, guestsCanModify true
END
diff expected seen
