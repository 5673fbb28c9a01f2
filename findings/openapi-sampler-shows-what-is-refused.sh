#!/usr/bin/env bash
# Package: openapi-sampler 1.7.9, which creates the examples shown in API documentation (by Redoc, among others), and ajv 8.20.0 with
#   ajv-formats 3.0.1, which validate them against the same schema.
# The good guess: an example created from a schema is valid against it. A time that may be null (OpenAPI 3.1: oneOf null and a string) is
#   shown as a time, or null.
# What is seen: if null comes first in oneOf, the example is {}. With a minimum, multipleOf is ignored: 20 for quarters of an hour. A list
#   of unique values repeats one, and an email address exceeds maxLength. A list of types with null (type: ["string", "null"]) works.
# Why it matters: people copy the example from the documentation into their first call, and it is refused; or a program tested against it
#   learns that a date is an object.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts openapi-sampler@1.7.9 ajv@8.20.0 ajv-formats@3.0.1 >> npm.log 2>&1
cat > samples.cjs <<'END'
const Ajv = require('ajv/dist/2020').default;
const addFormats = require('ajv-formats').default;
const { sample } = require('openapi-sampler');
const ajv = addFormats(new Ajv({ strict: false, formats: { float: true } }));
const time = { type: 'string', format: 'date-time' };
for (const [title, schema] of [
  ['a time', time],
  ['a time or null, as a list of types', { ...time, type: ['string', 'null'] }],
  ['a time or null', { oneOf: [time, { type: 'null' }] }],
  ['null or a time', { oneOf: [{ type: 'null' }, time] }],
  ['quarters of an hour', { type: 'integer', multipleOf: 15 }],
  ['quarters of an hour, at least 20', { type: 'integer', multipleOf: 15, minimum: 20 }],
  ['two different days', { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'string', enum: ['mon', 'tue'] } }],
  ['a length', { type: 'string', format: 'duration' }],
  ['a code of three letters', { type: 'string', pattern: '^[A-Z]{3}$' }],
  ['an address of at most 10 letters', { type: 'string', format: 'email', maxLength: 10 }],
]) {
  const example = sample(schema);
  console.log(`${title}: ${JSON.stringify(example)}, ${ajv.validate(schema, example) ? 'allowed' : `refused (${ajv.errorsText().replaceAll('data', 'it')})`}`);
}
END
node samples.cjs > seen
cat seen
cat > expected <<'END'
a time: "2019-08-24T14:15:22Z", allowed
a time or null, as a list of types: "2019-08-24T14:15:22Z", allowed
a time or null: "2019-08-24T14:15:22Z", allowed
null or a time: {}, refused (it must be null, it must be string, it must match exactly one schema in oneOf)
quarters of an hour: 0, allowed
quarters of an hour, at least 20: 20, refused (it must be multiple of 15)
two different days: ["mon","mon"], refused (it must NOT have duplicate items (items ## 1 and 0 are identical))
a length: "string", refused (it must match format "duration")
a code of three letters: "string", refused (it must match pattern "^[A-Z]{3}$")
an address of at most 10 letters: "user@example.com", refused (it must NOT have more than 10 characters)
END
diff expected seen
