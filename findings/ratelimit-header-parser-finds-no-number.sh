#!/usr/bin/env bash
# Packages: ratelimit-header-parser 0.1.0, which tells a client how many calls are left and when the limit resets, and express-rate-limit
#   8.7.5 (with express 5.3.0), by the same authors, which sends those headers.
# The good guess: the parser reads each format that the other package writes (draft 6, 7 and 8 of the standard, and the older X-RateLimit),
#   or returns nothing, as it does without such a header.
# What is seen: for draft 8 ("r=0; t=60"), it returns an object in which every number is NaN and the reset an invalid date. If the service
#   sends the remaining calls and Retry-After in seconds, as many do without a reset, the reset is in 1970.
# Why it matters: "less than one left" is false for NaN, and 1970 is over, so a client that waits when nothing is left never waits, and is
#   blocked. There is no error, and no missing value, for a test to notice.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ratelimit-header-parser@0.1.0 express-rate-limit@8.7.5 express@5.3.0 >> npm.log 2>&1
cat > left.mjs <<'END'
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { parseRateLimit } from 'ratelimit-header-parser';
const app = express();
const limit = (options) => rateLimit({ windowMs: 60_000, limit: 1, legacyHeaders: false, identifier: 'calls', ...options });
app.get('/x-ratelimit', limit({ standardHeaders: false, legacyHeaders: true }), (_, response) => response.send('yes'));
for (const draft of ['draft-6', 'draft-7', 'draft-8']) app.get(`/${draft}`, limit({ standardHeaders: draft }), (_, response) => response.send('yes'));
app.get('/retry-after', (_, response) => response.set({ 'X-RateLimit-Limit': '1', 'X-RateLimit-Remaining': '0', 'Retry-After': '60' }).sendStatus(429));
const server = app.listen(0, '127.0.0.1', async () => {
  for (const path of ['x-ratelimit', 'draft-6', 'draft-7', 'draft-8', 'retry-after']) {
    const { headers } = await fetch(`http://127.0.0.1:${server.address().port}/${path}`);
    const { limit, remaining, reset } = parseRateLimit(headers);
    const seconds = (reset - Date.now()) / 1_000;
    // The parser counts in whole seconds.
    const wait = seconds < 0 ? `in ${reset.getUTCFullYear()}` : seconds > 55 && seconds < 62 ? 'in a minute' : `in ${seconds}`;
    console.log(`${path}: ${remaining} of ${limit} left, more ${wait}`);
  }
  server.close();
  server.closeAllConnections();
});
END
node left.mjs > seen
cat seen
cat > expected <<'END'
x-ratelimit: 0 of 1 left, more in a minute
draft-6: 0 of 1 left, more in a minute
draft-7: 0 of 1 left, more in a minute
draft-8: NaN of NaN left, more in NaN
retry-after: 0 of 1 left, more in 1970
END
diff expected seen
