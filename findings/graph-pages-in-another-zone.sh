#!/usr/bin/env bash
# Package: @microsoft/microsoft-graph-client 3.0.7, which reads Outlook calendars; a small stand-in answers in the zone that it is asked for, as
#   Microsoft Graph does (Prefer: outlook.timezone), else in UTC.
# The good guess: PageIterator, which is made of the client and the first page, goes on as the first page began, so all meetings of one list stand
#   on the clock that was asked for.
# What is seen: the first page is asked for with the header, and the others without it. From the second page on, meetings are on the clock of
#   UTC, and only the field beside each says so. Given a second time, in the iterator's own options, the header is sent.
# Why it matters: a program that asked for New York, and so leaves that field alone, takes 14:00 for the afternoon there, from the eleventh meeting
#   of a week on. A test calendar has one page.
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
