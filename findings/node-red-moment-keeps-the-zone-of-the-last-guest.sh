#!/usr/bin/env bash
# Package: node-red-contrib-moment 4.0.0, the node of Node-RED that reads and writes dates (with moment 2.30.1, moment-timezone 0.5.48,
#   moment-parseformat 3.1.1 and os-locale 5.0.0); a stand-in for Node-RED hands it messages.
# The good guess: the zone that a message brings (msg.inTz, msg.outTz) is the zone of that message, and the next one without has that of the
#   settings. With the language en-US, 02/03/2030 is the third of February, as the node has an order for it.
# What is seen: it stays in the node, so each later message without one is read and written in the zone of the last that had one, also over the
#   settings. And en-US is made small before it is compared with en_US, so the day comes first; only a zone in America changes that, for all that
#   follow as well.
# Why it matters: behind a guest from Tokyo, the next booking without a zone is nine hours off, and it is right again after the flow is deployed,
#   so nobody can show it.
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
