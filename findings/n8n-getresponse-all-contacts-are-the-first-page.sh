#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the GetResponse node, Get Many contacts with "Return All" (with n8n-workflow 2.41.0 and moment-timezone
#   0.5.48, as it pins them). A small server returns three pages with GetResponse's headers (TotalPages, CurrentPage); requests use axios
#   1.21.1, as n8n itself does.
# The good guess: "Return All" requests page after page until the last, and header names are case-insensitive (RFC 9110, 5.1).
# What is seen: the node looks up TotalPages and CurrentPage with capitals, but Node.js gives all header names in lower case. Both are
#   undefined and therefore equal, so the node takes the first page for the last: 2 of 5 contacts.
# Why it matters: in a list of 250 guests, 100 get the news that the place has changed. If the list fits on one page, as in a test, all is
#   right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 axios@1.21.1 >> npm.log 2>&1
cat > contacts.cjs <<'END'
const http = require('node:http');
const axios = require('axios');
const { GetResponse } = require('./package/dist/nodes/GetResponse/GetResponse.node.js');
const count = 5;
const server = http.createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://x');
  const [page, size] = [Number(searchParams.get('page') ?? 1), 2];
  console.log(`asked for page ${page}`);
  const contacts = Array.from({ length: count }, (_, index) => ({ contactId: `c${index + 1}` })).slice((page - 1) * size, page * size);
  response.writeHead(200, { 'Content-Type': 'application/json', TotalCount: count, TotalPages: Math.ceil(count / size), CurrentPage: page }).end(JSON.stringify(contacts));
});
server.listen(0, '127.0.0.1', async () => {
  const values = { resource: 'contact', operation: 'getAll', authentication: 'apiKey', returnAll: true, options: {} };
  const host = {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'GetResponse', typeVersion: 1 }),
    getNodeParameter: (name) => values[name],
    getTimezone: () => 'UTC',
    continueOnFail: () => false,
    helpers: {
      requestWithAuthentication: async (_, { uri, qs, resolveWithFullResponse }) => {
        const { data, headers } = await axios.get(uri.replace('https://api.getresponse.com', `http://127.0.0.1:${server.address().port}`), { params: qs });
        return resolveWithFullResponse ? { body: data, headers } : data;
      },
      returnJsonArray: (items) => items,
      constructExecutionMetaData: (items) => items,
    },
  };
  const [contacts] = await new GetResponse().execute.call(host);
  console.log(`all contacts: ${contacts.map(({ contactId }) => contactId).join(', ')} (of ${count})`);
  server.close();
  server.closeAllConnections();
});
END
node contacts.cjs > seen
cat seen
cat > expected <<'END'
asked for page 1
all contacts: c1, c2 (of 5)
END
diff expected seen
