#!/usr/bin/env bash
# Package: @microsoft/microsoft-graph-client 3.0.7, which reads Outlook calendars. A small stand-in answers in the time zone that the
#   request asks for, as Microsoft Graph does (Prefer: outlook.timezone), and otherwise in UTC.
# The good guess: PageIterator, created from the client and the first page, requests further pages as the first one was requested, so all
#   meetings of a list are in the same time zone.
# What is seen: only the first page is requested with the header. From the second page on, meetings are in UTC, and only the timeZone field
#   beside each says so. If the header is passed again, in the iterator's own options, it is sent.
# Why it matters: a program that asked for New York, and so ignores that field, takes 14:00 UTC for the afternoon there, from the second
#   page of a week's meetings on. A test calendar has only one page.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @microsoft/microsoft-graph-client@3.0.7 >> npm.log 2>&1
cat > pages.cjs <<'END'
const { Client, PageIterator } = require('@microsoft/microsoft-graph-client');
const meetings = ['2030-01-28', '2030-01-29', '2030-01-30', '2030-01-31'].map((day) => new Date(`${day}T14:00:00Z`));
/** Two meetings a page, each on the clock that the request prefers. */
const service = {
  async execute(context) {
    const { searchParams } = new URL(context.request.url ?? context.request);
    const zone = /outlook\.timezone="(.+)"/.exec(new Headers(context.options.headers).get('prefer') ?? '')?.[1] ?? 'UTC';
    const skip = Number(searchParams.get('$skip') ?? 0);
    const value = meetings.slice(skip, skip + 2).map((start) => ({ start: { dateTime: start.toLocaleString('sv', { timeZone: zone }).replace(' ', 'T'), timeZone: zone } }));
    const next = skip + 2 < meetings.length ? { '@odata.nextLink': `https://graph.microsoft.com/v1.0/me/calendarView?$skip=${skip + 2}` } : {};
    context.response = new Response(JSON.stringify({ value, ...next }), { headers: { 'content-type': 'application/json' } });
  },
};
const headers = { Prefer: 'outlook.timezone="America/New_York"' };
(async () => {
  const client = Client.initWithMiddleware({ middleware: service });
  for (const [name, options] of [
    ['the iterator alone', undefined],
    ['with the header again', { headers }],
  ]) {
    const first = await client.api('/me/calendarView').headers(headers).get();
    console.log(`${name}:`);
    await new PageIterator(client, first, ({ start }) => !console.log(`  ${start.dateTime} ${start.timeZone}`), options).iterate();
  }
})();
END
node pages.cjs > seen
cat seen
cat > expected <<'END'
the iterator alone:
  2030-01-28T09:00:00 America/New_York
  2030-01-29T09:00:00 America/New_York
  2030-01-30T14:00:00 UTC
  2030-01-31T14:00:00 UTC
with the header again:
  2030-01-28T09:00:00 America/New_York
  2030-01-29T09:00:00 America/New_York
  2030-01-30T09:00:00 America/New_York
  2030-01-31T09:00:00 America/New_York
END
diff expected seen
