#!/usr/bin/env bash
# Package: node-red-contrib-cron-plus 1.5.7, a scheduler for Node-RED (with cronosjs 1.7.1); a stand-in for Node-RED passes it commands, the
#   clock is set, and the machine is in UTC, as most servers are.
# The good guess: the node's time zone is that of its schedules, of the type "date sequence" as of the type "cron". A date sequence of
#   2030-01-31 09:00 sends its message at nine there, and 2030-01-31 on that day.
# What is seen: dates are read on the clock of the machine. In a node for New York on a server in UTC, 09:00 is 04:00, and a day without a
#   time is seven in the evening of the day before. A cron line for the same moment is right, and so is a date with an offset.
# Why it matters: the reminder for the workshop wakes people at four, and "we are closed today" is sent on the evening before. The
#   description shown in the editor is right about it, "04:00:00 EST", for those who read it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts node-red-contrib-cron-plus@1.5.7 >> npm.log 2>&1
cat > dates.cjs <<'END'
const { EventEmitter } = require('node:events');
const RealDate = Date;
global.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length ? given : [Date.now()]));
  }
  static now() {
    return RealDate.parse('2030-01-20T12:00:00Z');
  }
};
const nothing = () => {};
const base = Object.assign(Object.create(EventEmitter.prototype), { status: nothing, error: console.error, warn: nothing, debug: nothing, trace: nothing, log: nothing });
let Node;
require('node-red-contrib-cron-plus/cronplus.js')({
  settings: {},
  log: { error: console.error, log: nothing, debug: nothing },
  httpAdmin: { get: nothing, post: nothing },
  auth: { needsPermission: nothing },
  util: { cloneMessage: (message) => JSON.parse(JSON.stringify(message)), evaluateNodeProperty: () => 'x' },
  nodes: { createNode: (node) => (Object.setPrototypeOf(node, Object.create(base)), EventEmitter.call(node)), registerType: (_, type) => (Node = type) },
});
const node = new Node({ id: 'n', timeZone: 'America/New_York', options: [], outputField: 'payload', commandResponseMsgOutput: 'output1', outputs: 1 });
const command = (payload) => {
  let answer;
  node.emit('input', { payload }, ([message]) => (answer = message.payload.result), nothing);
  return answer;
};
setTimeout(() => {
  for (const [expressionType, expression] of [
    ['cron', '0 0 9 31 1 * 2030'],
    ['dates', '2030-01-31 09:00'],
    ['dates', '2030-01-31T09:00:00'],
    ['dates', '2030-01-31'],
    ['dates', '2030-01-31T09:00:00-05:00'],
  ]) {
    command({ command: 'add', name: 'one', expressionType, expression, payloadType: 'str', payload: 'x' });
    const { status } = command({ command: 'status', name: 'one' });
    console.log(`${expressionType} ${expression}: runs at ${new Date(status.nextDate).toISOString()}, in New York ${status.nextDateTZ ?? ''}`);
    command({ command: 'remove', name: 'one' });
  }
  process.exit(0);
}, 300);
END
TZ=UTC node dates.cjs > seen
cat seen
cat > expected <<'END'
cron 0 0 9 31 1 * 2030: runs at 2030-01-31T14:00:00.000Z, in New York Jan 31, 2030, 09:00:00 EST
dates 2030-01-31 09:00: runs at 2030-01-31T09:00:00.000Z, in New York Jan 31, 2030, 04:00:00 EST
dates 2030-01-31T09:00:00: runs at 2030-01-31T09:00:00.000Z, in New York Jan 31, 2030, 04:00:00 EST
dates 2030-01-31: runs at 2030-01-31T00:00:00.000Z, in New York Jan 30, 2030, 19:00:00 EST
dates 2030-01-31T09:00:00-05:00: runs at 2030-01-31T14:00:00.000Z, in New York Jan 31, 2030, 09:00:00 EST
END
diff expected seen
