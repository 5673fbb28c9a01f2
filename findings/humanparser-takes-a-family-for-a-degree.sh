#!/usr/bin/env bash
# Packages: humanparser 2.7.0, which cuts the name that a guest enters into first and last name, beside parse-full-name 1.2.7.
# The good guess: a degree stands behind a first and a last name. If there are two words, they are these two, and a last name is never empty.
# What is seen: Ma, one of the most frequent family names there are, is taken for a Master of Arts, also in "Ma, Li", where the comma says what it
#   is. Li Ma has no last name, and with a title it is worse: the last name of "Dr. Ben Ma" is Ben. Hon and Rev in front are titles, so Hon Chan has
#   no first name. And Vega y Soto is half a middle name. The other one has these right, and takes the degree for a family instead.
# Why it matters: a service that wants both names refuses the booking of these guests, a contact is stored as "Ben", and the next booking of the
#   same person does not find it. A test with common names of English passes. Ask for two fields, or keep the name whole.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts humanparser@2.7.0 parse-full-name@1.2.7 >> npm.log 2>&1
cat > names.cjs <<'END'
const { parseName } = require('humanparser');
const { parseFullName } = require('parse-full-name');
const shown = (parts) => parts.map((part) => part || '-').join(' | ');
console.log('title | first | middle | last | behind it');
for (const name of ['Ada Lovelace', 'Ada Lovelace MA', 'Li Ma', 'Ma, Li', 'Dr. Ben Ma', 'Hon Chan', 'José Vega y Soto']) {
  const { salutation, firstName, middleName, lastName, suffix } = parseName(name);
  const other = parseFullName(name);
  console.log(`${name}: ${shown([salutation, firstName, middleName, lastName, suffix])}; by parse-full-name ${shown([other.title, other.first, other.middle, other.last, other.suffix])}`);
}
END
node names.cjs > seen
cat seen
cat > expected <<'END'
title | first | middle | last | behind it
Ada Lovelace: - | Ada | - | Lovelace | -; by parse-full-name - | Ada | - | Lovelace | -
Ada Lovelace MA: - | Ada | - | Lovelace | MA; by parse-full-name - | Ada | Lovelace | MA | -
Li Ma: - | Li | - | - | Ma; by parse-full-name - | Li | - | Ma | -
Ma, Li: - | Li | - | - | Ma; by parse-full-name - | Li | - | Ma | -
Dr. Ben Ma: Dr. | - | - | Ben | Ma; by parse-full-name Dr. | Ben | - | Ma | -
Hon Chan: Hon | - | - | Chan | -; by parse-full-name - | Hon | - | Chan | -
José Vega y Soto: - | José | Vega y | Soto | -; by parse-full-name - | José | - | Vega y Soto | -
END
diff expected seen
