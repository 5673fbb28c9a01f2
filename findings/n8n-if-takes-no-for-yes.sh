#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0 (with its peer zod 3.25.76), which decides for If, Filter and Switch, evaluates expressions, and converts for
#   Edit Fields.
# The good guess: with "Convert types where required", If reads an answer such as "no" as the rest of n8n does: toBoolean() in an expression
#   returns false, and Edit Fields rejects it. A missing amount (null) is not less than 10: the comparison is false, as it is if the field
#   does not exist.
# What is seen: If reads "no" as true. "n", "off" and "declined" are true too (also for toBoolean()); "0" and "false" are false. null is
#   less than 10, even without conversion; with conversion, so is an empty string (0).
# Why it matters: "Will you come? No" goes to the branch of those who come, although the preview of the expression says false. And people
#   without a balance in the records get the reminder for a low one. Compare text as text, and check "exists" first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 >> npm.log 2>&1
cat > if.cjs <<'END'
const { Workflow, executeFilter, validateFieldType } = require('n8n-workflow');
const decide = (leftValue, operator, rightValue, typeValidation) => {
  const options = { caseSensitive: true, leftValue: '', typeValidation, version: 2 };
  try {
    return String(executeFilter({ conditions: [{ id: '1', leftValue, rightValue, operator }], combinator: 'and', options }));
  } catch {
    return 'refused';
  }
};
const description = { properties: [] };
const nodes = [{ id: '1', name: 'If', type: 'if', typeVersion: 2, position: [0, 0], parameters: {} }];
const workflow = new Workflow({ nodes, connections: {}, active: false, nodeTypes: { getByNameAndVersion: () => ({ description }) } });
for (const answer of ['yes', 'no', 'n', 'off', 'declined', 'false', '0']) {
  const converted = decide(answer, { type: 'boolean', operation: 'true', singleValue: true }, undefined, 'loose');
  const expression = workflow.expression.resolveSimpleParameterValue('={{ $json.answer.toBoolean() }}', {}, null, 0, 0, 'If', [{ json: { answer } }], 'manual', {});
  const { valid, newValue } = validateFieldType('answer', answer, 'boolean');
  console.log(`"${answer}": If ${converted}, toBoolean() ${expression}, Edit Fields ${valid ? newValue : 'refused'}`);
}
for (const [says, balance] of [['12', 12], ['null', null], ['missing', undefined], ['an empty text', '']]) {
  const [plain, converted] = ['strict', 'loose'].map((way) => decide(balance, { type: 'number', operation: 'lt' }, 10, way));
  console.log(`a balance of ${says} is less than 10: ${plain}, with conversion ${converted}`);
}
END
node if.cjs > seen
cat seen
cat > expected <<'END'
"yes": If true, toBoolean() true, Edit Fields refused
"no": If true, toBoolean() false, Edit Fields refused
"n": If true, toBoolean() true, Edit Fields refused
"off": If true, toBoolean() true, Edit Fields refused
"declined": If true, toBoolean() true, Edit Fields refused
"false": If false, toBoolean() false, Edit Fields false
"0": If false, toBoolean() false, Edit Fields false
a balance of 12 is less than 10: false, with conversion false
a balance of null is less than 10: true, with conversion true
a balance of missing is less than 10: false, with conversion false
a balance of an empty text is less than 10: refused, with conversion true
END
diff expected seen
