#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Summarize node (with n8n-workflow 2.41.0 and lodash 4.18.1, as it pins them).
# The good guess: a price given as text, "120.00", as HubSpot returns every number and other APIs return money, is added like the number, or
#   the node reports that it is not one.
# What is seen: text is silently left out of sums and averages. Of three bookings of 120, 80 and 100, two of them as text, the sum is 80,
#   and so is the average. If all are text, the sum is 0, the average is NaN, and the maximum is found alphabetically, so "95.00" is more
#   than "120.00". The count is right.
# Why it matters: a weekly report shows a sum that looks right but lacks what one of two sources gave, next to a complete count. An invoice
#   over 0 is sent. Convert with toNumber() first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
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
