#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Magento 2 node, Get Many orders and customers with "Return All" (with n8n-workflow 2.41.0 and
#   change-case 5.4.4, as it pins them); a stub returns pages like Magento, where current_page is part of search_criteria.
# The good guess: "Return All" requests the pages 1, 2 and 3, and returns each of 250 orders once.
# What is seen: the page is sent outside of search_criteria, where Magento does not look, and stays 1 for ever, because it is counted up
#   after it has been assigned. So the first page is requested until as many orders have come as there are: the first 100 orders three
#   times, and 150 orders never.
# Why it matters: a hundred customers are billed, thanked or refunded three times, and the others not at all. The number of items, 300,
#   looks plausible. A shop with up to 100 orders is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 change-case@5.4.4 >> npm.log 2>&1
cat > orders.cjs <<'END'
const { Magento2 } = require('./package/dist/nodes/Magento/Magento2.node.js');
const list = async (count) => {
  const orders = Array.from({ length: count }, (_, index) => ({ entity_id: index + 1 }));
  const given = { resource: 'order', operation: 'getAll', returnAll: true, filterType: 'none', options: {} };
  const asked = [];
  const host = {
    getInputData: () => [{ json: {} }],
    getTimezone: () => 'UTC',
    getNode: () => ({ name: 'Magento 2', typeVersion: 1 }),
    getNodeParameter: (name, _, fallback) => given[name] ?? fallback,
    getCredentials: async () => ({ host: 'https://shop.example' }),
    continueOnFail: () => false,
    helpers: {
      returnJsonArray: (json) => json.map((one) => ({ json: one })),
      constructExecutionMetaData: (items) => items,
      requestWithAuthentication: async (_, { qs }) => {
        const { page_size: size, current_page: page = 1 } = qs.search_criteria;
        asked.push(JSON.stringify(qs));
        return { items: orders.slice((page - 1) * size, page * size), total_count: count };
      },
    },
  };
  const [items] = await new Magento2().execute.call(host);
  const different = new Set(items.map(({ json }) => json.entity_id));
  console.log(`a shop with ${count} orders: ${items.length} items, ${different.size} different orders, the last is ${Math.max(...different)}`);
  for (const query of asked) console.log(`  ${query}`);
};
(async () => {
  await list(80);
  await list(250);
})();
END
node orders.cjs > seen
cat seen
cat > expected <<'END'
a shop with 80 orders: 80 items, 80 different orders, the last is 80
  {"search_criteria":{"page_size":100}}
a shop with 250 orders: 300 items, 100 different orders, the last is 100
  {"search_criteria":{"page_size":100}}
  {"search_criteria":{"page_size":100},"current_page":1}
  {"search_criteria":{"page_size":100},"current_page":1}
END
diff expected seen
