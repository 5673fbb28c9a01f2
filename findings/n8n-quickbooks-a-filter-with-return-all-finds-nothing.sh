#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the QuickBooks Online node, Get Many invoices (with n8n-workflow 2.41.0, change-case 5.4.4 and lodash
#   4.18.1, as it pins them); a stub answers queries like QuickBooks, which leaves out the list if nothing is found.
# The good guess: with a filter ("WHERE Balance > '0'") and "Return All", the node returns all invoices that match.
# What is seen: it counts the invoices without the filter, and reads on until it has as many. The page after the last has no list, which is
#   an error inside of the node, and an error there returns an empty list: the invoices already found are dropped. The same filter with a
#   limit finds them. Only a filter that excludes nothing works.
# Why it matters: the reminder for unpaid invoices goes to nobody, the run is green, and the report says that nothing is due. In an account
#   in which all test invoices are unpaid, it works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 change-case@5.4.4 lodash@4.18.1 >> npm.log 2>&1
cat > invoices.cjs <<'END'
const { QuickBooks } = require('./package/dist/nodes/QuickBooks/QuickBooks.node.js');
const list = async (balances, given) => {
  const invoices = balances.map((Balance, index) => ({ Id: String(index + 1), Balance }));
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'QuickBooks', typeVersion: 1 }),
    getNodeParameter: (name, _, fallback) => ({ resource: 'invoice', operation: 'getAll', ...given })[name] ?? fallback,
    getCredentials: async () => ({ environment: 'production', oauthTokenData: { callbackQueryString: { realmId: '1' } } }),
    continueOnFail: () => false,
    helpers: {
      returnJsonArray: (json) => [json].flat().map((one) => ({ json: one })),
      constructExecutionMetaData: (items) => items,
      requestOAuth2: async (_, { qs: { query } }) => {
        const found = invoices.filter(({ Balance }) => !query.includes('WHERE') || Balance > 0);
        if (query.includes('COUNT')) return { QueryResponse: { totalCount: found.length } };
        const start = Number(/STARTPOSITION (\d+)/.exec(query)?.[1] ?? 1);
        const page = found.slice(start - 1, start - 1 + Number(/MAXRESULTS (\d+)/.exec(query)[1]));
        return { QueryResponse: page.length > 0 ? { Invoice: page, startPosition: start, maxResults: page.length } : {} };
      },
    },
  };
  const [items] = await new QuickBooks().execute.call(host);
  return items.map(({ json }) => json.Id).join(' ') || 'nothing';
};
(async () => {
  const filters = { query: "WHERE Balance > '0'" };
  for (const balances of [[120, 80, 0, 100], [120, 80, 60, 100]]) {
    console.log(`balances of ${balances.join(', ')}`);
    console.log(`  all: ${await list(balances, { returnAll: true, filters: {} })}`);
    console.log(`  unpaid, up to 50: ${await list(balances, { returnAll: false, limit: 50, filters })}`);
    console.log(`  unpaid, all: ${await list(balances, { returnAll: true, filters })}`);
  }
})();
END
node invoices.cjs > seen
cat seen
cat > expected <<'END'
balances of 120, 80, 0, 100
  all: 1 2 3 4
  unpaid, up to 50: 1 2 4
  unpaid, all: nothing
balances of 120, 80, 60, 100
  all: 1 2 3 4
  unpaid, up to 50: 1 2 3 4
  unpaid, all: 1 2 3 4
END
diff expected seen
