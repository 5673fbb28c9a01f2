#!/usr/bin/env bash
# Packages: @modelcontextprotocol/client and @modelcontextprotocol/server 2.4.0, with @modelcontextprotocol/sdk 1.32.2, which contains both
#   roles.
# The good guess: both sides use resource templates the same way (RFC 6570, which the protocol names, 2025-11-25, "resource templates"): the
#   server's handler gets the value that the client filled in, and a variable after the question mark may be missing (3.2.8).
# What is seen: the client encodes a value, and the server does not decode it: the handler gets ana%40example.com, and finds nobody. If one
#   or both of two variables after the question mark are missing, or they come in another order, the answer is "not found".
# Why it matters: ids of letters and digits work, and so does a URI in which a person types the @. An email address, a time with an offset
#   or a name with a space arrives changed if it was filled in by the template. A handler must decode values, and a template should require
#   all its query variables or have none.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/sdk@1.32.2 >> npm.log 2>&1
cat > resources.mjs <<'END'
import * as client2 from '@modelcontextprotocol/client';
import * as server2 from '@modelcontextprotocol/server';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
const sides = {
  '2.4.0': { ...server2, ...client2 },
  'sdk 1.32.2': { Client, InMemoryTransport, McpServer, ResourceTemplate, UriTemplate },
};
const contact = 'contacts://{email}';
const bookings = 'bookings://list{?from,to}';
for (const [version, side] of Object.entries(sides)) {
  const server = new side.McpServer({ name: 'bookings', version: '1.0.0' });
  for (const [name, template] of Object.entries({ contact, bookings }))
    server.registerResource(name, new side.ResourceTemplate(template, { list: undefined }), {}, (uri, values) => ({ contents: [{ uri: uri.href, text: JSON.stringify(values) }] }));
  const [one, other] = side.InMemoryTransport.createLinkedPair();
  await server.connect(one);
  const client = new side.Client({ name: 'assistant', version: '1.0.0' });
  await client.connect(other);
  const read = async (uri) => {
    const said = await client.readResource({ uri }).then(({ contents }) => contents[0].text, ({ message }) => (message.includes('not found') ? 'not found' : message));
    console.log(`${version}: ${uri} -> ${said}`);
  };
  for (const [template, values] of [
    [contact, { email: 'ana' }],
    [contact, { email: 'ana@example.com' }],
    [bookings, { from: '2030-01-31', to: '2030-02-01' }],
    [bookings, { from: '2030-01-31' }],
    [bookings, {}],
  ])
    await read(new side.UriTemplate(template).expand(values));
  await read('bookings://list?to=2030-02-01&from=2030-01-31');
  await client.close();
}
END
node resources.mjs > seen
cat seen
cat > expected <<'END'
2.4.0: contacts://ana -> {"email":"ana"}
2.4.0: contacts://ana%40example.com -> {"email":"ana%40example.com"}
2.4.0: bookings://list?from=2030-01-31&to=2030-02-01 -> {"from":"2030-01-31","to":"2030-02-01"}
2.4.0: bookings://list?from=2030-01-31 -> not found
2.4.0: bookings://list -> not found
2.4.0: bookings://list?to=2030-02-01&from=2030-01-31 -> not found
sdk 1.32.2: contacts://ana -> {"email":"ana"}
sdk 1.32.2: contacts://ana%40example.com -> {"email":"ana%40example.com"}
sdk 1.32.2: bookings://list?from=2030-01-31&to=2030-02-01 -> {"from":"2030-01-31","to":"2030-02-01"}
sdk 1.32.2: bookings://list?from=2030-01-31 -> not found
sdk 1.32.2: bookings://list -> not found
sdk 1.32.2: bookings://list?to=2030-02-01&from=2030-01-31 -> not found
END
diff expected seen
