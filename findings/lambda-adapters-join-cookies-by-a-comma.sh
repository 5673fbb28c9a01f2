#!/usr/bin/env bash
# Packages: three adapters that run an Express server on AWS Lambda, serverless-http 4.0.0, @vendia/serverless-express 4.12.6 and
#   @codegenie/serverless-express 5.0.0 (with express 5.3.0, and cookie 1.1.1 to parse cookies), compared with Node.js itself.
# The good guess: HTTP/2 lets a client send cookies in two header lines, and a load balancer may pass them on as two (multiValueHeaders).
#   They are joined with "; ", as in Node.js and as RFC 9113, 8.2.3 requires ("MUST") before an application gets them.
# What is seen: all three join them with a comma. The result is one cookie whose value contains the other ({"attempt":"a1, session=s1"}),
#   and the second is missing. One line with both cookies is read correctly, and so are the other event types, which have one line or a list
#   of their own.
# Why it matters: depending on how their client splits cookies, users who sign in come back without the cookie of the sign-in attempt or of
#   their session, and start again. A manual test sends one line.
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
