#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the node Summarize (with n8n-workflow 2.41.0 and lodash 4.18.1, as it pins them).
# The good guess: a price that a service gives as text, "120.00", as HubSpot does with each number and others do with money, counts in a sum like
#   the number, or the node says that it is not one.
# What is seen: what is text is left out of a sum and an average, without a word. Of three bookings of 120, 80 and 100, of which two are text, the
#   sum is 80, and so is the average. If all are text, the sum is 0, the average not a number, and the greatest is found by
#   the letters, so "95.00" is more than "120.00". The count is right.
# Why it matters: a report of the week has a sum that looks right, lacks what one of two sources gave, and stands beside a count that is complete. An
#   invoice over 0 goes out. Convert with toNumber() before.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# The nodes alone: what the other nodes of the package need is 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 lodash@4.18.1 >> npm.log 2>&1
cat > sums.cjs <<'END'
const { Summarize } = require('./package/dist/nodes/Transform/Summarize/Summarize.node.js');
const field = 'price';
const fieldsToSummarize = ['sum', 'average', 'count', 'max'].map((aggregation) => ({ aggregation, field }));
const summarize = async (prices) => {
  const entered = { 'fieldsToSummarize.values': fieldsToSummarize, options: {}, fieldsToSplitBy: '' };
  const [[{ json }]] = await new Summarize().execute.call({
    getInputData: () => prices.map((price) => ({ json: { price } })),
    getNode: () => ({ name: 'Summarize', typeVersion: 1.1 }),
    getNodeParameter: (name, _item, fallback) => entered[name] ?? fallback,
    addExecutionHints: () => {},
  });
  return Object.entries(json).map(([name, value]) => `${name} ${value}`).join(', ');
};
(async () => {
  console.log(`numbers: ${await summarize([120, 80, 100])}`);
  console.log(`some as text: ${await summarize(['120.00', 80, '100.00'])}`);
  console.log(`all as text: ${await summarize(['120.00', '95.00', '100.00'])}`);
})();
END
node sums.cjs > seen
cat seen
cat > expected <<'END'
numbers: sum_price 300, average_price 100, count_price 3, max_price 120
some as text: sum_price 80, average_price 80, count_price 3, max_price 120.00
all as text: sum_price 0, average_price NaN, count_price 3, max_price 95.00
END
diff expected seen
