#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the HighLevel node, version 2, Get Many with "Return All" (with n8n-workflow 2.41.0 and luxon 3.7.2, as it
#   pins them), whose function for pages is called with the requests of the node; a stub answers like HighLevel, with meta.total of what
#   matches.
# The good guess: all pages are requested with the same filter, so a search for "VIP" returns those who match it.
# What is seen: from the second page on, only the position (startAfter, startAfterId) and the account are sent: the filter and the page size
#   are gone. The next pages are of all contacts, and since the total is now that of all, the node reads on to the end. Up to 100 matches,
#   which fit on the first page, are right.
# Why it matters: the offer for 120 regular guests goes to all 500 contacts, also to those who left long ago, and a bulk update changes all
#   of them. It begins on the day on which the group grows beyond 100.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 luxon@3.7.2 >> npm.log 2>&1
cat > contacts.cjs <<'END'
const { addLocationIdPreSendAction, highLevelApiPagination } = require('./package/dist/nodes/HighLevel/v2/GenericFunctions.js');
const list = async (all, vips) => {
  const people = Array.from({ length: all }, (_, index) => ({ id: `c${index + 1}`, tag: index < vips ? 'VIP' : '' }));
  const asked = [];
  const host = {
    getNodeParameter: (name) => ({ resource: 'contact', operation: 'getAll', returnAll: true })[name],
    getCredentials: async () => ({ oauthTokenData: { locationId: 'l1' } }),
    // As n8n makes each request of this operation.
    makeRoutingRequest: async ({ options }) => {
      const { qs } = await addLocationIdPreSendAction.call(host, options);
      asked.push(JSON.stringify(qs));
      const found = people.filter(({ tag }) => !qs.query || tag === qs.query);
      const start = found.findIndex(({ id }) => id === qs.startAfterId) + 1;
      const contacts = found.slice(start, start + (qs.limit ?? 20));
      return [{ json: { contacts, meta: { total: found.length, startAfter: 1, startAfterId: contacts.at(-1)?.id } } }];
    },
  };
  const items = await highLevelApiPagination.call(host, { options: { qs: { query: 'VIP' } } });
  console.log(`${all} contacts, ${vips} of them VIP: ${items.length} items, ${items.filter(({ json }) => json.tag !== 'VIP').length} not VIP`);
  for (const query of asked.slice(0, 3)) console.log(`  ${query}`);
  if (asked.length > 3) console.log(`  and ${asked.length - 3} more`);
};
(async () => {
  await list(500, 80);
  await list(500, 120);
})();
END
node contacts.cjs > seen
cat seen
cat > expected <<'END'
500 contacts, 80 of them VIP: 80 items, 0 not VIP
  {"query":"VIP","limit":100,"locationId":"l1"}
500 contacts, 120 of them VIP: 500 items, 380 not VIP
  {"query":"VIP","limit":100,"locationId":"l1"}
  {"startAfterId":"c100","startAfter":1,"locationId":"l1"}
  {"startAfterId":"c120","startAfter":1,"locationId":"l1"}
  and 18 more
END
diff expected seen
