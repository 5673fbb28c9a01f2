#!/usr/bin/env bash
# Package: @pipedream/calendly_v2 1.4.1, the source "New Event Scheduled" of Pipedream (with @pipedream/platform 3.4.0); a small server
#   answers like Calendly: 20 events for a request unless it says count, sorted by start_time unless it says sort.
# The good guess: the source lists the newest events, 100 for a request, within the chosen scope: the organization, a user, a group, or
#   oneself. It reports each event once.
# What is seen: the parameters are wrapped once too often, so the service gets params[count], params[sort] and params[organization], which
#   mean nothing to it, and the user is added as for no scope at all. The answer is always the 20 events of oneself that started first. They
#   are reported once, and then never any other.
# Why it matters: everybody with more than 20 bookings in the account, of all times, hears of no new one, and a team hears only of its
#   administrator's. With a new account, as in a test, it works for the first 20.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @pipedream/calendly_v2@1.4.1 @pipedream/platform@3.4.0 >> npm.log 2>&1
cat > source.mjs <<'END'
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import source from '@pipedream/calendly_v2/sources/new-event-scheduled/new-event-scheduled.mjs';
const { app } = source.props;
const base = 'https://api.calendly.com';
const day = (number) => new Date(Date.UTC(2030, 0, number, 9)).toISOString();
let events;
let asked;
const server = createServer((request, response) => {
  const query = new URL(request.url, base).searchParams;
  const answer = (value) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  if (request.url === '/users/me') return answer({ resource: { uri: `${base}/users/ada` } });
  asked = decodeURIComponent(request.url);
  const field = query.get('sort')?.split(':')[0] ?? 'start_time';
  const found = events.filter(({ user }) => !query.has('user') || `${base}/users/${user}` === query.get('user'));
  found.sort((one, other) => (one[field] < other[field] ? -1 : 1));
  if (query.get('sort')?.endsWith('desc')) found.reverse();
  const collection = found.slice(0, Number(query.get('count') ?? 20));
  answer({ collection, pagination: { count: collection.length, next_page: null } });
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const event = (number, user) => ({ uri: `${base}/scheduled_events/${number}`, user, start_time: day(number), created_at: day(number) });
const follow = async (count, scope) => {
  const kept = new Map();
  const told = new Set();
  const self = {
    ...source.methods,
    scope,
    organization: `${base}/organizations/o1`,
    db: { get: (key) => kept.get(key), set: (key, value) => kept.set(key, value) },
    app: { ...app.methods, $auth: { oauth_access_token: 't' }, _baseUri: () => `http://127.0.0.1:${server.address().port}` },
    $emit: (_, { id }) => told.add(id),
  };
  for (const name of Object.keys(source.methods)) self[name] = source.methods[name].bind(self);
  events = Array.from({ length: count }, (_, index) => event(index + 1, 'ada'));
  await source.run.call(self);
  told.clear();
  events.push(event(count + 1, 'ada'), event(count + 2, 'bob'));
  await source.run.call(self);
  return [...told].filter((id) => id > count).map((id) => (id == count + 1 ? 'mine' : "Bob's")).join(' and ') || 'neither';
};
const lines = [];
for (const count of [0, 19, 20, 200])
  for (const scope of ['authenticatedUser', 'organization'])
    lines.push(`${count} events, then one of mine and one of Bob's, scope ${scope}: told ${await follow(count, scope)}`);
lines.push(`last request: ${asked.replaceAll(base, '')}`);
writeFileSync('seen', `${lines.join('\n')}\n`);
process.exit(0);
END
node source.mjs > said 2>&1 || { cat said; exit 1; }
cat seen
cat > expected <<'END'
0 events, then one of mine and one of Bob's, scope authenticatedUser: told mine
0 events, then one of mine and one of Bob's, scope organization: told mine
19 events, then one of mine and one of Bob's, scope authenticatedUser: told mine
19 events, then one of mine and one of Bob's, scope organization: told mine
20 events, then one of mine and one of Bob's, scope authenticatedUser: told neither
20 events, then one of mine and one of Bob's, scope organization: told neither
200 events, then one of mine and one of Bob's, scope authenticatedUser: told neither
200 events, then one of mine and one of Bob's, scope organization: told neither
last request: /scheduled_events?params[count]=100&params[sort]=created_at:desc&params[organization]=/organizations/o1&user=/users/ada
END
diff expected seen
