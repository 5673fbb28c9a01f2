#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Typeform trigger with "Simplify Answers?" on, its default (with n8n-workflow 2.41.0, as it pins it);
#   the answers have the format shown on Typeform's page on its webhooks.
# The good guess: a simplified answer contains what the guest chose or wrote. Where "Other" is allowed, the text is in choice.other, or with
#   several choices in choices.other next to choices.labels.
# What is seen: with several choices, the labels are kept and the text under "Other" is lost. If "Other" is the only answer, the result is
#   an object with a field other, not text as every other answer is. Without simplifying, nothing is lost.
# Why it matters: "Other: I am allergic to nuts" is what a host has to read, and it silently never arrives. Answers chosen from the list
#   arrive complete.
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
const { TypeformTrigger } = require('./package/dist/nodes/Typeform/TypeformTrigger.node.js');
const receive = async (simplifyAnswers, answered) => {
  const fields = answered.map(({ title }, index) => ({ id: `f${index}`, title, type: 'multiple_choice' }));
  const answers = answered.map(({ title, ...answer }, index) => ({ ...answer, type: Object.keys(answer)[0], field: { id: `f${index}` } }));
  const host = {
    getNode: () => ({ name: 'Typeform', typeVersion: 1.1 }),
    getNodeParameter: (name) => ({ simplifyAnswers, onlyAnswers: true })[name],
    getBodyData: () => ({ form_response: { definition: { fields }, answers } }),
    getRequestObject: () => ({ header: () => undefined }),
    getWorkflowStaticData: () => ({}),
    helpers: { returnJsonArray: (items) => items },
  };
  const { workflowData } = await new TypeformTrigger().webhook.call(host);
  return workflowData[0][0];
};
(async () => {
  for (const answered of [
    [{ title: 'Food', choices: { labels: ['Vegan', 'No gluten'] } }, { title: 'Seat', choice: { label: 'Window' } }],
    [{ title: 'Food', choices: { labels: ['Vegan'], other: 'no nuts' } }, { title: 'Seat', choice: { other: 'near the door' } }],
    [{ title: 'Food', choices: { other: 'no nuts' } }],
  ]) {
    console.log(`simple: ${JSON.stringify(await receive(true, answered))}`);
    console.log(`  as sent: ${Object.values(await receive(false, answered)).map((answer) => JSON.stringify(answer[answer.type])).join(', ')}`);
  }
})();
END
node answers.cjs > seen
cat seen
cat > expected <<'END'
simple: {"Food":["Vegan","No gluten"],"Seat":"Window"}
  as sent: {"labels":["Vegan","No gluten"]}, {"label":"Window"}
simple: {"Food":["Vegan"],"Seat":{"other":"near the door"}}
  as sent: {"labels":["Vegan"],"other":"no nuts"}, {"other":"near the door"}
simple: {"Food":{"other":"no nuts"}}
  as sent: {"other":"no nuts"}
END
diff expected seen
