#!/usr/bin/env bash
# Packages: @hey-api/openapi-ts 0.99.0 and swagger-typescript-api 13.13.0, which generate clients from an OpenAPI document (run by jiti
#   2.6.1).
# The good guess: the "servers" of a path replace those of the document for that path, as OpenAPI has defined since 3.0. It is how a
#   document says that tokens come from another URL than records.
# What is seen: both clients silently call the document's server for every path: /api/v1/oauth/token instead of /auth/oauth/token.
# Why it matters: every client generated from the document fails at its first step, the sign-in, although the document is correct. A
#   document meant for generators needs a single server, and full paths.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @hey-api/openapi-ts@0.99.0 swagger-typescript-api@13.13.0 jiti@2.6.1 typescript@5.9.3 >> npm.log 2>&1
cat > api.json <<'END'
{
  "openapi": "3.1.0",
  "info": { "title": "Bookings", "version": "1.0.0" },
  "servers": [{ "url": "https://example.com/api/v1" }],
  "paths": {
    "/bookings": { "get": { "operationId": "listBookings", "responses": { "200": { "description": "Bookings" } } } },
    "/oauth/token": {
      "servers": [{ "url": "https://example.com/auth" }],
      "post": { "operationId": "getToken", "responses": { "200": { "description": "A token" } } }
    }
  }
}
END
npx openapi-ts -i api.json -o one >> npm.log 2>&1
npx swagger-typescript-api generate -p api.json -o two >> npm.log 2>&1
cat > call.ts <<'END'
import { getToken, listBookings } from './one/sdk.gen';
import { Api } from './two/Api';
const called: string[] = [];
globalThis.fetch = async (input) => {
  called.push(String((input as Request).url ?? input));
  return Response.json({});
};
const api = new Api();
await listBookings();
await getToken();
console.log('@hey-api/openapi-ts:', ...called.splice(0));
await api.bookings.listBookings();
await api.oauth.getToken();
console.log('swagger-typescript-api:', ...called);
END
npx jiti call.ts > seen
cat seen
cat > expected <<'END'
@hey-api/openapi-ts: https://example.com/api/v1/bookings https://example.com/api/v1/oauth/token
swagger-typescript-api: https://example.com/api/v1/bookings https://example.com/api/v1/oauth/token
END
diff expected seen
