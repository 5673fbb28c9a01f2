#!/usr/bin/env bash
# Package: json-schema-merge-allof 0.8.1, with which programs that read OpenAPI and JSON Schema merge several schemas (allOf) into one, and
#   ajv 8.20.0, which validates with both.
# The good guess: the merged schema allows what the several allow. Text must match each pattern somewhere (JSON Schema, 6.3.3: patterns are
#   not anchored).
# What is seen: patterns are merged into lookaheads at one position, (?=^bkg_)(?=[0-9]$), so that no text can match both "begins with bkg_"
#   and "ends with a digit". Two patterns that both begin with ^ work. Two formats, or readOnly true and false, throw an error; limits and
#   lists are merged correctly.
# Why it matters: a service adds a pattern to an inherited code, which is what allOf is for, and a tool or form generated from it rejects
#   each booking that the service itself would accept.
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
