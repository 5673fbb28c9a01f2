#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the RSS Feed Trigger node (with n8n-workflow 2.41.0, moment-timezone 0.5.48 and rss-parser 3.13.0, as it
#   pins them).
# The good guess: each new item of a feed is reported once. An item may have no date (RSS 2.0: pubDate is optional), and one in the future,
#   such as an event in a calendar's feed, does not hold up the others.
# What is seen: the node stores the date of the newest item, and an item without a date breaks this. In the middle of a feed, it makes an
#   older item the newest, and later ones are reported again at each poll; at the end, no date is stored, and items between polls are lost.
#   After an item dated in the future, nothing is reported until then.
# Why it matters: because of an unrelated item, "a new date is open" is sent to everybody at each poll, or not at all. Feeds in which all
#   items have dates in the past work.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 rss-parser@3.13.0 lodash@4.18.1 >> npm.log 2>&1
cat > feed.cjs <<'END'
const { RssFeedReadTrigger } = require('./package/dist/nodes/RssFeedRead/RssFeedReadTrigger.node.js');
const item = ([title, date]) => `<item><title>${title}</title>${date ? `<pubDate>${new Date(date).toUTCString()}</pubDate>` : ''}</item>`;
const poll = (kept, items) =>
  new RssFeedReadTrigger().poll.call({
    getWorkflowStaticData: () => kept,
    getNodeParameter: () => 'https://feed.example/',
    getNode: () => ({ name: 'RSS Feed Trigger' }),
    getMode: () => 'trigger',
    helpers: {
      returnJsonArray: (json) => json,
      httpRequest: async () => `<?xml version="1.0"?><rss version="2.0"><channel><title>Dates</title>${items.map(item).join('')}</channel></rss>`,
    },
  });
const [old, middle, fresh] = [['Monday', '2020-01-06T09:00Z'], ['Tuesday', '2020-01-07T09:00Z'], ['Wednesday', '2020-01-08T09:00Z']];
(async () => {
  for (const [name, first, then] of [
    ['all dated', [middle, old], [fresh, middle, old]],
    ['one without a date in the middle', [middle, ['Welcome'], old], [fresh, middle, ['Welcome'], old]],
    ['one without a date at the end', [middle, old, ['Welcome']], [fresh, middle, old, ['Welcome']]],
    ['one in the future', [['Fair', '2040-01-01T09:00Z'], middle, old], [fresh, ['Fair', '2040-01-01T09:00Z'], middle, old]],
  ]) {
    const kept = { lastItemDate: '2020-01-05T09:00:00.000Z' };
    const told = [];
    for (const items of [first, then, then, then]) told.push(((await poll(kept, items))?.[0] ?? []).map(({ title }) => title).join(' ') || 'nothing');
    console.log(`${name}: ${told.join(', then ')}`);
  }
})();
END
node feed.cjs > seen
cat seen
cat > expected <<'END'
all dated: Tuesday Monday, then Wednesday, then nothing, then nothing
one without a date in the middle: Tuesday Monday, then Wednesday Tuesday, then Wednesday Tuesday, then Wednesday Tuesday
one without a date at the end: Tuesday Monday, then nothing, then nothing, then nothing
one in the future: Fair Tuesday Monday, then nothing, then nothing, then nothing
END
diff expected seen
