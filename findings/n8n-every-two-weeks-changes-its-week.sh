#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Schedule Trigger node (with n8n-workflow 2.41.0, moment-timezone 0.5.48 and cron 4.4.0).
# The good guess: "Every 2 weeks, on Monday" skips one Monday between two runs, and "Every 2 days" one day, in every year.
# What is seen: the trigger remembers the number of the week or day in the year, and assumes 52 weeks and 365 days. At the end of 2028,
#   which has 53 weeks in its (US) numbering and 366 days, there are three weeks or three days between two runs, and from then on it runs on
#   the other Mondays and days. The ends of 2026 and 2027 are right.
# Why it matters: the payroll, the rota and the digest come a week late, and stay in the wrong week. Nobody can test for it, and no run is
#   marked as missed. Run every week, and let a node that counts weeks from a fixed day decide.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 cron@4.4.0 >> npm.log 2>&1
cat > schedule.cjs <<'END'
const { ScheduleTrigger } = require('./package/dist/nodes/Schedule/ScheduleTrigger.node.js');
const day = 86_400_000;
// The times of the schedule at which n8n calls the node, each Monday or each day at nine. The node decides which of them are runs.
async function runs(interval, first, last, step) {
  let clock;
  let call;
  const ran = [];
  const memory = {};
  await ScheduleTrigger.prototype.trigger.call({
    getNode: () => ({ id: 'n', name: 'Schedule', typeVersion: 1.4 }),
    getNodeParameter: () => ({ interval: [{ triggerAtHour: 9, triggerAtMinute: 0, ...interval }] }),
    getTimezone: () => 'Europe/Berlin',
    getWorkflow: () => ({ id: 'w' }),
    getWorkflowStaticData: () => memory,
    getMode: () => 'trigger',
    emit: () => ran.push(new Date(clock).toISOString().slice(0, 10)),
    helpers: { registerCron: (_, called) => (call = called), returnJsonArray: (items) => items },
  });
  const now = Date.now;
  for (clock = Date.parse(first); clock <= Date.parse(last); clock += step) {
    Date.now = () => clock;
    await call(new Date(clock));
  }
  Date.now = now;
  return ran;
}
(async () => {
  const weeks = { field: 'weeks', weeksInterval: 2, triggerAtDay: [1] };
  const days = { field: 'days', daysInterval: 2 };
  for (const [year, monday] of [[2026, '07'], [2027, '06'], [2028, '04']]) {
    console.log(`every 2 weeks, end of ${year}:`, ...(await runs(weeks, `${year}-12-${monday}T08:00Z`, `${year + 1}-01-31T08:00Z`, 7 * day)));
    console.log(`every 2 days, end of ${year}:`, ...(await runs(days, `${year}-12-28T08:00Z`, `${year + 1}-01-05T08:00Z`, day)));
  }
})();
END
node schedule.cjs > seen
cat seen
cat > expected <<'END'
every 2 weeks, end of 2026: 2026-12-07 2026-12-21 2027-01-04 2027-01-18
every 2 days, end of 2026: 2026-12-28 2026-12-30 2027-01-01 2027-01-03 2027-01-05
every 2 weeks, end of 2027: 2027-12-06 2027-12-20 2028-01-03 2028-01-17 2028-01-31
every 2 days, end of 2027: 2027-12-28 2027-12-30 2028-01-01 2028-01-03 2028-01-05
every 2 weeks, end of 2028: 2028-12-04 2028-12-18 2029-01-08 2029-01-22
every 2 days, end of 2028: 2028-12-28 2028-12-30 2029-01-02 2029-01-04
END
diff expected seen
