#!/usr/bin/env bash
# Package: graphql-scalars 2.0.0 (with graphql 16.15.0): its type USCurrency for prices, which the server receives in cents.
# The good guess: a price that the server wrote is read back as the same whole number of cents.
# What is seen: only the first comma is removed, so $1,250,000.00 is read as $1,250. The cents are a product that is not rounded: $0.29 is
#   28.999999999999996 cents and is written as $0.28; $1.10 is 110.00000000000001 cents. Of the 10,000 prices up to $100, 1,146 are not a
#   whole number of cents, and 573 are written as another price.
# Why it matters: a form that shows a price and saves it loses a cent each time it meets such a price. A payment service rejects fractions
#   of a cent. A deposit of a million becomes a thousand, without an error. $21.25, the example in its description, is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts graphql-scalars@2.0.0 graphql@16.15.0 >> npm.log 2>&1
cat > prices.cjs <<'END'
const { GraphQLUSCurrency } = require('graphql-scalars');
const { buildSchema, execute, parse } = require('graphql');
const schema = buildSchema('scalar USCurrency type Query { price(of: USCurrency!): USCurrency }');
// The package's type in place of the one of that name.
Object.assign(schema.getType('USCurrency'), { serialize: GraphQLUSCurrency.serialize, parseValue: GraphQLUSCurrency.parseValue, parseLiteral: GraphQLUSCurrency.parseLiteral });
/** What the server gets as cents, and what it writes for them. */
const ask = (of) => {
  let cents;
  const rootValue = { price: (given) => (cents = given.of) };
  const { data } = execute({ schema, document: parse('query ($of: USCurrency!) { price(of: $of) }'), variableValues: { of }, rootValue });
  return { cents, written: data.price };
};
for (const price of ['$21.25', '$0.29', '$1.10', '$1,250.00', '$1,250,000.00']) {
  const { cents, written } = ask(price);
  console.log(`${price}: ${cents} cents, written as ${written}`);
}
const all = Array.from({ length: 10_000 }, (_, index) => `$${((index + 1) / 100).toFixed(2)}`);
console.log(`up to $100, no whole number of cents: ${all.filter((price) => !Number.isInteger(ask(price).cents)).length}`);
console.log(`up to $100, written as another price: ${all.filter((price) => ask(price).written !== price).length}`);
END
node prices.cjs > seen
cat seen
cat > expected <<'END'
$21.25: 2125 cents, written as $21.25
$0.29: 28.999999999999996 cents, written as $0.28
$1.10: 110.00000000000001 cents, written as $1.10
$1,250.00: 125000 cents, written as $1,250.00
$1,250,000.00: 125000 cents, written as $1,250.00
up to $100, no whole number of cents: 1146
up to $100, written as another price: 573
END
diff expected seen
