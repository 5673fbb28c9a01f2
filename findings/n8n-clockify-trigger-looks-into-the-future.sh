#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Clockify Trigger node (with n8n-workflow 2.41.0 and moment-timezone 0.5.48, as it pins them); a stub
#   answers like Clockify, with the entries that start between the two instants in the request.
# The good guess: each poll asks for what has started between the last poll and now, independent of the workflow's time zone.
# What is seen: "now" is sent as the local time of the workflow's zone, marked as UTC with a Z. In New York, polls ask for a range that ends
#   hours ago, so entries arrive up to 5.5 hours late. East of UTC, the range starts in the future, and no entry ever arrives. In UTC all is
#   right.
# Why it matters: in Berlin, Delhi or Tokyo, hours worked and the sessions paid by them reach no invoice, and no error is reported. The
#   first poll, which has no start, returns old entries and looks fine.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 >> npm.log 2>&1
cat > trigger.cjs <<'END'
const { ClockifyTrigger } = require('./package/dist/nodes/Clockify/ClockifyTrigger.node.js');
const RealDate = Date;
let now;
global.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length ? given : [now]));
  }
  static now() {
    return now;
  }
};
require('moment-timezone').now = () => now;
// One entry every three hours, at half past.
const entries = Array.from({ length: 8 }, (_, index) => RealDate.parse('2030-01-31T00:30Z') + index * 3 * 3600_000);
(async () => {
  for (const zone of ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata']) {
    const kept = {};
    const host = {
      getWorkflowStaticData: () => kept,
      getNodeParameter: (name) => ({ watchField: 0, workspaceId: 'w1' })[name],
      getTimezone: () => zone,
      getNode: () => ({ name: 'Clockify Trigger' }),
      getCredentials: async () => ({ apiKey: 'k' }),
      helpers: {
        returnJsonArray: (json) => json,
        requestWithAuthentication: async (_, { uri, url = uri, qs }) =>
          url.endsWith('user') ? { id: 'u1' } : entries.filter((at) => at <= now && at >= RealDate.parse(qs.start ?? 0) && at <= RealDate.parse(qs.end)),
      },
    };
    const late = [];
    for (let hour = 0; hour <= 24; hour += 1) {
      now = RealDate.parse('2030-01-31T00:00Z') + hour * 3600_000;
      for (const at of (await new ClockifyTrigger().poll.call(host)) ?? []) late.push((now - at) / 3600_000);
    }
    console.log(`${zone}: of ${entries.length} entries, ${late.length} came${late.length ? `, at most ${Math.max(...late)} hours late` : ''}`);
  }
})();
END
node trigger.cjs > seen
cat seen
cat > expected <<'END'
UTC: of 8 entries, 8 came, at most 0.5 hours late
America/New_York: of 8 entries, 7 came, at most 5.5 hours late
Europe/Berlin: of 8 entries, 0 came
Asia/Kolkata: of 8 entries, 0 came
END
diff expected seen
