#!/usr/bin/env bash
# Package: node-red-contrib-bigtimer 2.8.6, a timer node of Node-RED (with suncalc 1.9.0); a stand-in for Node-RED passes it messages, and
#   time is counted by the node's own tick of a minute.
# The good guess: the command "away 7 days" suspends the timer for seven days, "away 12 hours" for twelve hours, "away 60" for an hour. The
#   node shows "Away 7days".
# What is seen: at each minute, the number is counted down once whatever its unit is, and in minutes once more. Seven days are over after
#   seven minutes, twelve hours after twelve, and an hour after thirty.
# Why it matters: the office is closed for a week, and the timer is told so: minutes later it opens doors, heats and rings again each day.
#   Right after the command, when people look, the status says "Away 7days".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts node-red-contrib-bigtimer@2.8.6 >> npm.log 2>&1
cat > away.cjs <<'END'
let Node;
require('node-red-contrib-bigtimer/bigtimer.js')({ nodes: { createNode: () => {}, registerType: (_, type) => (Node = type) } });
const RealDate = Date;
let now;
global.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length ? given : [now]));
  }
  static now() {
    return now;
  }
};
global.setInterval = () => ({ unref: () => {} });
global.setTimeout = () => ({ unref: () => {} });
const days = Object.fromEntries('sun mon tue wed thu fri sat jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').map((name) => [name, true]));
const times = { starttime: '480', endtime: '1080', starttime2: '0', endtime2: '0', startoff: '0', endoff: '0', startoff2: '0', endoff2: '0', offs: '0', timeout: '1440' };
const make = () => {
  let handle;
  let shown;
  const node = { send: () => {}, error: () => {}, status: ({ text }) => (shown = text) };
  node.on = (name, called) => {
    if (name === 'input') handle = called;
    return node;
  };
  Node.call(node, { ...days, ...times, lat: 52, lon: 5, outpayload1: 'on', outpayload2: 'off' });
  return (payload) => {
    handle({ payload });
    return shown;
  };
};
for (const command of ['away 60', 'away 12 hours', 'away 7 days']) {
  now = RealDate.parse('2030-01-31T09:00:00Z');
  const send = make();
  const first = send(command);
  let minutes = 0;
  let text;
  do {
    now += 60_000;
    minutes += 1;
    text = send();
  } while (/away/i.test(text));
  console.log(`${command}: shows "${first}", and after ${minutes} minutes "${text}"`);
}
END
TZ=UTC node away.cjs > seen
cat seen
cat > expected <<'END'
away 60: shows "Away 60mins", and after 30 minutes "ON for 08hrs 30mins"
away 12 hours: shows "Away 12hrs", and after 12 minutes "ON for 08hrs 48mins"
away 7 days: shows "Away 7days", and after 7 minutes "ON for 08hrs 53mins"
END
diff expected seen
