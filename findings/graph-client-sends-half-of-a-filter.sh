#!/usr/bin/env bash
# Package: @microsoft/microsoft-graph-client 3.0.7, a client for Microsoft 365 calendars and contacts. A small stand-in server prints the
#   query that it receives.
# The good guess: the arguments of query(), filter() and search() are plain values, so the client, not its caller, encodes characters that
#   have a meaning in URLs (RFC 3986).
# What is seen: plus, ampersand and number sign are sent unencoded. A plus is read as a space, so a start loses its offset, and ada+test@
#   matches nobody. An ampersand ends the filter. A number sign ends the URL, and $top is lost with it. Accents, spaces and apostrophes are
#   sent correctly.
# Why it matters: people ask for meetings by times east of London, for contacts by addresses with a plus, for companies named "Smith &
#   Sons": they get a syntax error, or no result, so a contact is created twice. Encode each value before you pass it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @microsoft/microsoft-graph-client@3.0.7 >> npm.log 2>&1
cat > asks.cjs <<'END'
const http = require('node:http');
const { Client } = require('@microsoft/microsoft-graph-client');
const service = http.createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://service');
  console.log([...searchParams].map(([name, value]) => `  ${name}: "${value}"`).join('\n'));
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"value":[]}');
});
service.listen(0, '127.0.0.1', async () => {
  const baseUrl = `http://127.0.0.1:${service.address().port}`;
  const client = Client.init({ baseUrl, customHosts: new Set(['127.0.0.1']), authProvider: (done) => done(null, 'token') });
  const asks = {
    'meetings in an hour of Berlin': client.api('/me/calendarView').query({ startDateTime: '2030-01-31T09:00:00+01:00', endDateTime: '2030-01-31T10:00:00+01:00' }),
    'a contact by email': client.api('/me/contacts').filter("emailAddresses/any(a:a/address eq 'ada+test@example.com')").top(1),
    'a contact by company': client.api('/me/contacts').filter("companyName eq 'Smith & Sons'").top(1),
    'five meetings in room #3': client.api('/me/events').search('room #3').top(5),
    'a contact whose name has an accent and spaces': client.api('/me/contacts').filter("displayName eq 'José de Souza'").top(1),
  };
  for (const [what, request] of Object.entries(asks)) {
    console.log(what);
    await request.get();
  }
  service.close();
  service.closeAllConnections();
});
END
node asks.cjs > seen
cat seen
cat > expected <<'END'
meetings in an hour of Berlin
  startDateTime: "2030-01-31T09:00:00 01:00"
  endDateTime: "2030-01-31T10:00:00 01:00"
a contact by email
  $filter: "emailAddresses/any(a:a/address eq 'ada test@example.com')"
  $top: "1"
a contact by company
  $filter: "companyName eq 'Smith "
   Sons': ""
  $top: "1"
five meetings in room #3
  $search: "room "
a contact whose name has an accent and spaces
  $filter: "displayName eq 'José de Souza'"
  $top: "1"
END
diff expected seen
