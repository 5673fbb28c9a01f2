#!/usr/bin/env bash
# Package: fastify 5.12.8, which writes answers by their schema (with fast-json-stringify) and checks requests by theirs (with ajv-formats).
# The good guess: a Date whose schema says date-time, date or time comes out as one and the same moment, in UTC, as a Date does in JSON. And
#   what one part of the framework writes under a schema, the other takes under the same schema (JSON Schema, Validation, 7.3.1).
# What is seen: date-time is in UTC, date and time are on the clock of the machine: half past midnight in UTC is 00:30 of the 31st, and
#   19:30 of the 30th in New York. And the time has no offset, which RFC 3339 wants ("full-time"), so the framework refuses its own answer.
# Why it matters: one answer says two days for one booking. Its page shows all three forms and no clock. On a server in UTC the day is right;
#   what comes back as it was sent is refused everywhere. Write days and times as text, on a clock that is named.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts fastify@5.12.8 >> npm.log 2>&1
cat > answer.mjs <<'END'
import { fastify } from 'fastify';
const field = (format) => ({ type: 'object', properties: { at: { type: 'string', format } } });
const app = fastify();
for (const format of ['date-time', 'date', 'time']) {
  app.get(`/${format}`, { schema: { response: { 200: field(format) } } }, () => ({ at: new Date('2030-01-31T00:30:00Z') }));
  app.post(`/${format}`, { schema: { body: field(format) } }, () => 'taken');
}
for (const format of ['date-time', 'date', 'time']) {
  const { body } = await app.inject({ url: `/${format}` });
  const back = await app.inject({ method: 'POST', url: `/${format}`, payload: JSON.parse(body) });
  console.log(`${process.env.TZ}, ${format}: ${body}, sent back: ${back.statusCode === 200 ? back.body : back.json().message}`);
}
END
for zone in UTC America/New_York Asia/Tokyo; do TZ=$zone node answer.mjs; done > seen
cat seen
cat > expected <<'END'
UTC, date-time: {"at":"2030-01-31T00:30:00.000Z"}, sent back: taken
UTC, date: {"at":"2030-01-31"}, sent back: taken
UTC, time: {"at":"00:30:00"}, sent back: body/at must match format "time"
America/New_York, date-time: {"at":"2030-01-31T00:30:00.000Z"}, sent back: taken
America/New_York, date: {"at":"2030-01-30"}, sent back: taken
America/New_York, time: {"at":"19:30:00"}, sent back: body/at must match format "time"
Asia/Tokyo, date-time: {"at":"2030-01-31T00:30:00.000Z"}, sent back: taken
Asia/Tokyo, date: {"at":"2030-01-31"}, sent back: taken
Asia/Tokyo, time: {"at":"09:30:00"}, sent back: body/at must match format "time"
END
diff expected seen
