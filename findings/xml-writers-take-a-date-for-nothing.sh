#!/usr/bin/env bash
# Packages: four that write objects as XML, xml-js 1.6.11, xml2js 0.6.2, fast-xml-parser 5.12.1 and x2js 3.4.5.
# The good guess: a Date is written as JSON writes it, or as some text, or is rejected.
# What is seen: xml-js and xml2js write an empty element. fast-xml-parser writes a single Date as JavaScript's own string, in the machine's
#   time zone, and a list of two as two empty elements. Only x2js writes ISO 8601.
# Why it matters: an order or a booking reaches a system that reads XML with an empty start, which it takes for "not set", and nothing
#   failed. If the times are already strings, as after JSON, everything is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts xml-js@1.6.11 fast-xml-parser@5.12.1 x2js@3.4.5 xml2js@0.6.2 >> npm.log 2>&1
cat > booking.cjs <<'END'
const { json2xml, js2xml } = require('xml-js');
const { XMLBuilder } = require('fast-xml-parser');
const X2js = require('x2js');
const { Builder } = require('xml2js');
const start = new Date('2030-01-31T14:00:00Z');
for (const [title, booking] of [['a text', { start: start.toISOString() }], ['a time', { start }], ['two times', { start: [start, start] }]]) {
  const value = { booking };
  console.log(title);
  console.log(`  xml-js: ${js2xml(value, { compact: true })}`);
  console.log(`  fast-xml-parser: ${new XMLBuilder().build(value)}`);
  console.log(`  x2js: ${new X2js().js2xml(value)}`);
  console.log(`  xml2js: ${new Builder({ headless: true, renderOpts: { pretty: false } }).buildObject(value)}`);
}
END
TZ=America/New_York node booking.cjs > seen
cat seen
cat > expected <<'END'
a text
  xml-js: <booking><start>2030-01-31T14:00:00.000Z</start></booking>
  fast-xml-parser: <booking><start>2030-01-31T14:00:00.000Z</start></booking>
  x2js: <booking><start>2030-01-31T14:00:00.000Z</start></booking>
  xml2js: <booking><start>2030-01-31T14:00:00.000Z</start></booking>
a time
  xml-js: <booking><start/></booking>
  fast-xml-parser: <booking><start>Thu Jan 31 2030 09:00:00 GMT-0500 (Eastern Standard Time)</start></booking>
  x2js: <booking><start>2030-01-31T14:00:00.000Z</start></booking>
  xml2js: <booking><start/></booking>
two times
  xml-js: <booking><start/><start/></booking>
  fast-xml-parser: <booking><start></start><start></start></booking>
  x2js: <booking><start>2030-01-31T14:00:00.000Z</start><start>2030-01-31T14:00:00.000Z</start></booking>
  xml2js: <booking><start/><start/></booking>
END
diff expected seen
