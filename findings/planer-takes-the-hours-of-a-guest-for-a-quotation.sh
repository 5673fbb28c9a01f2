#!/usr/bin/env bash
# Package: planer 1.2.0, which takes out of a mail what somebody has answered and leaves what she quotes, beside email-reply-parser 2.3.9.
# The good guess: what is above the quotation is the answer. A quotation begins with a line such as "On Thu, Ada wrote:", with ">", or with the
#   head of a mail: From, Sent, To, Subject, with an address.
# What is seen: a line that begins with From, or with the word for a date in another language, is the head of a mail, also with an hour or a town
#   behind it. That line and all below is gone. "Start" and "End" are left.
# Why it matters: a guest answers an invitation with the hours in which she has time, and the program that books for her reads "This works:" and
#   nothing else; her question below is never seen.
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
