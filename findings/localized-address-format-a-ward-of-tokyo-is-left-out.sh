#!/usr/bin/env bash
# Package: localized-address-format 1.3.3, which writes an address in the order of its country (by Google's address data), compared with
#   @fragaria/address-formatter 6.7.1.
# The good guess: what a person entered is in the result, in another order. A field that a country does not use is added in some line, or
#   the function has no parameter for it.
# What is seen: a field without a place in the country's pattern is left out. In Japan that is the city or ward: of Tokyo's "Chiyoda"
#   nothing is left. In the United Kingdom it is the county, and in Dubai the district. Germany and the United States are complete, and so
#   is a Japanese address whose city and prefecture have one name.
# Why it matters: the place of a meeting in the confirmation is "1-1 Marunouchi, Tokyo" without its ward, and a letter comes back. The form
#   asked for the ward, and the booking has it, so the host sees nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts localized-address-format@1.3.3 @fragaria/address-formatter@6.7.1 >> npm.log 2>&1
cat > places.cjs <<'END'
const formatter = require('@fragaria/address-formatter');
const { formatAddress } = require('localized-address-format');
for (const [postalCountry, street, locality, administrativeArea, postalCode] of [
  ['DE', 'Hauptstr. 1', 'Bonn', '', '53111'],
  ['US', '1 Main St', 'Austin', 'TX', '78701'],
  ['JP', '1-1 Marunouchi', 'Chiyoda', 'Tokyo', '100-0005'],
  ['JP', '2-1 Umeda', 'Osaka', 'Osaka', '530-0001'],
  ['GB', '1 High St', 'Newport', 'Shropshire', 'TF10 7AA'],
  ['AE', '1 Sheikh Zayed Rd', 'Deira', 'Dubai', ''],
]) {
  const given = [street, locality, administrativeArea, postalCode].filter(Boolean);
  const lines = formatAddress({ postalCountry, addressLines: [street], locality, administrativeArea, postalCode });
  const other = formatter.format({ road: street, city: locality, state: administrativeArea, postcode: postalCode, countryCode: postalCountry }, { output: 'array' });
  const lost = (text) => given.filter((part) => !text.includes(part)).join(' and ') || 'nothing';
  console.log(`${postalCountry}: ${lines.join(', ')}; left out: ${lost(lines.join())} (the other: ${lost(other.join())})`);
}
END
node places.cjs > seen
cat seen
cat > expected <<'END'
DE: Hauptstr. 1, 53111 Bonn; left out: nothing (the other: nothing)
US: 1 Main St, Austin, TX 78701; left out: nothing (the other: nothing)
JP: 〒100-0005, Tokyo, 1-1 Marunouchi; left out: Chiyoda (the other: nothing)
JP: 〒530-0001, Osaka, 2-1 Umeda; left out: nothing (the other: nothing)
GB: 1 High St, Newport, TF10 7AA; left out: Shropshire (the other: nothing)
AE: 1 Sheikh Zayed Rd, Dubai; left out: Deira (the other: nothing)
END
diff expected seen
