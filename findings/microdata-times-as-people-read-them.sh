#!/usr/bin/env bash
# Package: web-auto-extractor 1.0.17, which reads events and reservations from the schema.org markup of pages and emails, compared with
#   microdata-node 2.0.0.
# The good guess: the value of <time datetime="..."> is its datetime and that of <data value="..."> its value; the text inside is for people
#   (HTML, "values" of microdata). itemref adds properties from elsewhere on the page. JSON-LD may put things in a graph.
# What is seen: the text is used. The start is "Thursday at nine", the number of seats "twelve". Properties added by itemref are missing,
#   and all things in a graph end up as one type, "undefined". <meta content> works. microdata-node reads time, data and itemref correctly.
# Why it matters: a start that says "nine", in the page's language and without a date or an offset, is guessed at or lost, although the
#   exact time was in the markup. And an event inside a graph, as most content management systems write it, is not found.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts web-auto-extractor@1.0.17 microdata-node@2.0.0 >> npm.log 2>&1
cat > page.cjs <<'END'
const readAll = require('web-auto-extractor').default;
const { toJson } = require('microdata-node');
const event = (inside, more = '') => `<div itemscope itemtype="https://schema.org/Event"${more}><b itemprop="name">Talk</b>${inside}</div>`;
for (const [name, page] of [
  ['meta', event('<meta itemprop="startDate" content="2030-01-31T09:00-05:00">')],
  ['time', event('<time itemprop="startDate" datetime="2030-01-31T09:00-05:00">Thursday at nine</time>')],
  ['data', event('<data itemprop="maximumAttendeeCapacity" value="12">twelve</data>')],
  ['itemref', event('', ' itemref="when"') + '<p id="when"><meta itemprop="startDate" content="2030-01-31T09:00-05:00"></p>'],
]) {
  const { '@context': context, '@type': type, ...one } = readAll().parse(page).microdata.Event[0];
  console.log(`${name}: ${JSON.stringify(one)}; microdata-node ${JSON.stringify(toJson(page).items[0].properties)}`);
}
const thing = { '@type': 'Event', name: 'Talk', startDate: '2030-01-31T09:00-05:00' };
const script = (value) => `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...value })}</script>`;
console.log(`alone: ${Object.keys(readAll().parse(script(thing)).jsonld)}`);
console.log(`in a graph: ${Object.keys(readAll().parse(script({ '@graph': [thing, { ...thing, name: 'Walk' }] })).jsonld)}`);
END
node page.cjs > seen
cat seen
cat > expected <<'END'
meta: {"name":"Talk","startDate":"2030-01-31T09:00-05:00"}; microdata-node {"name":["Talk"],"startDate":["2030-01-31T09:00-05:00"]}
time: {"name":"Talk","startDate":"Thursday at nine"}; microdata-node {"name":["Talk"],"startDate":["2030-01-31T09:00-05:00"]}
data: {"name":"Talk","maximumAttendeeCapacity":"twelve"}; microdata-node {"name":["Talk"],"maximumAttendeeCapacity":[12]}
itemref: {"name":"Talk"}; microdata-node {"name":["Talk"],"startDate":["2030-01-31T09:00-05:00"]}
alone: Event
in a graph: undefined
END
diff expected seen
