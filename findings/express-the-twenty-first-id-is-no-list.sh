#!/usr/bin/env bash
# Packages: express 4.22.1 and 5.2.1, reading a list of IDs from the query string; the query parser "extended" is the default of 4.
# The good guess: a repeated query parameter, "?ids[]=a&ids[]=b" or "?ids=a&ids=b", is an array, for any number of IDs.
# What is seen: with "extended", in both versions, up to 20 IDs are an array. From the 21st on they are an object with the keys 0 to 20,
#   without an error. With the parser "simple", 21 are an array too, under "ids[]" or "ids".
# Why it matters: a search by selected bookings works until somebody selects 21. Then Array.isArray returns false, so the search finds all
#   or none, or code that loops over the IDs fails.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts express4@npm:express@4.22.1 express5@npm:express@5.2.1 >> npm.log 2>&1
cat > ids.mjs <<'END'
import { once } from 'node:events';
import express4 from 'express4';
import express5 from 'express5';
for (const [name, express, parser] of [['4', express4], ['4, simple', express4, 'simple'], ['5, extended', express5, 'extended'], ['5', express5]]) {
  const app = express();
  if (parser !== undefined) app.set('query parser', parser);
  app.get('/bookings', ({ query }, response) => {
    const ids = query.ids ?? query['ids[]'];
    response.json(Array.isArray(ids) ? `a list of ${ids.length}` : `an ${typeof ids} with ${Object.keys(ids).length} keys`);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  for (const key of ['ids[]', 'ids'])
    for (const count of [20, 21]) {
      const query = Array.from({ length: count }, (_, at) => `${key}=bkg_${at}`).join('&');
      const answer = await fetch(`http://127.0.0.1:${server.address().port}/bookings?${query}`);
      console.log(`express ${name}, ${count} of ${key}: ${await answer.json()}`);
    }
  server.close();
  server.closeAllConnections();
}
END
node ids.mjs > seen
cat seen
cat > expected <<'END'
express 4, 20 of ids[]: a list of 20
express 4, 21 of ids[]: an object with 21 keys
express 4, 20 of ids: a list of 20
express 4, 21 of ids: an object with 21 keys
express 4, simple, 20 of ids[]: a list of 20
express 4, simple, 21 of ids[]: a list of 21
express 4, simple, 20 of ids: a list of 20
express 4, simple, 21 of ids: a list of 21
express 5, extended, 20 of ids[]: a list of 20
express 5, extended, 21 of ids[]: an object with 21 keys
express 5, extended, 20 of ids: a list of 20
express 5, extended, 21 of ids: an object with 21 keys
express 5, 20 of ids[]: a list of 20
express 5, 21 of ids[]: a list of 21
express 5, 20 of ids: a list of 20
express 5, 21 of ids: a list of 21
END
diff expected seen
