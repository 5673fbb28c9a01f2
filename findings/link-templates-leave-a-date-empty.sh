#!/usr/bin/env bash
# Packages: four that build URLs from values: url-template 3.1.1, uritemplate 0.3.4 and uri-templates 0.2.0 from a template (RFC 6570), and
#   kitsu-core 11.1.0 for JSON:API.
# The good guess: a Date is written as text, as JSON and URLSearchParams do, or rejected. In {+next}, what is already percent-encoded stays
#   as it is (RFC 6570, 3.2.3).
# What is seen: without an error, url-template and uritemplate write "start=" with no value; uri-templates and kitsu-core leave start out.
#   uritemplate and uri-templates encode the % of a whole link again: %3D becomes %253D.
# Why it matters: "bookings from 31 January on" asks for all bookings, and the answer looks fine. A next-page link whose cursor contains a %
#   leads to another page. Passing the date as text works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts url-template@3.1.1 uritemplate@0.3.4 uri-templates@0.2.0 kitsu-core@11.1.0 >> npm.log 2>&1
cat > links.mjs <<'END'
import { createRequire } from 'node:module';
import { query } from 'kitsu-core';
import { parseTemplate } from 'url-template';
const require = createRequire(import.meta.url);
const uriTemplates = require('uri-templates');
const uritemplate = require('uritemplate');
const three = (template, values) => [parseTemplate(template).expand(values), uritemplate.parse(template).expand(values), uriTemplates(template).fill(values)].join(', ');
const date = new Date('2030-01-31T09:00Z');
for (const start of [date.toISOString(), date]) {
  const kind = typeof start === 'string' ? 'text' : 'a date';
  console.log(`${kind}: ${three('/bookings{?start,limit}', { start, limit: 5 })}`);
  console.log(`${kind}, by kitsu-core: ${query({ filter: { start, status: 'open' } })}`);
}
console.log(`a whole link: ${three('{+next}', { next: '/bookings?after=a%3D1' })}`);
END
node links.mjs > seen
cat seen
cat > expected <<'END'
text: /bookings?start=2030-01-31T09%3A00%3A00.000Z&limit=5, /bookings?start=2030-01-31T09%3A00%3A00.000Z&limit=5, /bookings?start=2030-01-31T09%3A00%3A00.000Z&limit=5
text, by kitsu-core: filter%5Bstart%5D=2030-01-31T09%3A00%3A00.000Z&filter%5Bstatus%5D=open
a date: /bookings?start=&limit=5, /bookings?start=&limit=5, /bookings?limit=5
a date, by kitsu-core: &filter%5Bstatus%5D=open
a whole link: /bookings?after=a%3D1, /bookings?after=a%253D1, /bookings?after=a%253D1
END
diff expected seen
