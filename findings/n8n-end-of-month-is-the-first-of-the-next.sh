#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the node Date & Time, Round a Date (with n8n-workflow 2.41.0, luxon 3.7.2 and moment-timezone 0.5.48, as it pins
#   them).
# The good guess: "Round Up" to "End of Month", its only choice, gives the last day of the month, as endOf of Luxon does, by which the node counts,
#   and as end-of-month is in every office.
# What is seen: it gives the first day of the next month, at midnight: the end of January is the 1st of February. And the first of February, at
#   midnight, goes on to the 1st of March, so who rounds twice is a month later.
# Why it matters: an invoice that is due "at the end of the month" is due on the first of the next, in the next month's books; and a window "until
#   the end of the month" that takes its last day whole has a day too many.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# The nodes alone: what the other nodes of the package need is 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 luxon@3.7.2 moment-timezone@0.5.48 >> npm.log 2>&1
cat > round.cjs <<'END'
const { DateTime } = require('luxon');
const { DateTimeV2 } = require('./package/dist/nodes/DateTime/V2/DateTimeV2.node.js');
const zone = 'Europe/Berlin';
const node = new DateTimeV2({});
const { options } = node.description.properties.find(({ name }) => name === 'to');
console.log(`Round Up, To: ${options.map(({ name, value }) => `${name} (${value})`)}`);
const round = async (date) => {
  const entered = { operation: 'roundDate', date, mode: 'roundUp', to: options[0].value, outputFieldName: 'rounded' };
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'Date & Time', typeVersion: 2 }),
    getNodeParameter: (name, _item, fallback) => entered[name] ?? fallback,
    getTimezone: () => zone,
    continueOnFail: () => false,
  };
  const [[item]] = await node.execute.call(host);
  return item.json.rounded;
};
(async () => {
  for (const date of ['2030-01-15T12:00:00+01:00', '2030-01-31T12:00:00+01:00', '2030-02-01T00:00:00+01:00']) {
    const rounded = await round(date);
    console.log(`${date}: ${rounded}, and again ${await round(rounded)}; Luxon's end of the month ${DateTime.fromISO(date, { zone }).endOf('month').toISODate()}`);
  }
})();
END
node round.cjs > seen
cat seen
cat > expected <<'END'
Round Up, To: End of Month (month)
2030-01-15T12:00:00+01:00: 2030-02-01T00:00:00.000+01:00, and again 2030-03-01T00:00:00.000+01:00; Luxon's end of the month 2030-01-31
2030-01-31T12:00:00+01:00: 2030-02-01T00:00:00.000+01:00, and again 2030-03-01T00:00:00.000+01:00; Luxon's end of the month 2030-01-31
2030-02-01T00:00:00+01:00: 2030-03-01T00:00:00.000+01:00, and again 2030-04-01T00:00:00.000+02:00; Luxon's end of the month 2030-02-28
END
diff expected seen
