#!/usr/bin/env bash
# Packages: phone 3.1.72, which services use to normalize the phone numbers that people enter for text messages, compared with
#   google-libphonenumber 3.2.47.
# The good guess: a number already in international format (E.164), with + and all digits, stays unchanged or is rejected; and one person's
#   number always gives the same result, however it was entered.
# What is seen: an Argentine mobile number has a 9 after +54. It is removed, and the result is called valid, but is a landline number. (If
#   the country is passed as well, it is rejected.) In the local format with 15, the 15 stays. In Mexico, a 1 that is out of use since 2019
#   stays. So each person has two or three numbers. The numbers of Brazil and Britain are right.
# Why it matters: the reminder is paid for and reaches nobody, or somebody else, and the same person's next booking creates another contact.
#   The person who entered +54 9 did it right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts phone@3.1.72 google-libphonenumber@3.2.47 >> npm.log 2>&1
cat > numbers.cjs <<'END'
const { phone } = require('phone');
const { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } = require('google-libphonenumber');
const util = PhoneNumberUtil.getInstance();
const kinds = Object.fromEntries(Object.entries(PhoneNumberType).map(([name, value]) => [value, name.toLowerCase().replaceAll('_', ' ')]));
const kind = (text) => (util.isValidNumber(util.parse(text)) ? kinds[util.getNumberType(util.parse(text))] : 'not valid');
for (const [entered, country] of [
  ['+54 9 11 2345-6789', 'AR'],
  ['011 15-2345-6789', 'AR'],
  ['+52 1 55 1234 5678', 'MX'],
  ['+52 55 1234 5678', 'MX'],
  ['+55 11 91234-5678', 'BR'],
  ['+44 7400 123456', 'GB'],
]) {
  const { isValid, phoneNumber } = phone(entered, entered.startsWith('+') ? {} : { country });
  const right = util.format(util.parse(entered, country), PhoneNumberFormat.E164);
  console.log(`${entered} (${country}): phone ${phoneNumber}${isValid ? ', valid' : ''}; by libphonenumber that is ${kind(phoneNumber)}, and what was entered is ${right}, ${kind(right)}`);
}
END
node numbers.cjs > seen
cat seen
cat > expected <<'END'
+54 9 11 2345-6789 (AR): phone +541123456789, valid; by libphonenumber that is fixed line, and what was entered is +5491123456789, mobile
011 15-2345-6789 (AR): phone +54111523456789, valid; by libphonenumber that is mobile, and what was entered is +5491123456789, mobile
+52 1 55 1234 5678 (MX): phone +5215512345678, valid; by libphonenumber that is not valid, and what was entered is +5215512345678, not valid
+52 55 1234 5678 (MX): phone +525512345678, valid; by libphonenumber that is fixed line or mobile, and what was entered is +525512345678, fixed line or mobile
+55 11 91234-5678 (BR): phone +5511912345678, valid; by libphonenumber that is mobile, and what was entered is +5511912345678, mobile
+44 7400 123456 (GB): phone +447400123456, valid; by libphonenumber that is mobile, and what was entered is +447400123456, mobile
END
diff expected seen
