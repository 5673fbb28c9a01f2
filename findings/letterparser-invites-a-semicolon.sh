#!/usr/bin/env bash
# Packages: letterparser 0.1.8, which reads mails, beside postal-mime 4.0.0.
# The good guess: the addresses of a mail are read as RFC 5322 has them: a group is its members, what stands in parentheses is a comment, and a name
#   is one, also if a comma is in it. A part that is a calendar file is a part.
# What is seen: the members of "Team: a@x.example, b@x.example;" have the addresses "Team: a@x.example" and "b@x.example;". "Doe, Jo" in the form
#   for other letters (RFC 2047) is two people, of whom the first has no address but a name. A comment becomes part of the address. And an
#   invitation is put behind the text, so that its file and what it asks for (method) are gone.
# Why it matters: guests that a mail names are not invited, or the answer bounces, and an invitation that came by mail is not seen as one. Plain
#   addresses are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts letterparser@0.1.8 postal-mime@4.0.0 >> npm.log 2>&1
cat > mail.mjs <<'END'
import { createRequire } from 'node:module';
import PostalMime from 'postal-mime';
const { extract } = createRequire(import.meta.url)('letterparser');
const show = (people) => people.map(({ name, address, group }) => (group ? `${name}: ${show(group)}` : [name && `"${name}"`, `<${address ?? ''}>`].filter(Boolean).join(' '))).join(' and ');
for (const to of ['"Doe, Jo" <jo@x.example>, b@x.example', 'Team: a@x.example, b@x.example;', '=?utf-8?Q?Doe=2C_Jo?= <jo@x.example>', 'jo@x.example (Jo Doe)']) {
  const mail = ['From: me@x.example', `To: ${to}`, 'Subject: Talk', 'Content-Type: text/plain', '', 'Nine?'].join('\r\n');
  console.log(`${to}: ${show(extract(mail).to)}; postal-mime ${show((await PostalMime.parse(mail)).to)}`);
}
const parts = ['--b', 'Content-Type: text/plain', '', 'Nine?', '--b', 'Content-Type: text/calendar; method=REQUEST', '', 'BEGIN:VCALENDAR', 'END:VCALENDAR', '--b--', ''];
const mail = ['From: me@x.example', 'To: b@x.example', 'Content-Type: multipart/alternative; boundary="b"', '', ...parts].join('\r\n');
const [one, other] = [extract(mail), await PostalMime.parse(mail)];
console.log(`an invitation: text ${JSON.stringify(one.text)}, files ${one.attachments.length}; postal-mime files ${other.attachments.map(({ mimeType, method }) => `${mimeType} ${method}`)}`);
END
node mail.mjs > seen
cat seen
cat > expected <<'END'
"Doe, Jo" <jo@x.example>, b@x.example: "Doe, Jo" <jo@x.example> and <b@x.example>; postal-mime "Doe, Jo" <jo@x.example> and <b@x.example>
Team: a@x.example, b@x.example;: <Team: a@x.example> and <b@x.example;>; postal-mime Team: <a@x.example> and <b@x.example>
=?utf-8?Q?Doe=2C_Jo?= <jo@x.example>: <Doe> and "Jo" <jo@x.example>; postal-mime "Doe, Jo" <jo@x.example>
jo@x.example (Jo Doe): <jo@x.example (Jo Doe)>; postal-mime "Jo Doe" <jo@x.example>
an invitation: text "Nine?\nBEGIN:VCALENDAR\nEND:VCALENDAR", files 0; postal-mime files text/calendar REQUEST
END
diff expected seen
