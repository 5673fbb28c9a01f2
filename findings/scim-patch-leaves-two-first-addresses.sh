#!/usr/bin/env bash
# Package: scim-patch 0.8.3, by which services carry out the changes that a directory sends of their members (SCIM, RFC 7644, PATCH).
# The good guess: of several addresses one is the first: whoever gets a new one with primary true has the mark taken from the old one (RFC 7644,
#   3.5.2: "SHALL"). The kind of an address is compared without case (RFC 7643, 2.2 and 4.1.2: caseExact is false), and so is the name of a field
#   (2.1).
# What is seen: after such a change two addresses are the first, and the old one stands before the new one. A change of emails[type eq "WORK"] does
#   not change the address for work, it adds another; and a change of "DisplayName" adds a field of that name beside displayName, which stays.
# Why it matters: invitations go on to the address that a host has given up, as programs take the first that is marked; and the new name is not
#   seen. A change that says all as it was saved is right.
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
