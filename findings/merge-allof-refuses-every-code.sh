#!/usr/bin/env bash
# Package: json-schema-merge-allof 0.8.1, with which programs that read OpenAPI and JSON Schema make one schema of several (allOf), and ajv
#   8.20.0, which checks by them.
# The good guess: what the several allow, the one allows. A text must fit each pattern somewhere (JSON Schema, 6.3.3: patterns are not anchored).
# What is seen: two patterns are put behind each other as two conditions on one place of the text, so "begins with bkg_" and "ends with a digit"
#   together are fitted by no text at all. Two that both begin with ^ are right. A format beside another one, or readOnly beside its opposite, is
#   an error; limits and lists are right.
# Why it matters: a service adds a pattern to a code that it has inherited, which is what allOf is for, and a tool or a form made of it refuses
#   each booking; the service itself would take it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts json-schema-merge-allof@0.8.1 ajv@8.20.0 >> npm.log 2>&1
cat > codes.cjs <<'END'
const Ajv = require('ajv').default;
const merge = require('json-schema-merge-allof');
const allows = (schema, value) => (new Ajv({ strict: false }).validate(schema, value) ? 'allowed' : 'refused');
for (const [several, value] of [
  [[{ minLength: 3 }, { maxLength: 5, minLength: 2 }], 'abcd'],
  [[{ pattern: '^bkg_' }, { pattern: '^[a-z]+_[0-9]+$' }], 'bkg_7'],
  [[{ pattern: '^bkg_' }, { pattern: '[0-9]$' }], 'bkg_7'],
  [[{ pattern: '_' }, { pattern: '[0-9]' }], 'bkg_7'],
  [[{ pattern: 'Z$' }, { pattern: '^2030' }, { pattern: 'T09' }], '2030-01-31T09:00:00Z'],
]) {
  const schema = { allOf: several };
  const one = merge(schema);
  console.log(`${JSON.stringify(several)}\n  one: ${JSON.stringify(one)}\n  ${value}: ${allows(schema, value)} by the several, ${allows(one, value)} by the one`);
}
END
node codes.cjs > seen
cat seen
cat > expected <<'END'
[{"minLength":3},{"maxLength":5,"minLength":2}]
  one: {"minLength":3,"maxLength":5}
  abcd: allowed by the several, allowed by the one
[{"pattern":"^bkg_"},{"pattern":"^[a-z]+_[0-9]+$"}]
  one: {"pattern":"(?=^bkg_)(?=^[a-z]+_[0-9]+$)"}
  bkg_7: allowed by the several, allowed by the one
[{"pattern":"^bkg_"},{"pattern":"[0-9]$"}]
  one: {"pattern":"(?=^bkg_)(?=[0-9]$)"}
  bkg_7: allowed by the several, refused by the one
[{"pattern":"_"},{"pattern":"[0-9]"}]
  one: {"pattern":"(?=_)(?=[0-9])"}
  bkg_7: allowed by the several, refused by the one
[{"pattern":"Z$"},{"pattern":"^2030"},{"pattern":"T09"}]
  one: {"pattern":"(?=Z$)(?=^2030)(?=T09)"}
  2030-01-31T09:00:00Z: allowed by the several, refused by the one
END
diff expected seen
