#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Date & Time node, Round a Date (with n8n-workflow 2.41.0, luxon 3.7.2 and moment-timezone 0.5.48, as
#   it pins them).
# The good guess: "Round Up" to "End of Month", its only choice, returns the last day of the month, as endOf does in Luxon, which the node
#   uses, and as every office understands it.
# What is seen: it returns the first day of the next month, at midnight: a date in January becomes 1 February. And 1 February at midnight
#   becomes 1 March, so rounding twice adds another month.
# Why it matters: an invoice that is due "at the end of the month" is due on the first of the next, and counts in the next month's books. A
#   window "until the end of the month" that includes its last day is a day too long.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
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
