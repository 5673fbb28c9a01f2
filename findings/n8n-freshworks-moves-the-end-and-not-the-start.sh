#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Freshworks CRM node, resource Sales Activity (with n8n-workflow 2.41.0, moment-timezone 0.5.48 and
#   lodash 4.18.1, as it pins them); a stub applies updates like the service, whose fields are start_date and end_date.
# The good guess: a sales activity, such as a meeting, gets a new start and a new end by "Start Date" and "End Date" of Update, as it got
#   them by those of Create.
# What is seen: Create sends start_date and end_date, Update sends from_date and end_date. The service has no from_date, so the end moves
#   and the start does not: a meeting moved from 31 January to 7 February lasts a week. Create also wraps the fields in sales_activity,
#   Update does not.
# Why it matters: a guest moves an appointment by a week, and the salesperson is busy for seven days in the CRM. Moved to an earlier day,
#   the meeting ends before it begins.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 lodash@4.18.1 >> npm.log 2>&1
cat > activity.cjs <<'END'
const { FreshworksCrm } = require('./package/dist/nodes/FreshworksCrm/FreshworksCrm.node.js');
let activity;
const run = async (operation, values) => {
  let sent;
  const given = { resource: 'salesActivity', operation, salesActivityId: '1', title: 'Talk', additionalFields: {}, ...values };
  const host = {
    getInputData: () => [{ json: {} }],
    getTimezone: () => 'America/New_York',
    getNode: () => ({ name: 'Freshworks CRM', typeVersion: 1 }),
    getNodeParameter: (name, _, fallback) => given[name] ?? fallback,
    getCredentials: async () => ({ domain: 'd' }),
    continueOnFail: () => false,
    helpers: {
      returnJsonArray: (json) => [json].flat().map((one) => ({ json: one })),
      constructExecutionMetaData: (items) => items,
      requestWithAuthentication: async (_, { body }) => {
        sent = body;
        const { title, start_date, end_date } = { ...activity, ...(body.sales_activity ?? body) };
        activity = { title, start_date, end_date };
        return { sales_activity: activity };
      },
    },
  };
  await new FreshworksCrm().execute.call(host);
  console.log(`${operation} sends ${Object.keys(sent.sales_activity ?? sent).join(', ')}`);
  console.log(`  then it lasts from ${activity.start_date} to ${activity.end_date}`);
};
(async () => {
  await run('create', { from_date: '2030-01-31T09:00:00', end_date: '2030-01-31T09:30:00' });
  await run('update', { updateFields: { from_date: '2030-02-07T09:00:00', end_date: '2030-02-07T09:30:00' } });
  await run('update', { updateFields: { from_date: '2030-01-24T09:00:00', end_date: '2030-01-24T09:30:00' } });
})();
END
node activity.cjs > seen
cat seen
cat > expected <<'END'
create sends sales_activity_type_id, title, owner_id, start_date, end_date, targetable_type, targetable_id
  then it lasts from 2030-01-31T09:00:00-05:00 to 2030-01-31T09:30:00-05:00
update sends from_date, end_date
  then it lasts from 2030-01-31T09:00:00-05:00 to 2030-02-07T09:30:00-05:00
update sends from_date, end_date
  then it lasts from 2030-01-31T09:00:00-05:00 to 2030-01-24T09:30:00-05:00
END
diff expected seen
