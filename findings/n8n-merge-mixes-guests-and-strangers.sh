#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the node Merge, Combine by Matching Fields, as it is when it is added (with n8n-workflow 2.41.0 and lodash 4.18.1).
# The good guess: where two matched records have one field, "prefer Input 2" takes the field of Input 2: its list of guests, its notes. And who
#   has no email matches nobody.
# What is seen: lists are laid over each other by position, since the node begins with a deep merge: of three guests, of whom two have called
#   off, the one that is left replaces the first, and the other two stay, with fields of both. And null matches null, as '' matches '': each record
#   without an email is joined with each other one. A missing email matches nobody.
# Why it matters: an update by Merge keeps who has called off, and turns two people into one: Eve's email with Ada's phone. And a booking by phone
#   gets the contact of a stranger who has no email either. Choose Shallow Merge, and filter empty fields before.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# The nodes alone: what the other nodes of the package need is 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 lodash@4.18.1 >> npm.log 2>&1
cat > merge.cjs <<'END'
const { execute } = require('./package/dist/nodes/Merge/v3/actions/mode/combineByFields.js');
const merge = async (by, first, second, clash) => {
  const entered = { advanced: false, fieldsToMatchString: by, joinMode: 'keepMatches', outputDataFrom: 'both', 'options.clashHandling.values': clash };
  const host = { getNode: () => ({ name: 'Merge', typeVersion: 3.2 }), getNodeParameter: (name, _item, fallback) => entered[name] ?? fallback };
  const [items] = await execute.call(host, [first, second].map((records) => records.map((json, item) => ({ json, pairedItem: { item } }))));
  return items.map(({ json }) => json);
};
const guest = (name, more) => ({ email: `${name}@example.com`, ...more });
const before = { id: 'b1', guests: [guest('ada', { phone: '+1 555 0101' }), guest('bob'), guest('eve')] };
const after = { id: 'b1', guests: [guest('eve')] };
const bookings = [{ booking: 'b1', email: 'ada@example.com' }, { booking: 'b2', email: null }, { booking: 'b3', email: '' }, { booking: 'b4' }];
const contacts = [{ contact: 'Ada', email: 'ada@example.com' }, { contact: 'Mallory', email: null }, { contact: 'Trudy', email: '' }, { contact: 'Walter' }];
(async () => {
  const prefer = (mergeMode) => ({ resolveClash: 'preferLast', ...(mergeMode && { mergeMode }) });
  for (const [says, clash] of [['as added', {}], ['prefer Input 2', prefer()], ['prefer Input 2, Shallow Merge', prefer('shallowMerge')]]) {
    const [{ guests }] = await merge('id', [before], [after], clash);
    console.log(`${says}: ${guests.map(({ email, phone }) => `${email}${phone ? ` ${phone}` : ''}`).join(', ')}`);
  }
  for (const { booking, contact } of await merge('email', bookings, contacts, {})) console.log(`${booking} is joined with ${contact}`);
})();
END
node merge.cjs > seen
cat seen
cat > expected <<'END'
as added: eve@example.com +1 555 0101, bob@example.com, eve@example.com
prefer Input 2: eve@example.com +1 555 0101, bob@example.com, eve@example.com
prefer Input 2, Shallow Merge: eve@example.com
b1 is joined with Ada
b2 is joined with Mallory
b3 is joined with Trudy
END
diff expected seen
