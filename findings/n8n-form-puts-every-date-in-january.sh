#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Form and Form Trigger nodes (with n8n-workflow 2.41.0, luxon 3.7.2 and lodash 4.18.1, as it pins
#   them), with a form defined by JSON, where a date field may have a formatDate.
# The good guess: the date that a person chooses is returned in that format: 15 June 2030 as 15/06/2030.
# What is seen: it becomes 15 January in every format that contains the month. The node parses the date with "mm", which means minutes in
#   Luxon, so the month is missing and the minutes have its number. The wrong format dd/mm/yyyy therefore shows the right month.
# Why it matters: each birthday and each requested appointment is in January, with the right day and year, so it looks like a real date.
#   Testing the form in January, or without a formatDate, does not reveal it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 luxon@3.7.2 lodash@4.18.1 >> npm.log 2>&1
cat > form.cjs <<'END'
const Module = require('node:module');
const load = Module._load;
// Beside the form stand a webhook and its keys, which ask for packages that nothing here calls.
Module._load = function (name, ...more) {
  try {
    return load.call(this, name, ...more);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' || name.startsWith('.')) throw error;
    return {};
  }
};
const { tryToParseJsonToFormFields } = require('n8n-workflow');
const { addFormResponseDataToReturnItem } = require('./package/dist/nodes/Form/utils/utils.js');
for (const chosen of ['2030-01-15', '2030-06-15', '2030-12-31'])
  for (const formatDate of [undefined, 'dd/MM/yyyy', 'd LLLL yyyy', 'dd/mm/yyyy']) {
    const fields = tryToParseJsonToFormFields(JSON.stringify([{ fieldLabel: 'Day', fieldType: 'date', formatDate }]));
    const item = { json: {} };
    // As the page of the form sends it.
    addFormResponseDataToReturnItem(item, fields, { 'field-0': chosen }, 2.5);
    console.log(`${chosen}, ${formatDate ?? 'without a form'}: ${item.json.Day}`);
  }
END
node form.cjs > seen
cat seen
cat > expected <<'END'
2030-01-15, without a form: 2030-01-15
2030-01-15, dd/MM/yyyy: 15/01/2030
2030-01-15, d LLLL yyyy: 15 January 2030
2030-01-15, dd/mm/yyyy: 15/01/2030
2030-06-15, without a form: 2030-06-15
2030-06-15, dd/MM/yyyy: 15/01/2030
2030-06-15, d LLLL yyyy: 15 January 2030
2030-06-15, dd/mm/yyyy: 15/06/2030
2030-12-31, without a form: 2030-12-31
2030-12-31, dd/MM/yyyy: 31/01/2030
2030-12-31, d LLLL yyyy: 31 January 2030
2030-12-31, dd/mm/yyyy: 31/12/2030
END
diff expected seen
