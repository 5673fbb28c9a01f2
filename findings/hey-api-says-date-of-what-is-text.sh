#!/usr/bin/env bash
# Package: @hey-api/openapi-ts 0.99.0 (with typescript 5.9.3, run by jiti 2.6.1), which generates a client from an OpenAPI document, here
#   with its plugin for dates (@hey-api/transformers).
# The good guess: where the generated types say Date, the value is a Date. A date without a time (format: date) that was read is sent back
#   in that form, as the document defines for both directions.
# What is seen: a oneOf with a discriminator is not converted, nor is a oneOf of date and date-time: their times are strings typed as Date.
#   A date becomes a Date, and is sent as 2030-01-31T00:00:00.000Z. Plain fields, arrays and null are right.
# Why it matters: a string is neither before nor after a Date, so "has the room been closed?" is always answered with no, and the compiler
#   agrees. A birthday that is read and saved is rejected, or shifted by a service that takes the first ten characters in its own time zone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @hey-api/openapi-ts@0.99.0 jiti@2.6.1 typescript@5.9.3 >> npm.log 2>&1
cat > make.mjs <<'END'
import { createClient } from '@hey-api/openapi-ts';
const time = { type: 'string', format: 'date-time' };
const day = { type: 'string', format: 'date' };
const object = (properties) => ({ type: 'object', properties });
const kind = (name, field) => object({ kind: { const: name }, [field]: time });
const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const content = { 'application/json': { schema: ref('Booking') } };
const place = { oneOf: [ref('Room'), ref('Call')], discriminator: { propertyName: 'kind', mapping: { room: ref('Room').$ref, call: ref('Call').$ref } } };
const booking = object({ start: time, day, cancelled_at: { anyOf: [time, { type: 'null' }] }, reminders: { type: 'array', items: time }, until: { oneOf: [time, day] }, place });
const input = {
  openapi: '3.1.0',
  info: { title: 'Bookings', version: '1' },
  paths: {
    '/booking': {
      get: { operationId: 'readBooking', responses: { 200: { description: 'It', content } } },
      put: { operationId: 'saveBooking', requestBody: { content }, responses: { 204: { description: 'Saved' } } },
    },
  },
  components: { schemas: { Booking: booking, Room: kind('room', 'closed_at'), Call: kind('call', 'opens_at') } },
};
await createClient({ input, output: 'client', logs: { level: 'silent' }, plugins: ['@hey-api/client-fetch', '@hey-api/transformers', { name: '@hey-api/sdk', transformer: true }] });
END
cat > use.mjs <<'END'
import { readFileSync } from 'node:fs';
import { createJiti } from 'jiti';
const { readBooking, saveBooking } = await createJiti(import.meta.url).import('./client/index.ts');
const at = '2030-01-31T09:00:00Z';
const stored = { start: at, day: '2030-01-31', cancelled_at: null, reminders: [at], until: at, place: { kind: 'room', closed_at: at } };
let sent;
const fetch = async (request) => {
  if (request.method === 'GET') return Response.json(stored);
  sent = await request.json();
  return new Response(null, { status: 204 });
};
const options = { baseUrl: 'http://bookings.example', fetch };
const { data } = await readBooking(options);
const types = readFileSync('client/types.gen.ts', 'utf8');
const typed = (name) => types.match(new RegExp(`\\b${name}\\?: (.*);`))[1];
const is = (value) => (value instanceof Date ? 'a Date' : value === null ? 'null' : typeof value);
for (const name of ['start', 'day', 'cancelled_at', 'until']) console.log(`${name}: typed ${typed(name)}, is ${is(data[name])}`);
console.log(`reminders: typed ${typed('reminders')}, is an Array of ${is(data.reminders[0])}`);
console.log(`place.closed_at: typed ${typed('closed_at')}, is ${is(data.place.closed_at)}`);
console.log(`closed before 2031: ${data.place.closed_at < new Date('2031-01-01')}, after: ${data.place.closed_at > new Date('2031-01-01')}`);
await saveBooking({ ...options, body: data });
console.log(`day: read as ${stored.day}, saved as ${sent.day}`);
END
node make.mjs > make.log 2>&1 || { cat make.log; exit 1; }
node use.mjs > seen
cat seen
cat > expected <<'END'
start: typed Date, is a Date
day: typed Date, is a Date
cancelled_at: typed Date | null, is null
until: typed Date | Date, is string
reminders: typed Array<Date>, is an Array of a Date
place.closed_at: typed Date, is string
closed before 2031: false, after: false
day: read as 2030-01-31, saved as 2030-01-31T00:00:00.000Z
END
diff expected seen
