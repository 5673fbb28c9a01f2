#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the SurveyMonkey trigger, "Resolve Data" (with n8n-workflow 2.41.0, as it pins it); a stub returns a
#   survey and its answers in the format of SurveyMonkey's API.
# The good guess: each answer names its row and its choice (row_id, choice_id), so each row gets its own, and a row without an answer is
#   empty.
# What is seen: rows and choices are each sorted as in the survey and then paired by position. Saturday "no" and Sunday "yes" become
#   Saturday "yes" and Sunday "no". Two rows with the same choice become one answer and an empty one. In a question with several text
#   fields, a skipped field gets the next field's text.
# Why it matters: guests are booked on the day on which they cannot come, or their phone number becomes their company. If all rows are
#   filled in, in the order of the choices, as in a test, all is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 >> npm.log 2>&1
cat > answers.cjs <<'END'
const { createHmac } = require('node:crypto');
const { EventEmitter } = require('node:events');
const { SurveyMonkeyTrigger } = require('./package/dist/nodes/SurveyMonkey/SurveyMonkeyTrigger.node.js');
const list = (...texts) => texts.map((text) => ({ id: text, text }));
const questions = [
  { id: 'days', family: 'matrix', headings: [{ heading: 'days' }], answers: { rows: list('Saturday', 'Sunday'), choices: list('Yes', 'No') } },
  { id: 'you', family: 'open_ended', subtype: 'multi', headings: [{ heading: 'you' }], answers: { rows: list('Name', 'Company', 'Phone') } },
];
const receive = async (days, you) => {
  const pages = [{ questions: [{ id: 'days', answers: days.map(([row_id, choice_id]) => ({ row_id, choice_id })) }, { id: 'you', answers: you.map(([row_id, text]) => ({ row_id, text })) }] }];
  const body = JSON.stringify({ object_id: 'r1', resources: { survey_id: 's1' } });
  const request = new EventEmitter();
  const values = { event: 'response_completed', objectType: 'survey', authentication: 'accessToken', resolveData: true, onlyAnswers: true };
  const host = {
    getNodeParameter: (name) => values[name],
    getCredentials: async () => ({ clientId: 'c', clientSecret: 's' }),
    getHeaderData: () => ({ 'sm-signature': createHmac('sha1', 'c&s').update(body).digest('base64') }),
    getRequestObject: () => request,
    getWebhookName: () => 'default',
    helpers: { request: async ({ uri }) => (uri.includes('/responses/') ? { survey_id: 's1', pages } : { pages: [{ questions }] }) },
  };
  const done = new SurveyMonkeyTrigger().webhook.call(host);
  setImmediate(() => request.emit('data', body) && request.emit('end'));
  return JSON.stringify((await done).workflowData[0][0].json);
};
(async () => {
  for (const [days, you] of [[[['Saturday', 'Yes'], ['Sunday', 'No']], [['Name', 'Ada'], ['Company', 'X'], ['Phone', '5550100']]], [[['Saturday', 'No'], ['Sunday', 'Yes']], [['Name', 'Ada'], ['Phone', '5550100']]], [[['Saturday', 'No'], ['Sunday', 'No']], [['Company', 'X']]]])
    console.log(`${[...days, ...you].join(' ')}: ${await receive(days, you)}`);
})();
END
node answers.cjs > seen
cat seen
cat > expected <<'END'
Saturday,Yes Sunday,No Name,Ada Company,X Phone,5550100: {"days":{"Saturday":"Yes","Sunday":"No"},"you":{"Name":"Ada","Company":"X","Phone":"5550100"}}
Saturday,No Sunday,Yes Name,Ada Phone,5550100: {"days":{"Saturday":"Yes","Sunday":"No"},"you":{"Name":"Ada","Company":"5550100","Phone":""}}
Saturday,No Sunday,No Company,X: {"days":{"Saturday":"No","Sunday":""},"you":{"Name":"X","Company":"","Phone":""}}
END
diff expected seen
