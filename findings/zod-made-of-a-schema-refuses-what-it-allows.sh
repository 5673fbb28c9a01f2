#!/usr/bin/env bash
# Packages: four that convert a JSON Schema to zod (zod 4.6.7), with which agents validate the input and output of a tool:
#   @composio/json-schema-to-zod 0.3.0, @dmitryrechkin/json-schema-to-zod 1.0.1, json-schema-to-zod 2.8.1 and zod-from-json-schema 0.5.6.
# The good guess: values that the schema allows pass: a start with an offset (format date-time, JSON Schema, Validation, 7.3.1), a time of
#   day with one, a field that it does not name (Core, 10.3.2.3: all are allowed by default), and an amount of 19.99 with multipleOf 0.01.
# What is seen: each fails on something else. One accepts a start only in UTC, two reject a time of day with an offset, two reject a field
#   that is not named, and a third silently drops it. One accepts 19.98 as a multiple of 0.01, but not 19.99.
# Why it matters: an assistant's booking "at nine in Berlin" is rejected before anything is sent, or the response of a service that has
#   added a field is rejected after the call was made. Which one fails depends on the host, and a test at 09:00Z passes in all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts zod@4.6.7 @composio/json-schema-to-zod@0.3.0 @dmitryrechkin/json-schema-to-zod@1.0.1 json-schema-to-zod@2.8.1 zod-from-json-schema@0.5.6 >> npm.log 2>&1
cat > check.mjs <<'END'
import { jsonSchemaToZod } from '@composio/json-schema-to-zod';
import { JSONSchemaToZod } from '@dmitryrechkin/json-schema-to-zod';
import { jsonSchemaToZod as sourceOf } from 'json-schema-to-zod';
import { z } from 'zod';
import { convertJsonSchemaToZod } from 'zod-from-json-schema';
const makers = {
  '@composio': jsonSchemaToZod,
  '@dmitryrechkin': (schema) => JSONSchemaToZod.convert(schema),
  'json-schema-to-zod': (schema) => new Function('z', `return ${sourceOf(schema)}`)(z),
  'zod-from-json-schema': convertJsonSchemaToZod,
};
const text = (format) => ({ type: 'string', format });
const record = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const cents = { type: 'number', multipleOf: 0.01 };
for (const [says, schema, value] of [
  ['a start in UTC', text('date-time'), '2030-01-31T09:00:00Z'],
  ['a start with an offset', text('date-time'), '2030-01-31T09:00:00+01:00'],
  ['a time of day', text('time'), '09:00:00+01:00'],
  ['a record', record, { id: 'bkg_1' }],
  ['a record with a field more', record, { id: 'bkg_1', seats: 2 }],
  ['19.98', cents, 19.98],
  ['19.99', cents, 19.99],
]) {
  const results = Object.entries(makers).map(([name, make]) => {
    const { success, data } = make(schema).safeParse(value);
    return `${name} ${success ? (JSON.stringify(data) === JSON.stringify(value) ? 'takes it' : `makes ${JSON.stringify(data)} of it`) : 'refuses it'}`;
  });
  console.log(`${says}: ${results.join('; ')}`);
}
END
node check.mjs > seen
cat seen
cat > expected <<'END'
a start in UTC: @composio takes it; @dmitryrechkin takes it; json-schema-to-zod takes it; zod-from-json-schema takes it
a start with an offset: @composio takes it; @dmitryrechkin refuses it; json-schema-to-zod takes it; zod-from-json-schema takes it
a time of day: @composio refuses it; @dmitryrechkin takes it; json-schema-to-zod refuses it; zod-from-json-schema takes it
a record: @composio takes it; @dmitryrechkin takes it; json-schema-to-zod takes it; zod-from-json-schema takes it
a record with a field more: @composio refuses it; @dmitryrechkin refuses it; json-schema-to-zod makes {"id":"bkg_1"} of it; zod-from-json-schema takes it
19.98: @composio takes it; @dmitryrechkin takes it; json-schema-to-zod takes it; zod-from-json-schema takes it
19.99: @composio takes it; @dmitryrechkin takes it; json-schema-to-zod takes it; zod-from-json-schema refuses it
END
diff expected seen
