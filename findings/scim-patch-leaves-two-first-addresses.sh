#!/usr/bin/env bash
# Package: scim-patch 0.8.3, which applies the changes to users that a directory sends to a service (SCIM, RFC 7644, PATCH).
# The good guess: only one of several email addresses is primary: when a new one with primary true is added, the old one loses the mark (RFC
#   7644, 3.5.2: "SHALL"). The type of an address is compared case-insensitively (RFC 7643, 2.2 and 4.1.2: caseExact is false), and so are
#   attribute names (2.1).
# What is seen: after such a change two addresses are primary, the old one before the new one. Replacing emails[type eq "WORK"].value does
#   not change the work address but adds another; and replacing "DisplayName" adds a field of that name beside displayName, which keeps the
#   old value.
# Why it matters: programs take the first primary address, so invitations still go to the one that a host has given up; and the new name is
#   not seen. A change in exactly the stored spelling is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts scim-patch@0.8.3 >> npm.log 2>&1
cat > changes.cjs <<'END'
const { scimPatch } = require('scim-patch');
const person = () => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'jo',
  displayName: 'Jo',
  emails: [{ type: 'work', value: 'old@x.example', primary: true }],
});
for (const operation of [
  { op: 'add', path: 'emails', value: [{ type: 'other', value: 'new@x.example', primary: true }] },
  { op: 'replace', path: 'emails[type eq "work"].value', value: 'new@x.example' },
  { op: 'replace', path: 'emails[type eq "WORK"].value', value: 'new@x.example' },
  { op: 'replace', path: 'displayName', value: 'Joanna' },
  { op: 'replace', path: 'DisplayName', value: 'Joanna' },
]) {
  const { emails, schemas, userName, ...names } = scimPatch(person(), [operation]);
  const shown = emails.map(({ type, value, primary }) => `${value} (${type}${primary ? ', first' : ''})`);
  console.log(`${operation.op} ${operation.path}: ${shown.join(' and ')}; ${JSON.stringify(names)}`);
}
END
node changes.cjs > seen
cat seen
cat > expected <<'END'
add emails: old@x.example (work, first) and new@x.example (other, first); {"displayName":"Jo"}
replace emails[type eq "work"].value: new@x.example (work, first); {"displayName":"Jo"}
replace emails[type eq "WORK"].value: old@x.example (work, first) and new@x.example (WORK); {"displayName":"Jo"}
replace displayName: old@x.example (work, first); {"displayName":"Joanna"}
replace DisplayName: old@x.example (work, first); {"displayName":"Jo","DisplayName":"Joanna"}
END
diff expected seen
