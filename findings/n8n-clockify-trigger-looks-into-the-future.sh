#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the node Clockify Trigger (with n8n-workflow 2.41.0 and moment-timezone 0.5.48, as it pins them); a stand-in
#   answers as Clockify does, with the entries whose start lies between the two instants that it is asked for.
# The good guess: a trigger that polls asks for what has come since the last time until now, wherever the workflow is at home.
# What is seen: until now is the clock of the workflow's zone with a Z behind it. West of Greenwich it asks for hours ago: what was worked comes
#   five hours late in New York. East of it, it asks from an instant in the future on, and never sees any. In UTC all is right.
# Why it matters: hours that were worked, and the sessions that are paid by them, reach no invoice in Berlin, Delhi or Tokyo, without an error; the
#   first poll, which has no start, shows the old ones and looks well.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# The nodes alone: what the other nodes of the package need is 500 MB.
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
