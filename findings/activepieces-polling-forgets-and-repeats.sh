#!/usr/bin/env bash
# Package: @activepieces/pieces-common 0.12.5, with whose pollingHelper the triggers of Activepieces poll.
# The good guess: each of its two ways to know what is new, by time and by last item, tells every item once: it remembers enough to know
#   apart two items of one time, and a deleted item from a new one.
# What is seen: by time, only what is later than the latest time so far is new. Of two bookings of one second that two polls see, the
#   second is never told. By last item, all that stands before the one remembered ID is new; if that booking is deleted, the whole list is.
# Why it matters: services show whole seconds, and imports create many in one; and who cancels the newest booking sets off every reminder and
#   invoice of the page again. A trigger must hold the IDs of the last second, or of the page.
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
