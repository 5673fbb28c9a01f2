#!/usr/bin/env bash
# Package: to-json-schema 0.2.5, which infers a JSON Schema from an example, such as a service's response, and ajv 8.20.0 with ajv-formats
#   3.0.1, which validates against it.
# The good guess: a format is set only where a string certainly has it, like an ISO 8601 time; a name, a row of digits or an hour is a plain
#   string. The same example always gives the same schema. For a list of guests, it has the fields that they share.
# What is seen: Ada and Bea get the format "color", as their letters are hexadecimal digits, and a phone number or a postal code gets
#   "utc-millisec". The time 09:00, given three times, gets "style", no format, and "style" again. If one guest's name is null, the guests
#   in the schema have no fields at all. ajv does not know these formats and rejects the schema.
# Why it matters: from a sample that somebody pastes, an agent or a form learns that a name is a color; which fields are affected depends on
#   the guest in the sample, and on the samples before it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts to-json-schema@0.2.5 ajv@8.20.0 ajv-formats@3.0.1 >> npm.log 2>&1
cat > sample.cjs <<'END'
const Ajv = require('ajv').default;
const addFormats = require('ajv-formats').default;
const toJsonSchema = require('to-json-schema');
const check = (schema, value) => {
  try {
    return `${schema.format ?? 'a text'}, ${addFormats(new Ajv()).validate(schema, value) ? 'allowed' : 'refused'}`;
  } catch (error) {
    return error.message;
  }
};
for (const text of ['2030-01-31T09:00:00Z', '2030-01-31', 'Ada', 'Eve', 'Bea', 'Ben', '0612345678', '01970', '09:00', '09:00', '09:00'])
  console.log(`${text}: ${check(toJsonSchema(text), text)}`);
for (const guests of [[{ name: 'Eve' }, { name: 'Ben' }], [{ name: 'Ada' }, { name: 'Bea' }], [{ name: 'Eve' }, { name: null }]]) console.log(`${JSON.stringify(guests)}: ${JSON.stringify(toJsonSchema(guests))}`);
END
node sample.cjs > seen
cat seen
cat > expected <<'END'
2030-01-31T09:00:00Z: date-time, allowed
2030-01-31: date, allowed
Ada: unknown format "color" ignored in schema at path "#"
Eve: a text, allowed
Bea: unknown format "color" ignored in schema at path "#"
Ben: a text, allowed
0612345678: unknown format "utc-millisec" ignored in schema at path "#"
01970: unknown format "utc-millisec" ignored in schema at path "#"
09:00: unknown format "style" ignored in schema at path "#"
09:00: a text, allowed
09:00: unknown format "style" ignored in schema at path "#"
[{"name":"Eve"},{"name":"Ben"}]: {"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}
[{"name":"Ada"},{"name":"Bea"}]: {"type":"array","items":{"type":"object","properties":{"name":{"type":"string","format":"color"}}}}
[{"name":"Eve"},{"name":null}]: {"type":"array","items":{"type":"object"}}
END
diff expected seen
