#!/usr/bin/env bash
# Packages: three that run an express server on AWS Lambda, serverless-http 4.0.0, @vendia/serverless-express 4.12.6 and
#   @codegenie/serverless-express 5.0.0 (with express 5.3.0 and cookie 1.1.1, which reads cookies), beside Node.js itself.
# The good guess: two lines of cookies, as HTTP/2 lets a client send them and a load balancer can hand them on (multiValueHeaders), become one
#   with "; " between them (RFC 9113, 8.2.3: "MUST", before they are passed to an application), as in Node.js.
# What is seen: all three put a comma between them, so there is one cookie, whose value has the other one in it, and the second is missing. One
#   line with both is right, and so are the other kinds of events, which have them in one line or in a list of their own.
# Why it matters: who signs in comes back without the cookie of the attempt or of her session, by how her client packs them, and starts again; a
#   test by hand sends one line.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts serverless-http@4.0.0 @vendia/serverless-express@4.12.6 @codegenie/serverless-express@5.0.0 express@5.3.0 cookie@1.1.1 >> npm.log 2>&1
cat > cookies.cjs <<'END'
const http = require('node:http');
const cookies = require('cookie');
const express = require('express');
const app = express();
app.get('/', ({ headers }, response) => response.send(`${headers.cookie}: ${JSON.stringify((cookies.parseCookie ?? cookies.parse)(headers.cookie ?? ''))}`));
const lines = { 'one line': ['attempt=a1; session=s1'], 'two lines': ['attempt=a1', 'session=s1'] };
const event = (cookie) => ({ requestContext: { elb: { targetGroupArn: 'arn' } }, httpMethod: 'GET', path: '/', multiValueQueryStringParameters: {}, multiValueHeaders: { host: ['x.example'], cookie }, body: '', isBase64Encoded: false });
const adapters = {
  'serverless-http': require('serverless-http')(app),
  vendia: require('@vendia/serverless-express')({ app }),
  codegenie: (require('@codegenie/serverless-express').default ?? require('@codegenie/serverless-express'))({ app }),
};
const ask = (port, cookie) => new Promise((resolve) => http.get({ port, host: '127.0.0.1', headers: { cookie } }, async (response) => resolve(Buffer.concat(await response.toArray()).toString())));
const server = app.listen(0, '127.0.0.1', async () => {
  for (const [title, cookie] of Object.entries(lines)) {
    console.log(title);
    console.log(`  Node.js: ${await ask(server.address().port, cookie)}`);
    for (const [name, handle] of Object.entries(adapters)) {
      const { body, isBase64Encoded } = await handle(event(cookie), {});
      console.log(`  ${name}: ${Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')}`);
    }
  }
  server.close();
  server.closeAllConnections();
});
END
node cookies.cjs > seen
cat seen
cat > expected <<'END'
one line
  Node.js: attempt=a1; session=s1: {"attempt":"a1","session":"s1"}
  serverless-http: attempt=a1; session=s1: {"attempt":"a1","session":"s1"}
  vendia: attempt=a1; session=s1: {"attempt":"a1","session":"s1"}
  codegenie: attempt=a1; session=s1: {"attempt":"a1","session":"s1"}
two lines
  Node.js: attempt=a1; session=s1: {"attempt":"a1","session":"s1"}
  serverless-http: attempt=a1, session=s1: {"attempt":"a1, session=s1"}
  vendia: attempt=a1,session=s1: {"attempt":"a1,session=s1"}
  codegenie: attempt=a1,session=s1: {"attempt":"a1,session=s1"}
END
diff expected seen
