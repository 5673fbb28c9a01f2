#!/usr/bin/env bash
# Package: jsonapi-serializer 3.6.9, whose Deserializer reads answers of services in the form of JSON:API.
# The good guess: the names of attributes are made camelCase, as the option says; what stands inside of an attribute is the service's or
#   somebody's own, such as the questions of a form, and stays. JSON:API 1.1 lets an attribute hold any JSON. A link to somebody who is not
#   included keeps her ID.
# What is seen: every name at every depth is changed, so "What is your name?" is in small letters, a zone is "america/NewYork", and "E-mail" and
#   "e_mail" are one, of which the last is left. A relationship that is not among the included is gone with its ID, and the links of a page stand
#   on each of its items.
# Why it matters: an answer is not found under the question that the host has written, and two can become one. Which host a booking has is lost if
#   the service leaves hosts out.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts jsonapi-serializer@3.6.9 >> npm.log 2>&1
cat > bookings.cjs <<'END'
const { Deserializer } = require('jsonapi-serializer');
const show = async (title, document) => console.log(`${title}: ${JSON.stringify(await new Deserializer({ keyForAttribute: 'camelCase' }).deserialize(document))}`);
const attributes = { 'starts-at': '2030-01-31T09:00:00Z', answers: { 'What is your name?': 'Ada', 'E-mail': 'ada@x.example', e_mail: 'none', 'Room B2': 'yes' } };
const relationships = { host: { data: { type: 'hosts', id: '7' } } };
(async () => {
  await show('answers', { data: { type: 'bookings', id: '1', attributes } });
  await show('zones', { data: { type: 'bookings', id: '1', attributes: { hours: { 'Europe/Berlin': 9, 'America/New_York': 3 } } } });
  await show('host included', { data: { type: 'bookings', id: '1', relationships }, included: [{ type: 'hosts', id: '7', attributes: { name: 'Eve' } }] });
  await show('host not included', { data: { type: 'bookings', id: '1', relationships } });
  await show('a page', { data: [{ type: 'bookings', id: '1' }, { type: 'bookings', id: '2' }], links: { next: '/bookings?page=2' } });
})();
END
node bookings.cjs > seen
cat seen
cat > expected <<'END'
answers: {"startsAt":"2030-01-31T09:00:00Z","answers":{"what is your name?":"Ada","eMail":"none","room b2":"yes"},"id":"1"}
zones: {"hours":{"europe/Berlin":9,"america/NewYork":3},"id":"1"}
host included: {"id":"1","host":{"name":"Eve","id":"7"}}
host not included: {"id":"1"}
a page: [{"id":"1","links":{"next":"/bookings?page=2"}},{"id":"2","links":{"next":"/bookings?page=2"}}]
END
diff expected seen
