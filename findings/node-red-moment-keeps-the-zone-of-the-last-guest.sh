#!/usr/bin/env bash
# Package: node-red-contrib-moment 4.0.0, a Node-RED node that parses and formats dates (with moment 2.30.1, moment-timezone 0.5.48,
#   moment-parseformat 3.1.1 and os-locale 5.0.0); a stand-in for Node-RED passes it messages.
# The good guess: a time zone given in a message (msg.inTz, msg.outTz) applies to that message; the next one without a zone gets that of the
#   node's settings. With the locale en-US, for which the node has a date order, 02/03/2030 is 3 February.
# What is seen: the node keeps the zone: each later message without one is parsed and formatted in the last zone that a message gave, even
#   if the settings name another. And en-US is lowercased before it is compared with en_US, so the day comes first: 2 March. Only after a
#   message with an American zone is it 3 February, for every message that follows.
# Why it matters: after a guest from Tokyo, the next booking without a zone is nine hours off. Deploying the flow again resets it, so nobody
#   can reproduce the fault.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts node-red-contrib-moment@4.0.0 moment@2.30.1 moment-timezone@0.5.48 moment-parseformat@3.1.1 os-locale@5.0.0 >> npm.log 2>&1
cat > flow.cjs <<'END'
const { EventEmitter } = require('node:events');
let Node;
const RED = {
  httpAdmin: { get: () => {} },
  auth: { needsPermission: () => {} },
  nodes: { createNode: () => {}, registerType: (_, type) => (Node = type) },
  util: { getMessageProperty: (message, name) => message[name], setMessageProperty: (message, name, value) => (message[name] = value) },
};
require('node-red-contrib-moment/moment/nrmoment.js')(RED);
const make = (settings) => {
  const node = Object.assign(Object.create(Node.prototype), EventEmitter.prototype, { status: () => {}, warn: (text) => console.log(`  warns: ${text}`) });
  EventEmitter.call(node);
  Node.call(node, { topic: '', input: 'payload', inputType: 'msg', output: 'payload', outputType: 'msg', format: 'YYYY-MM-DD HH:mm Z', locale: 'en-GB', ...settings });
  return (message) => {
    let sent;
    node.emit('input', { ...message }, (out) => (sent = out), () => {});
    console.log(`  ${Object.values(message).join(', ')}: ${sent.payload}`);
  };
};
const payload = '2030-01-31T09:00:00';
console.log('zone Europe/London');
const node = make({ inTz: 'Europe/London' });
for (const message of [{ payload }, { payload, inTz: 'Asia/Tokyo' }, { payload }, { payload, outTz: 'Europe/Berlin' }, { payload }]) node(message);
console.log('en-US, zone Europe/London');
const slashes = make({ locale: 'en-US', inTz: 'Europe/London', format: 'D MMMM' });
for (const message of [{ payload: '02/03/2030' }, { payload: '02/03/2030', inTz: 'America/New_York' }, { payload: '02/03/2030' }]) slashes(message);
END
TZ=America/New_York node flow.cjs > seen
cat seen
cat > expected <<'END'
zone Europe/London
  2030-01-31T09:00:00: 2030-01-31 09:00 +00:00
  2030-01-31T09:00:00, Asia/Tokyo: 2030-01-31 00:00 +00:00
  2030-01-31T09:00:00: 2030-01-31 00:00 +00:00
  2030-01-31T09:00:00, Europe/Berlin: 2030-01-31 01:00 +01:00
  2030-01-31T09:00:00: 2030-01-31 01:00 +01:00
en-US, zone Europe/London
  02/03/2030: 2 March
  02/03/2030, America/New_York: 2 March
  02/03/2030: 3 February
END
diff expected seen
