#!/usr/bin/env bash
# Package: planer 1.2.0, which extracts the reply from an email and removes the quoted text, compared with email-reply-parser 2.3.9.
# The good guess: the text above the quotation is the reply. A quotation begins with a line such as "On Thu, Ada wrote:", with ">", or with
#   the headers of an email: From, Sent, To, Subject, with an address.
# What is seen: a line that begins with "From:", or with "Datum:" (German for "date"), counts as an email header, even if a time or a city
#   follows. That line and everything below it is removed. "Start:" and "End:" stay.
# Why it matters: guests answer an invitation with the hours that suit them, and the program that books for them reads "This works:" and
#   nothing else; a question below is never seen.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts planer@1.2.0 email-reply-parser@2.3.9 >> npm.log 2>&1
cat > replies.mjs <<'END'
import planer from 'planer';
import EmailReplyParser from 'email-reply-parser';
for (const text of [
  'Friday is fine.\n\nOn Thu, Jan 31, 2030 at 9:00 AM Ada <ada@x.example> wrote:\n> Can you come?',
  'This works:\n\nFrom: 9:00\nTo: 11:00\n\nWhere do we meet?',
  'This works:\n\nStart: 9:00\nEnd: 11:00\n\nWhere do we meet?',
  'This works:\n\nFrom: 9:00\n\nWhere do we meet?',
  'Das passt:\n\nDatum: 31.1.\nAn: beiden Tagen\n\nWo treffen wir uns?',
  'My train:\n\nFrom: Rome\nTo: Milan\nDate: Friday\n\nCan you pick me up?',
])
  console.log(`${JSON.stringify(text)}\n  planer: ${JSON.stringify(planer.extractFromPlain(text))}\n  email-reply-parser: ${JSON.stringify(new EmailReplyParser().parseReply(text))}`);
END
node replies.mjs > seen
cat seen
cat > expected <<'END'
"Friday is fine.\n\nOn Thu, Jan 31, 2030 at 9:00 AM Ada <ada@x.example> wrote:\n> Can you come?"
  planer: "Friday is fine."
  email-reply-parser: "Friday is fine.\n"
"This works:\n\nFrom: 9:00\nTo: 11:00\n\nWhere do we meet?"
  planer: "This works:"
  email-reply-parser: "This works:\n\nFrom: 9:00\nTo: 11:00\n\nWhere do we meet?"
"This works:\n\nStart: 9:00\nEnd: 11:00\n\nWhere do we meet?"
  planer: "This works:\n\nStart: 9:00\nEnd: 11:00\n\nWhere do we meet?"
  email-reply-parser: "This works:\n\nStart: 9:00\nEnd: 11:00\n\nWhere do we meet?"
"This works:\n\nFrom: 9:00\n\nWhere do we meet?"
  planer: "This works:"
  email-reply-parser: "This works:\n\nFrom: 9:00\n\nWhere do we meet?"
"Das passt:\n\nDatum: 31.1.\nAn: beiden Tagen\n\nWo treffen wir uns?"
  planer: "Das passt:"
  email-reply-parser: "Das passt:\n\nDatum: 31.1.\nAn: beiden Tagen\n\nWo treffen wir uns?"
"My train:\n\nFrom: Rome\nTo: Milan\nDate: Friday\n\nCan you pick me up?"
  planer: "My train:"
  email-reply-parser: "My train:\n\nFrom: Rome\nTo: Milan\nDate: Friday\n\nCan you pick me up?"
END
diff expected seen
