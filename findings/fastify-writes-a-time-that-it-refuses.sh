#!/usr/bin/env bash
# Package: fastify 5.12.8, which writes responses by their schema (with fast-json-stringify) and validates requests by theirs (with
#   ajv-formats).
# The good guess: a Date under the format date-time, date or time is written as the same moment, in UTC, as Date is in JSON. What one part
#   of the framework writes under a schema, the other accepts under the same schema (JSON Schema, Validation, 7.3.1).
# What is seen: date-time is in UTC, but date and time are on the machine's clock: 00:30 UTC on the 31st is 19:30 on the 30th in New York.
#   The time has no offset, which RFC 3339 requires ("full-time"), so the framework rejects its own output.
# Why it matters: one response gives two days for one booking. The documentation shows all three formats, but does not say on which clock.
#   On a server in UTC the day is right; the time that is sent back is rejected everywhere. Write dates and times as strings, in a stated
#   time zone.
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
