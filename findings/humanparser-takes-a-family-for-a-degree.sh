#!/usr/bin/env bash
# Packages: humanparser 2.7.0, which splits the name that a guest enters into first and last name, compared with parse-full-name 1.2.7.
# The good guess: a degree follows a first and a last name. Two words are a first and a last name, and the last name is never empty.
# What is seen: Ma, one of the most common family names in the world, is taken for a Master of Arts, even in "Ma, Li", where the comma marks
#   it as the last name. Li Ma has no last name, and Dr. Ben Ma has the last name Ben. Hon is taken for a title, so Hon Chan has no first
#   name. Of Vega y Soto, half becomes a middle name. parse-full-name gets these right, but takes the degree in "Ada Lovelace MA" for the
#   last name.
# Why it matters: a service that requires both names rejects these guests, a contact is saved as "Ben", and the same person's next booking
#   does not find it. A test with common English names passes. Ask for two fields, or keep the name whole.
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
