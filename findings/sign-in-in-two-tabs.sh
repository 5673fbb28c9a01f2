#!/usr/bin/env bash
# Packages: two that sign users in at another service (OAuth 2) and store the state of an attempt, passport-oauth2 1.8.0 (with passport
#   0.7.0, express 5.3.0 and express-session 1.19.0) and @fastify/oauth2 8.3.0 (with fastify 5.12.8).
# The good guess: the state parameter belongs to one attempt (RFC 6749, 10.12), so a user who clicks "Connect" in two tabs can finish in
#   either; or the later attempt replaces the earlier one and succeeds.
# What is seen: each stores one state per user. The tab that was opened first is refused. With passport-oauth2, that refusal also deletes
#   the state of the second tab, so it is refused too, and nobody is connected.
# Why it matters: people open a sign-in twice, because nothing happened or an assistant showed the link again, and finish in the tab in
#   front. They see "Forbidden", or a server error, after they have consented. A test with one tab passes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts passport-oauth2@1.8.0 passport@0.7.0 express-session@1.19.0 express@5.3.0 \
  @fastify/oauth2@8.3.0 fastify@5.12.8 >> npm.log 2>&1
cat > tabs.cjs <<'END'
const http = require('node:http');
const express = require('express');
const session = require('express-session');
const { Passport } = require('passport');
const Strategy = require('passport-oauth2');
const listen = async (handler) => {
  const server = http.createServer(handler);
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${server.address().port}`;
};
const client = { id: 'app', secret: 'secret' };
const makers = {
  'passport-oauth2': (service) => {
    const urls = { authorizationURL: `${service}/authorize`, tokenURL: `${service}/token`, callbackURL: 'http://app.example/back' };
    const passport = new Passport().use('it', new Strategy({ ...urls, clientID: client.id, clientSecret: client.secret, state: true }, (_, __, ___, done) => done(null, { id: 1 })));
    const check = passport.authenticate('it', { session: false });
    const app = express().use(session({ secret: 'secret', resave: false, saveUninitialized: false }));
    return app.get('/connect', check).get('/back', check, (_, response) => response.send('connected'));
  },
  '@fastify/oauth2': async (service) => {
    const app = require('fastify')();
    const auth = { tokenHost: service, tokenPath: '/token', authorizePath: '/authorize' };
    app.register(require('@fastify/oauth2'), { name: 'it', credentials: { client, auth }, startRedirectPath: '/connect', callbackUri: 'http://app.example/back' });
    app.get('/back', async (request) => (await app.it.getAccessTokenFromAuthorizationCodeFlow(request), 'connected'));
    await app.ready();
    return app.routing;
  },
};
(async () => {
  const service = await listen((_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"access_token":"t","token_type":"bearer"}'));
  for (const [name, make] of Object.entries(makers))
    for (const finish of [['first'], ['first', 'second'], ['second', 'first']]) {
      const app = await listen(await make(service));
      const cookies = {};
      const open = async (path) => {
        const response = await fetch(app + path, { redirect: 'manual', headers: { Cookie: Object.entries(cookies).map((pair) => pair.join('=')).join('; ') } });
        for (const cookie of response.headers.getSetCookie()) cookies[cookie.split('=', 1)[0]] = cookie.split(';')[0].replace(/^[^=]*=/, '');
        return response;
      };
      const states = {};
      for (const tab of [...finish].sort()) states[tab] = new URL((await open('/connect')).headers.get('location')).searchParams.get('state');
      const ends = [];
      for (const tab of finish) ends.push(`the ${tab} tab ${(await open(`/back?code=c&state=${states[tab]}`)).ok ? 'is connected' : 'is refused'}`);
      console.log(`${name}, ${finish.length} opened: ${ends.join(', then ')}`);
    }
  process.exit(0);
})();
END
node tabs.cjs > seen
cat seen
cat > expected <<'END'
passport-oauth2, 1 opened: the first tab is connected
passport-oauth2, 2 opened: the first tab is refused, then the second tab is refused
passport-oauth2, 2 opened: the second tab is connected, then the first tab is refused
@fastify/oauth2, 1 opened: the first tab is connected
@fastify/oauth2, 2 opened: the first tab is refused, then the second tab is connected
@fastify/oauth2, 2 opened: the second tab is connected, then the first tab is refused
END
diff expected seen
