#!/usr/bin/env bash
# Packages: letterparser 0.1.8, which parses emails, compared with postal-mime 4.0.0.
# The good guess: addresses are parsed as RFC 5322 defines them: a group stands for its members, text in parentheses is a comment, and a
#   name with a comma is still one name. A calendar part is an attachment.
# What is seen: the members of "Team: a@x.example, b@x.example;" get the addresses "Team: a@x.example" and "b@x.example;". The encoded name
#   (RFC 2047) "Doe, Jo" becomes two people, the first with the address "Doe". A comment becomes part of the address. An invitation is
#   appended to the text, so that its attachment and its method are lost.
# Why it matters: guests named in an email are not invited, or the reply bounces, and an invitation that came by email is not recognized.
#   Plain addresses are parsed correctly.
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
