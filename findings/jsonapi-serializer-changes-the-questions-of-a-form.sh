#!/usr/bin/env bash
# Package: jsonapi-serializer 3.6.9, whose Deserializer reads JSON:API responses.
# The good guess: the option camelCase renames attributes only. Data inside an attribute, such as the questions of a form, stays as the
#   service or its user wrote it: JSON:API 1.1 lets an attribute hold any JSON. A relationship to a host who is not included keeps the ID.
# What is seen: keys at every depth are renamed: "What is your name?" becomes lower case, a time zone becomes "america/NewYork", and
#   "E-mail" and "e_mail" become one key with the last value. A relationship that is not included is dropped with its ID. The links of a
#   page are repeated on each of its items.
# Why it matters: an answer is not found under the question that the host wrote, and two answers can become one. If the service does not
#   include hosts, a booking loses its host.
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
