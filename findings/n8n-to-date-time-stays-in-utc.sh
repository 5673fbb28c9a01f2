#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0 (with its peer zod 3.25.76), which evaluates every n8n expression, here in a workflow in New York.
# The good guess: a time with a Z, as APIs write it, is read in the workflow's time zone by each way that the editor offers. An email then
#   says 22:00 on Friday, which is what the time zone setting is for.
# What is seen: toDateTime() of a string, which the editor offers first, stays in the string's own offset: 03:00 on Saturday, which is
#   another day and a weekend. DateTime.fromISO(), and toDateTime() of a Date, use the workflow's zone. Without an offset, both use the
#   workflow's zone.
# Why it matters: reminders show UTC, "today" begins at seven in the evening, and a weekend filter includes Friday night. The workflow's
#   zone is set correctly, so people look elsewhere. At noon in Europe the day is right and only the hour is off. Write
#   DateTime.fromISO(text).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 >> npm.log 2>&1
cat > clocks.cjs <<'END'
const { Workflow } = require('n8n-workflow');
const description = { properties: [] };
const nodes = [{ id: '1', name: 'Mail', type: 'mail', typeVersion: 1, position: [0, 0], parameters: {} }];
const workflow = new Workflow({ nodes, connections: {}, active: false, nodeTypes: { getByNameAndVersion: () => ({ description }) }, settings: { timezone: 'America/New_York' } });
const show = (expression, start) => workflow.expression.resolveSimpleParameterValue(`={{ ${expression} }}`, {}, null, 0, 0, 'Mail', [{ json: { start } }], 'manual', {});
const ways = ['$json.start.toDateTime()', 'DateTime.fromISO($json.start)', 'new Date($json.start).toDateTime()'];
for (const start of ['2030-02-02T03:00:00Z', '2030-02-02T03:00:00+00:00', '2030-02-01T22:00:00'])
  for (const way of ways.slice(0, start.includes('03:00:00') ? 3 : 2)) {
    const [clock, first, weekend] = [`${way}.format('HH:mm, cccc')`, `${way}.beginningOf('day').toISO()`, `${way}.isWeekend()`].map((expression) => show(expression, start));
    console.log(`${start} by ${way}: ${clock}${weekend ? ', a weekend' : ''}, a day that begins at ${first}`);
  }
END
node clocks.cjs > seen
cat seen
cat > expected <<'END'
2030-02-02T03:00:00Z by $json.start.toDateTime(): 03:00, Saturday, a weekend, a day that begins at 2030-02-02T00:00:00.000Z
2030-02-02T03:00:00Z by DateTime.fromISO($json.start): 22:00, Friday, a day that begins at 2030-02-01T00:00:00.000-05:00
2030-02-02T03:00:00Z by new Date($json.start).toDateTime(): 22:00, Friday, a day that begins at 2030-02-01T00:00:00.000-05:00
2030-02-02T03:00:00+00:00 by $json.start.toDateTime(): 03:00, Saturday, a weekend, a day that begins at 2030-02-02T00:00:00.000Z
2030-02-02T03:00:00+00:00 by DateTime.fromISO($json.start): 22:00, Friday, a day that begins at 2030-02-01T00:00:00.000-05:00
2030-02-02T03:00:00+00:00 by new Date($json.start).toDateTime(): 22:00, Friday, a day that begins at 2030-02-01T00:00:00.000-05:00
2030-02-01T22:00:00 by $json.start.toDateTime(): 22:00, Friday, a day that begins at 2030-02-01T00:00:00.000-05:00
2030-02-01T22:00:00 by DateTime.fromISO($json.start): 22:00, Friday, a day that begins at 2030-02-01T00:00:00.000-05:00
END
diff expected seen
