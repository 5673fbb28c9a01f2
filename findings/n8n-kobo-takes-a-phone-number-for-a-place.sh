#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the KoboToolbox trigger (with n8n-workflow 2.41.0, as it pins it), which receives the answers of a form;
#   "Reformat?" with its default options.
# The good guess: the option says that it reformats geometry, numbers and choices. A location is the answer to a location question
#   (latitude, longitude, altitude and accuracy); a text stays as entered.
# What is seen: any text of two or more numbers with spaces between them becomes a point on the map, made of the first two. This includes a
#   phone number in groups and two selected options with numeric names, even under "Multiselect Mask"; all further digits are lost. A text
#   with a plus or a letter is kept.
# Why it matters: the phone number for the reminder is a point at 6 degrees north, 12 degrees east, and cannot be restored. People who enter
#   it without spaces, or with a plus, are reached, so it looks as if the others gave none.
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
const { KoBoToolboxTrigger } = require('./package/dist/nodes/KoBoToolbox/KoBoToolboxTrigger.node.js');
const read = async (formatOptions, body) => {
  const host = {
    getRequestObject: () => ({ body }),
    getNodeParameter: () => formatOptions,
    helpers: { returnJsonArray: (items) => items },
  };
  const { workflowData } = await new KoBoToolboxTrigger().webhook.call(host);
  return workflowData[0][0];
};
(async () => {
  const body = {
    place: '52.370216 4.895168 0 0',
    phone: '06 12 34 56 78',
    phoneTogether: '0612345678',
    phoneAbroad: '+31 6 12 34 56 78',
    select_rooms: '3 12',
    select_days: 'mon tue',
    start: '2030-01-31 09:00',
  };
  const plain = await read({}, body);
  const formatted = await read({ reformat: true, selectMask: 'select_*', numberMask: 'n_*' }, body);
  for (const [name, text] of Object.entries(body))
    console.log(`${name}, ${text}: ${plain[name] === text ? 'kept' : 'changed'} as it is, and with the option ${JSON.stringify(formatted[name])}`);
})();
END
node answers.cjs > seen
cat seen
cat > expected <<'END'
place, 52.370216 4.895168 0 0: kept as it is, and with the option {"type":"Point","coordinates":[4.895168,52.370216]}
phone, 06 12 34 56 78: kept as it is, and with the option {"type":"Point","coordinates":[12,6]}
phoneTogether, 0612345678: kept as it is, and with the option "0612345678"
phoneAbroad, +31 6 12 34 56 78: kept as it is, and with the option "+31 6 12 34 56 78"
select_rooms, 3 12: kept as it is, and with the option {"type":"Point","coordinates":[12,3]}
select_days, mon tue: kept as it is, and with the option ["mon","tue"]
start, 2030-01-31 09:00: kept as it is, and with the option "2030-01-31 09:00"
END
diff expected seen
