#!/usr/bin/env bash
# Package: scim2-parse-filter 0.2.10, by which services answer the filters of those who keep their members (SCIM, RFC 7644), such as Entra and Okta.
# The good guess: what stands in brackets is asked of one value: emails[type eq "work" and value eq "b@x.example"] finds a person whose work address
#   that is (RFC 7644, 3.4.2.2). Texts whose schema does not say that their case counts, such as userName, are compared without it (RFC 7643, 2.2
#   and 4.1.1).
# What is seen: a person with another address for work is found, if b@x.example is her address at home: in brackets or not, each half may be true of
#   another value. And userName eq "JO@X.EXAMPLE" finds nobody, nor does "sw" with another case.
# Why it matters: the one who is found is changed or put into a group, and is another person. The one who is not found, since a directory writes
#   capitals, is created a second time, so a host has two calendars. With one address each, in small letters, all is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts scim2-parse-filter@0.2.10 >> npm.log 2>&1
cat > filters.cjs <<'END'
const { filter, parse } = require('scim2-parse-filter');
const people = [
  { id: 'Jo', userName: 'jo@x.example', emails: [{ type: 'work', value: 'jo@x.example' }, { type: 'home', value: 'b@x.example' }] },
  { id: 'Bea', userName: 'bea@x.example', emails: [{ type: 'work', value: 'b@x.example' }] },
];
for (const text of [
  'emails[type eq "work" and value eq "b@x.example"]',
  'emails.type eq "work" and emails.value eq "b@x.example"',
  'emails[type eq "home"]',
  'emails[type eq "home" and value sw "jo"]',
  'userName eq "jo@x.example"',
  'userName eq "JO@x.example"',
  'userName sw "Jo"',
  'USERNAME eq "jo@x.example"',
])
  console.log(`${text}: ${people.filter(filter(parse(text))).map(({ id }) => id).join(' and ') || 'nobody'}`);
END
node filters.cjs > seen
cat seen
cat > expected <<'END'
emails[type eq "work" and value eq "b@x.example"]: Jo and Bea
emails.type eq "work" and emails.value eq "b@x.example": Jo and Bea
emails[type eq "home"]: Jo
emails[type eq "home" and value sw "jo"]: Jo
userName eq "jo@x.example": Jo
userName eq "JO@x.example": nobody
userName sw "Jo": nobody
USERNAME eq "jo@x.example": Jo
END
diff expected seen
