#!/usr/bin/env bash
# Packages: clients generated from an OpenAPI document, openapi-client-axios 7.9.1 (with axios 1.21.1) and swagger-typescript-api 13.13.0,
#   compared with @hey-api/openapi-ts 0.99.0 (the two in TypeScript are run by jiti 2.6.1).
# The good guess: the document says how a list is written in the query (style and explode; by default the name is repeated for each value)
#   and that the body of a token request is a form (OpenAPI 3.1, "Style Values" and "x-www-form-urlencoded Request Bodies"). A generated
#   client follows it.
# What is seen: openapi-client-axios sends the form as JSON and writes lists with brackets, status[]=, regardless of the document.
#   swagger-typescript-api sends the form, but repeats the name for every list, and writes an object as [object Object]. The third is right.
# Why it matters: a server that follows RFC 6749 refuses a token request in JSON, and many services ignore a filter under another name, so
#   all bookings are returned, without an error. A single value works, so single values are the safest in a document.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts openapi-client-axios@7.9.1 axios@1.21.1 swagger-typescript-api@13.13.0 @hey-api/openapi-ts@0.99.0 jiti@2.6.1 typescript@5.9.3 >> npm.log 2>&1
cat > document.mjs <<'END'
import { writeFileSync } from 'node:fs';
const list = (name, more) => ({ name, in: 'query', schema: { type: 'array', items: { type: 'string' } }, ...more });
const responses = { 200: { description: 'Done', content: { 'application/json': { schema: { type: 'object' } } } } };
const form = { type: 'object', properties: { grant_type: { type: 'string' } } };
const span = { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } };
const lists = [list('status'), list('host', { style: 'form', explode: false }), list('tag', { style: 'pipeDelimited', explode: false }), { name: 'window', in: 'query', schema: span }];
const paths = {
  '/bookings': { get: { operationId: 'listBookings', parameters: lists, responses } },
  '/token': { post: { operationId: 'getToken', requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: form } } }, responses } },
};
const document = { openapi: '3.1.0', info: { title: 'Bookings', version: '1.0.0' }, servers: [{ url: 'http://127.0.0.1:1' }], paths };
writeFileSync('api.json', JSON.stringify(document));
END
node document.mjs
npx openapi-ts -i api.json -o one >> npm.log 2>&1
npx swagger-typescript-api generate -p api.json -o two >> npm.log 2>&1
cat > call.ts <<'END'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import { client } from './one/client.gen';
import { getToken, listBookings } from './one/sdk.gen';
import { Api } from './two/Api';
let got = '';
const service = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  got = request.method === 'GET' ? decodeURIComponent(request.url!) : `${request.headers['content-type']}: ${body}`;
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
});
await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${(service.address() as { port: number }).port}`;
const document = { ...JSON.parse(readFileSync('api.json', 'utf8')), servers: [{ url }] };
client.setConfig({ baseUrl: url });
const two = new Api({ baseUrl: url });
const axios: any = await new OpenAPIClientAxios({ definition: document }).init();
const query = { status: ['confirmed', 'pending'], host: ['ana', 'bob'], tag: ['x', 'y'], window: { from: 'May', to: 'June' } };
const form = { grant_type: 'refresh_token' };
const clients: Record<string, (() => Promise<unknown>)[]> = {
  'openapi-client-axios': [() => axios.listBookings(query), () => axios.getToken(null, form)],
  'swagger-typescript-api': [() => two.bookings.listBookings(query), () => two.token.getToken(form)],
  '@hey-api/openapi-ts': [() => listBookings({ query }), () => getToken({ body: form })],
};
for (const [name, calls] of Object.entries(clients))
  for (const call of calls) {
    await call();
    console.log(`${name}: ${got}`);
  }
service.close();
service.closeAllConnections();
END
npx jiti call.ts > seen
cat seen
cat > expected <<'END'
openapi-client-axios: /bookings?status[]=confirmed&status[]=pending&host[]=ana&host[]=bob&tag[]=x&tag[]=y&window[from]=May&window[to]=June
openapi-client-axios: application/json: {"grant_type":"refresh_token"}
swagger-typescript-api: /bookings?status=confirmed&status=pending&host=ana&host=bob&tag=x&tag=y&window=[object Object]
swagger-typescript-api: application/x-www-form-urlencoded: grant_type=refresh_token
@hey-api/openapi-ts: /bookings?status=confirmed&status=pending&host=ana,bob&tag=x|y&from=May&to=June
@hey-api/openapi-ts: application/x-www-form-urlencoded: grant_type=refresh_token
END
diff expected seen
