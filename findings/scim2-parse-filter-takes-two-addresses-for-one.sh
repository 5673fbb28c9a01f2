#!/usr/bin/env bash
# Package: scim2-parse-filter 0.2.10, with which a service evaluates the filters of directories such as Entra and Okta (SCIM, RFC 7644).
# The good guess: a filter in brackets applies to one value: emails[type eq "work" and value eq "b@x.example"] finds users with that work
#   address (RFC 7644, 3.4.2.2). Strings such as userName, whose schema does not say that case matters, are compared case-insensitively (RFC
#   7643, 2.2 and 4.1.1).
# What is seen: it also finds Jo, who has another work address and b@x.example as the home address: in brackets or not, each half may match
#   another value. userName eq "JO@x.example" finds nobody, nor does userName sw "Jo".
# Why it matters: the wrong user is found, and changed or put into a group. A user who is not found because the directory writes capitals is
#   created a second time, so a host has two calendars. With one lowercase address each, everything is right.
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
