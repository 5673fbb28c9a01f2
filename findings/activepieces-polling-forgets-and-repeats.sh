#!/usr/bin/env bash
# Package: @activepieces/pieces-common 0.12.5, whose pollingHelper Activepieces triggers use to poll.
# The good guess: both ways of finding new items, by time and by last item, deliver every item once. The helper remembers enough to tell
#   apart two items with the same time, and a deleted item from a new one.
# What is seen: by time, only items later than the latest time seen so far are new. If two bookings share a second and a poll sees the first
#   one alone, the second is never delivered. By last item, everything listed before the remembered ID is new. If that booking is deleted,
#   the whole list is delivered again.
# Why it matters: many services report times in whole seconds, and imports create many records per second. Cancelling the newest booking
#   sets off every reminder and invoice on the page again. A trigger must store the IDs of the last second, or of the whole page.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @activepieces/pieces-common@0.12.5 >> npm.log 2>&1
cat > polls.cjs <<'END'
const { DedupeStrategy, pollingHelper } = require('@activepieces/pieces-common');
const kept = new Map();
const store = { get: async (key) => kept.get(key) ?? null, put: async (key, value) => kept.set(key, value), delete: async (key) => kept.delete(key) };
let list = [];
const byTime = { strategy: DedupeStrategy.TIMEBASED, items: async () => list.map(({ id, at }) => ({ epochMilliSeconds: Date.parse(at), data: id })) };
const byId = { strategy: DedupeStrategy.LAST_ITEM, items: async () => list.map(({ id }) => ({ id, data: id })) };
const poll = async (says, way, ...now) => {
  list = now;
  const told = await pollingHelper.poll(way, { store });
  console.log(`${says}: [${now.map(({ id }) => id).join(' ')}], told [${told.join(' ')}]`);
};
const [one, two, three, four] = ['09:00:00', '09:00:00', '09:00:01', '09:00:02'].map((clock, index) => ({ id: index + 1, at: `2030-01-31T${clock}Z` }));
(async () => {
  kept.set('lastPoll', Date.parse('2030-01-31T08:00:00Z'));
  await poll('by time', byTime, one);
  await poll('by time, one more of the same second', byTime, two, one);
  await poll('by time, one later', byTime, three, two, one);
  kept.set('lastItem', 3);
  await poll('by last item, one more', byId, four, three, two, one);
  await poll('by last item, the newest is deleted', byId, three, two, one);
})();
END
node polls.cjs > seen
cat seen
cat > expected <<'END'
by time: [1], told [1]
by time, one more of the same second: [2 1], told []
by time, one later: [3 2 1], told [3]
by last item, one more: [4 3 2 1], told [4]
by last item, the newest is deleted: [3 2 1], told [3 2 1]
END
diff expected seen
