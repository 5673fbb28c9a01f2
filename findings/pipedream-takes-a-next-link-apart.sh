#!/usr/bin/env bash
# Package: @pipedream/platform 3.4.0, whose axios() Pipedream's components use to send requests; a small local server reports the URL that
#   it was asked for.
# The good guess: a URL from a service, such as the link to the next page, is requested unchanged, as axios itself does.
# What is seen: the query string is split by hand and rebuilt. Of a filter that is given twice, only the last value is left, also with
#   brackets (status[]). A plus that means a space becomes a literal plus (%2B). A cursor that ends with "=", as base64 does, or a name
#   without a value, throws a SyntaxError (from JSON), before anything is sent.
# Why it matters: the second page has other filters than the first, so bookings are silently missing from a list; or every workflow stops at
#   its first full page, with an error that blames the response. Pass the parameters as params, each read from the link.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @pipedream/platform@3.4.0 axios@1.21.1 >> npm.log 2>&1
cat > pages.cjs <<'END'
const http = require('node:http');
const plain = require('axios');
const { axios } = require('@pipedream/platform');
const service = http.createServer((request, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ asked: request.url })));
service.listen(0, '127.0.0.1', async () => {
  const host = `http://127.0.0.1:${service.address().port}`;
  for (const link of ['/bookings?page=2', '/bookings?status=new&status=paid&page=2', '/bookings?status[]=new&status[]=paid', '/bookings?name=Ada+Lovelace&page=2', '/bookings?cursor=YWJjZA==', '/bookings?upcoming&page=2']) {
    const asked = { axios: (await plain.get(host + link)).data.asked };
    asked.Pipedream = await axios({}, { url: host + link }).then((data) => data.asked, (error) => error.name);
    console.log(link);
    for (const [name, what] of Object.entries(asked)) if (what !== link) console.log(`  ${name}: ${decodeURI(what)}`);
  }
  service.close();
  service.closeAllConnections();
});
END
node pages.cjs > seen
cat seen
cat > expected <<'END'
/bookings?page=2
/bookings?status=new&status=paid&page=2
  Pipedream: /bookings?status=paid&page=2
/bookings?status[]=new&status[]=paid
  Pipedream: /bookings?status[]=paid
/bookings?name=Ada+Lovelace&page=2
  Pipedream: /bookings?name=Ada%2BLovelace&page=2
/bookings?cursor=YWJjZA==
  Pipedream: SyntaxError
/bookings?upcoming&page=2
  Pipedream: SyntaxError
END
diff expected seen
