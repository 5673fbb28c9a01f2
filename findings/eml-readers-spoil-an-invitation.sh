#!/usr/bin/env bash
# Packages: two that read an email file (.eml), eml-format 0.6.1 and eml-parse-js 1.1.15, compared with postal-mime 4.0.0.
# The good guess: an invitation sent by email (iMIP, RFC 6047) is extracted byte for byte. A subject in two encoded words is one text,
#   without the space between them (RFC 2047, 6.2). A quoted name may contain a comma.
# What is seen: if the part's base64 ends without padding, as one in three does, eml-format decodes the closing boundary as well, and adds
#   three characters after the end of the calendar. It loses the second word of the subject, and splits "Doe, Jo" into two recipients, the
#   first without an address (`"Doe`). eml-parse-js leaves the calendar in base64, and puts a second space into the subject.
# Why it matters: a program that reads bookings from a mailbox finds no calendar, or every third invitation ends in extra characters, which
#   a strict reader refuses: it depends on the length of the title.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts eml-format@0.6.1 eml-parse-js@1.1.15 postal-mime@4.0.0 >> npm.log 2>&1
cat > mail.mjs <<'END'
import emlFormat from 'eml-format';
import emlParse from 'eml-parse-js';
import PostalMime from 'postal-mime';
const calendar = (...lines) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n');
const part = (text) => Buffer.from(text).toString('base64').match(/.{1,76}/g).join('\r\n');
const mail = (text) =>
  [
    'From: Ada <ada@x.example>', 'To: bea@x.example, "Doe, Jo" <jo@x.example>', 'Subject: =?UTF-8?Q?Gespr=C3=A4ch?= =?UTF-8?Q?_am_Freitag?=', 'Date: Thu, 31 Jan 2030 09:00:00 -0500', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="m"', '',
    '--m', 'Content-Type: text/plain; charset=utf-8', '', 'Please come.',
    '--m', 'Content-Type: text/calendar; charset=utf-8; method=REQUEST; name="invite.ics"', 'Content-Disposition: attachment; filename="invite.ics"', 'Content-Transfer-Encoding: base64', '', part(text), '--m--', '',
  ].join('\r\n');
const show = (name, { subject, to, data }, text) => {
  const plain = data.replaceAll('\r', '').trimEnd();
  const sent = text.replaceAll('\r', '');
  const end = plain === sent ? 'as it was sent' : plain.startsWith(sent) ? `has ${plain.length - sent.length} letters more` : 'still in base64';
  console.log(`  ${name}: "${subject}" to ${[to].flat().map(({ email, address }) => email ?? address).join(' and ')}; the calendar ${end}`);
};
console.error = () => {}; // eml-parse-js writes the errors that it goes on with.
for (const [title, text] of [1, 2, 3].map((count) => [`a title of ${count} letters`, calendar('METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:1@x', `SUMMARY:${'A'.repeat(count)}`, 'END:VEVENT')])) {
  console.log(title);
  emlFormat.read(mail(text), (_, read) => show('eml-format', { ...read, data: read.attachments[0].data.toString('latin1') }, text));
  const parsed = emlParse.readEml(mail(text));
  show('eml-parse-js', { ...parsed, data: Buffer.from(parsed.attachments[0].data).toString('latin1') }, text);
  const mime = await PostalMime.parse(mail(text));
  show('postal-mime', { ...mime, data: Buffer.from(mime.attachments[0].content).toString('latin1') }, text);
}
END
node mail.mjs > seen
cat seen
cat > expected <<'END'
a title of 1 letters
  eml-format: "Gespräch" to bea@x.example and "Doe and jo@x.example; the calendar as it was sent
  eml-parse-js: "Gespräch  am Freitag" to bea@x.example and jo@x.example; the calendar still in base64
  postal-mime: "Gespräch am Freitag" to bea@x.example and jo@x.example; the calendar as it was sent
a title of 2 letters
  eml-format: "Gespräch" to bea@x.example and "Doe and jo@x.example; the calendar has 3 letters more
  eml-parse-js: "Gespräch  am Freitag" to bea@x.example and jo@x.example; the calendar still in base64
  postal-mime: "Gespräch am Freitag" to bea@x.example and jo@x.example; the calendar as it was sent
a title of 3 letters
  eml-format: "Gespräch" to bea@x.example and "Doe and jo@x.example; the calendar as it was sent
  eml-parse-js: "Gespräch  am Freitag" to bea@x.example and jo@x.example; the calendar still in base64
  postal-mime: "Gespräch am Freitag" to bea@x.example and jo@x.example; the calendar as it was sent
END
diff expected seen
