#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the ERPNext node, Get Many documents with "Return All" (with n8n-workflow 2.41.0 and lodash 4.18.1, as it
#   pins them); a stub returns records like ERPNext, by limit_start and limit_page_length.
# The good guess: "Return All" returns each record once.
# What is seen: each page has 1,000 records, but the next begins 999 further on, so the last record of each full page is returned again as
#   the first of the next. With 1,000 records there are 1,001 items, with 5,000 there are 5,005. With fewer than 1,000, all is right.
# Why it matters: one appointment in a thousand is billed or confirmed twice, and totals are too high by it. Nobody looks for one in a
#   thousand, and it is another one when a record is deleted.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 lodash@4.18.1 >> npm.log 2>&1
cat > documents.cjs <<'END'
const { ERPNext } = require('./package/dist/nodes/ERPNext/ERPNext.node.js');
const list = async (count) => {
  const given = { resource: 'document', operation: 'getAll', docType: 'Patient Appointment', returnAll: true, options: {} };
  const records = Array.from({ length: count }, (_, index) => ({ name: `APP-${index + 1}` }));
  const starts = [];
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'ERPNext', typeVersion: 1 }),
    getNodeParameter: (name, _, fallback) => given[name] ?? fallback,
    getCredentials: async () => ({ environment: 'selfHosted', domain: 'https://erp.example' }),
    continueOnFail: () => false,
    helpers: {
      returnJsonArray: (json) => json.map((one) => ({ json: one })),
      constructExecutionMetaData: (items) => items,
      requestWithAuthentication: async (_, { qs }) => {
        starts.push(qs.limit_start);
        return { data: records.slice(qs.limit_start, qs.limit_start + qs.limit_page_length) };
      },
    },
  };
  const [items] = await new ERPNext().execute.call(host);
  const names = items.map(({ json }) => json.name);
  const twice = names.filter((name, index) => names.indexOf(name) < index);
  console.log(`${count} records: ${items.length} items, pages from ${starts.join(', ')}, twice: ${twice.join(' ') || 'none'}`);
};
(async () => {
  for (const count of [999, 1000, 1500, 5000]) await list(count);
})();
END
node documents.cjs > seen
cat seen
cat > expected <<'END'
999 records: 999 items, pages from 0, 999, twice: none
1000 records: 1001 items, pages from 0, 999, 1998, twice: APP-1000
1500 records: 1501 items, pages from 0, 999, 1998, twice: APP-1000
5000 records: 5005 items, pages from 0, 999, 1998, 2997, 3996, 4995, 5994, twice: APP-1000 APP-1999 APP-2998 APP-3997 APP-4996
END
diff expected seen
