#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Merge node, Combine by Matching Fields, with its defaults (with n8n-workflow 2.41.0 and lodash
#   4.18.1).
# The good guess: if two matched records have the same field, "prefer Input 2" takes that of Input 2: its guest list, its notes. And a
#   record without an email matches nothing.
# What is seen: lists are merged by position, because the node starts with a deep merge. If two of three guests have cancelled, the
#   remaining one overwrites the first, and the other two stay, with fields of both inputs. And null matches null, as '' matches '': each
#   record with such an email is joined with each other one. A missing email matches nothing.
# Why it matters: an update by Merge keeps guests who have cancelled, and turns two people into one: Eve's email with Ada's phone. A booking
#   by phone gets the contact of a stranger who has no email either. Choose Shallow Merge, and filter out empty fields first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
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
