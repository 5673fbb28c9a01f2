#!/usr/bin/env bash
# Package: @flatten-js/interval-tree 2.0.3, in which programs keep booked times as intervals. Its documentation allows numbers, strings and
#   dates (Date) as the ends.
# The good guess: an interval inserted with two dates is found with equal dates, and can be removed with them.
# What is seen: with dates, exist returns false and remove removes nothing, without an error, because it compares Date objects by identity.
#   search finds the interval. With numbers and strings, all three work.
# Why it matters: a cancelled booking stays in the tree, and its time is refused to the next person. A test with numbers passes, and so does
#   one that reuses the very Date objects that it inserted.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @flatten-js/interval-tree@2.0.3 >> npm.log 2>&1
cat > tree.cjs <<'END'
const IntervalTree = require('@flatten-js/interval-tree').default;
const day = '2030-01-31T';
for (const [kind, time] of [['numbers', (clock) => Date.parse(`${day}${clock}Z`)], ['texts', (clock) => `${day}${clock}Z`], ['dates', (clock) => new Date(`${day}${clock}Z`)]]) {
  const slot = () => [time('09:00'), time('10:00')];
  const tree = new IntervalTree();
  tree.insert(slot(), 'first');
  tree.insert([time('11:00'), time('12:00')], 'second');
  const found = tree.search([time('09:15'), time('09:45')]);
  const there = tree.exist(slot(), 'first');
  tree.remove(slot(), 'first');
  console.log(`${kind}: search finds ${found}, exist says ${there}; after remove there are ${tree.size}, and 09:15 has ${tree.search([time('09:15'), time('09:45')]).join() || 'nothing'}`);
}
const first = [new Date(`${day}09:00Z`), new Date(`${day}10:00Z`)];
const tree = new IntervalTree();
tree.insert(first, 'first');
tree.remove(first, 'first');
console.log(`dates, the same objects: after remove there are ${tree.size}`);
END
node tree.cjs > seen
cat seen
cat > expected <<'END'
numbers: search finds first, exist says true; after remove there are 1, and 09:15 has nothing
texts: search finds first, exist says true; after remove there are 1, and 09:15 has nothing
dates: search finds first, exist says false; after remove there are 2, and 09:15 has first
dates, the same objects: after remove there are 0
END
diff expected seen
