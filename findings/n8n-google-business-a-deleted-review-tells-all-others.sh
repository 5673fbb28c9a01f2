#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Google Business Profile Trigger node, "Review Added" (with n8n-workflow 2.41.0, as it pins it); a stub
#   answers like Google, with the reviews changed last first and totalReviewCount.
# The good guess: each new review is reported once. A review that its author deletes or changes is no new one.
# What is seen: the node compares only the counts, and takes as many reviews from the top as were added. After a deletion the number is
#   negative, and slice(0, -1) returns every review on the page but the last. If one is added and an older one changed since the last poll,
#   the changed one is reported in place of the new. If one is added and one deleted, nothing is. And the first review of all is never
#   reported, since a count of zero is taken for a first poll.
# Why it matters: when one guest withdraws a review, all others of the page, up to 49, are answered, thanked or passed on again, in public
#   and under the name of the host.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 >> npm.log 2>&1
cat > trigger.cjs <<'END'
const { GoogleBusinessProfileTrigger } = require('./package/dist/nodes/Google/BusinessProfile/GoogleBusinessProfileTrigger.node.js');
const poll = async (kept, reviews) => {
  const host = {
    getWorkflowStaticData: () => kept,
    getNodeParameter: (name) => ({ value: name }),
    getMode: () => 'trigger',
    getNode: () => ({ name: 'Google Business Profile Trigger' }),
    helpers: {
      returnJsonArray: (json) => json,
      httpRequestWithAuthentication: async () => ({ reviews: reviews.map((name) => ({ name })), totalReviewCount: reviews.length }),
    },
  };
  return ((await new GoogleBusinessProfileTrigger().poll.call(host))?.[0] ?? []).map(({ name }) => name).join(' ') || 'nothing';
};
const old = ['Ada', 'Bob', 'Eve', 'Kim', 'Lea'];
(async () => {
  for (const [says, before, after] of [
    ['Max writes one', old, ['Max', ...old]],
    ['Eve deletes hers', old, ['Ada', 'Bob', 'Kim', 'Lea']],
    ['Max writes one, then Lea changes hers', old, ['Lea', 'Max', 'Ada', 'Bob', 'Eve', 'Kim']],
    ['Max writes one, Eve deletes hers', old, ['Max', 'Ada', 'Bob', 'Kim', 'Lea']],
    ['Max writes the first of all', [], ['Max']],
  ]) {
    const kept = {};
    await poll(kept, before);
    console.log(`${says}: told ${await poll(kept, after)}`);
  }
})();
END
node trigger.cjs > seen
cat seen
cat > expected <<'END'
Max writes one: told Max
Eve deletes hers: told Ada Bob Kim
Max writes one, then Lea changes hers: told Lea
Max writes one, Eve deletes hers: told nothing
Max writes the first of all: told nothing
END
diff expected seen
