#!/usr/bin/env bash
# Package: n8n-workflow 2.41.0 (with its peer zod 3.25.76), which evaluates n8n's expressions and decides for If, Filter and Switch.
# The good guess: 0 and false are answers. isEmpty() and isNotEmpty() in an expression agree with "is empty" of the If node, and with
#   $ifEmpty() and compact(), which leave out what is empty.
# What is seen: 0.isEmpty() and false.isEmpty() are true: the two functions test for truth, if the value is not a text, a list or an object.
#   If, $ifEmpty() and compact() say that 0 and false are not empty. "0" as text, and a list or an object that holds only 0, are not empty
#   anywhere.
# Why it matters: "How many guests do you bring?" 0. "Will you come?" No. Both get the reminder for those who have not answered, a free
#   service gets the default price, and whoever moves the test from an expression into an If gets another result. Test for === undefined or
#   null.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 >> npm.log 2>&1
cat > empty.cjs <<'END'
const { Workflow, executeFilter } = require('n8n-workflow');
const nodes = [{ id: '1', name: 'If', type: 'if', typeVersion: 2, position: [0, 0], parameters: {} }];
const nodeTypes = { getByNameAndVersion: () => ({ description: { properties: [] } }) };
const workflow = new Workflow({ nodes, connections: {}, active: false, nodeTypes });
const show = (expression, answer) => workflow.expression.resolveSimpleParameterValue(`={{ ${expression} }}`, {}, null, 0, 0, 'If', [{ json: { answer } }], 'manual', {});
const decide = (answer, type) => {
  const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
  const operator = { type, operation: 'empty', singleValue: true };
  return executeFilter({ conditions: [{ id: '1', leftValue: answer, rightValue: '', operator }], combinator: 'and', options });
};
const says = (empty) => (empty ? 'empty' : 'an answer');
for (const answer of [2, 0, '0', true, false, '', null]) {
  const type = answer === null ? 'number' : typeof answer;
  const ways = {
    'isEmpty()': show('$json.answer.isEmpty()', answer),
    'If': decide(answer, type),
    '$ifEmpty()': show("$ifEmpty($json.answer, 'none')", answer) === 'none',
    'compact()': show('[$json.answer].compact()', answer).length === 0,
  };
  console.log(`${JSON.stringify(answer)}: ${Object.entries(ways).map(([way, empty]) => `${way} ${says(empty)}`).join(', ')}`);
}
END
node empty.cjs > seen
cat seen
cat > expected <<'END'
2: isEmpty() an answer, If an answer, $ifEmpty() an answer, compact() an answer
0: isEmpty() empty, If an answer, $ifEmpty() an answer, compact() an answer
"0": isEmpty() an answer, If an answer, $ifEmpty() an answer, compact() an answer
true: isEmpty() an answer, If an answer, $ifEmpty() an answer, compact() an answer
false: isEmpty() empty, If an answer, $ifEmpty() an answer, compact() an answer
"": isEmpty() empty, If empty, $ifEmpty() empty, compact() empty
null: isEmpty() empty, If empty, $ifEmpty() empty, compact() empty
END
diff expected seen
