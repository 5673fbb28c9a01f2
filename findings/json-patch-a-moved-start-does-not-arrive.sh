#!/usr/bin/env bash
# Packages: two that compare two states of a record and return a list of changes (JSON Patch, RFC 6902), fast-json-patch 3.1.1 and rfc6902
#   5.4.0.
# The good guess: two Date values are compared as their JSON strings: equal, or one "replace" with the new string. Or they are refused.
# What is seen: for two different Dates, rfc6902 returns no change, and fast-json-patch 24, an "add" for each character (/start/0 to
#   /start/23). Applied to the receiver's record, where the start is a string, they leave the old start, without an error. Between a Date
#   and the string of the same time, both report a change.
# Why it matters: database drivers return times as Date, so for everybody who follows the changes, a moved meeting stays where it was. If
#   the title changed too, that arrives, and the old hour looks confirmed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts fast-json-patch@3.1.1 rfc6902@5.4.0 >> npm.log 2>&1
cat > patch.cjs <<'END'
const { compare, applyPatch } = require('fast-json-patch');
const { createPatch } = require('rfc6902');
const [before, after] = ['2030-01-31T09:00:00.000Z', '2030-01-31T10:00:00.000Z'];
const short = (patch) => (patch.length > 2 ? `${patch.length} changes, from ${JSON.stringify(patch[0])} to ${JSON.stringify(patch.at(-1))}` : JSON.stringify(patch));
for (const [title, from, to] of [['text to text', before, after], ['time to time', new Date(before), new Date(after)], ['text to the same time', before, new Date(before)], ['time to the same text', new Date(before), before]]) {
  const patch = compare({ start: from }, { start: to });
  console.log(`${title}: ${short(patch)}`);
  let arrived;
  try {
    arrived = JSON.stringify(applyPatch({ start: before }, patch, false).newDocument);
  } catch (error) {
    arrived = `${error.name}`;
  }
  console.log(`  applied to ${before}: ${arrived}; rfc6902: ${short(createPatch({ start: from }, { start: to }))}`);
}
END
node patch.cjs > seen
cat seen
cat > expected <<'END'
text to text: [{"op":"replace","path":"/start","value":"2030-01-31T10:00:00.000Z"}]
  applied to 2030-01-31T09:00:00.000Z: {"start":"2030-01-31T10:00:00.000Z"}; rfc6902: [{"op":"replace","path":"/start","value":"2030-01-31T10:00:00.000Z"}]
time to time: 24 changes, from {"op":"add","path":"/start/0","value":"2"} to {"op":"add","path":"/start/23","value":"Z"}
  applied to 2030-01-31T09:00:00.000Z: {"start":"2030-01-31T09:00:00.000Z"}; rfc6902: []
text to the same time: [{"op":"replace","path":"/start","value":"2030-01-31T09:00:00.000Z"}]
  applied to 2030-01-31T09:00:00.000Z: {"start":"2030-01-31T09:00:00.000Z"}; rfc6902: [{"op":"replace","path":"/start","value":"2030-01-31T09:00:00.000Z"}]
time to the same text: [{"op":"replace","path":"/start","value":"2030-01-31T09:00:00.000Z"}]
  applied to 2030-01-31T09:00:00.000Z: {"start":"2030-01-31T09:00:00.000Z"}; rfc6902: [{"op":"replace","path":"/start","value":"2030-01-31T09:00:00.000Z"}]
END
diff expected seen
