#!/usr/bin/env bash
# Packages: nodemailer 10.6.1, which writes emails, and two that parse them, mailparser 3.14.2 by the same authors and postal-mime 4.0.0.
# The good guess: an email with a calendar file that says METHOD:REQUEST is an invitation, and stays one when it is parsed and forwarded
#   (shared mailbox, ticket system, rule). RFC 6047 (section 2.4) requires the method on the part as well, text/calendar; method=REQUEST,
#   equal to the file's.
# What is seen: nodemailer writes method=PUBLISH on a file with METHOD:REQUEST unless the method is also given as an option. mailparser
#   returns the part with no method (undefined), so that nodemailer forwards it as a plain file. postal-mime keeps the method.
# Why it matters: without a method, or with PUBLISH, mail programs show a file, or an event that nobody can answer, so no yes or no comes
#   back. In the sender's own test the file looks right. Set icalEvent.method, and read the method from the file.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts nodemailer@10.6.1 mailparser@3.14.2 postal-mime@4.0.0 >> npm.log 2>&1
cat > mails.mjs <<'END'
import { simpleParser } from 'mailparser';
import nodemailer from 'nodemailer';
import PostalMime from 'postal-mime';
const content = [
  'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20300101T000000Z', 'DTSTART:20300131T090000Z',
  'SUMMARY:Call', 'ORGANIZER:mailto:ada@example.com', 'ATTENDEE;RSVP=TRUE:mailto:bob@example.com', 'END:VEVENT', 'END:VCALENDAR', '',
].join('\r\n');
const writer = nodemailer.createTransport({ streamTransport: true, buffer: true });
const write = async (mail) => (await writer.sendMail({ from: 'ada@example.com', to: 'bob@example.com', subject: 'Call', text: 'Call', ...mail })).message;
const types = (message) => [...message.toString().matchAll(/^Content-Type: (text\/calendar[^\r\n]*)/gm)].map(([, type]) => type);
for (const [name, method] of [['not told', undefined], ['told', 'REQUEST']]) {
  const message = await write({ icalEvent: { content, method } });
  const { attachments } = await simpleParser(message);
  const [part] = attachments.filter(({ contentType }) => contentType === 'text/calendar');
  const [other] = (await PostalMime.parse(message)).attachments;
  console.log(`${name}, written: ${types(message)}`);
  console.log(`${name}, read: mailparser ${part.contentType}, method ${part.method}; postal-mime ${other.mimeType}, method ${other.method}`);
  console.log(`${name}, sent on: ${types(await write({ attachments: [part] }))}`);
}
END
node mails.mjs > seen
cat seen
cat > expected <<'END'
not told, written: text/calendar; charset=utf-8; method=PUBLISH
not told, read: mailparser text/calendar, method undefined; postal-mime text/calendar, method PUBLISH
not told, sent on: text/calendar; name=attachment-1.ics
told, written: text/calendar; charset=utf-8; method=REQUEST
told, read: mailparser text/calendar, method undefined; postal-mime text/calendar, method REQUEST
told, sent on: text/calendar; name=attachment-1.ics
END
diff expected seen
