#!/usr/bin/env bash
# Package: n8n-nodes-base 2.41.1, the Notion Trigger node, "Page Updated in Database" (with n8n-workflow 2.41.0 and what else it pins); a
#   stub answers like Notion, whose last_edited_time is in whole minutes.
# The good guess: each change of a page is reported at the next poll. A page that was reported in the same minute may be left out once,
#   since Notion's times are in minutes.
# What is seen: the pages reported last are kept by their ID alone, without the minute, and left out at the next change, even hours later.
#   Of four changes of the same page, the second and the fourth are lost. A change in between of another page brings it back.
# Why it matters: a booking is set to "confirmed", and nothing is sent; at its next change, it works again. In a table where many pages
#   change, as in a busy team, nearly everything arrives; in a small one, half of it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
# Unpacks only the package's own files: installing it with all its dependencies takes 500 MB.
npm pack --silent n8n-nodes-base@2.41.1 >> npm.log
tar -xzf n8n-nodes-base-2.41.1.tgz package/dist/nodes package/dist/utils
npm install --no-audit --no-fund --ignore-scripts n8n-workflow@2.41.0 zod@3.25.76 moment-timezone@0.5.48 change-case@5.4.4 lodash@4.18.1 \
  >> npm.log 2>&1
cat > trigger.cjs <<'END'
const { NotionTrigger } = require('./package/dist/nodes/Notion/NotionTrigger.node.js');
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
require('moment-timezone').now = () => now;
const at = (clock) => RealDate.parse(`2030-01-31T${clock}Z`);
const pages = { A: '08:00', B: '08:00' };
const kept = {};
const poll = async (clock) => {
  now = at(clock);
  const host = {
    getWorkflowStaticData: () => kept,
    getNodeParameter: (name) => ({ event: 'pagedUpdatedInDatabase', simple: false, databaseId: 'd1' })[name],
    getNode: () => ({ name: 'Notion Trigger', typeVersion: 1 }),
    getMode: () => 'trigger',
    getCredentials: async () => ({}),
    helpers: {
      returnJsonArray: (json) => json,
      requestWithAuthentication: async (_, { body }) => {
        const from = RealDate.parse(body.filter.last_edited_time.on_or_after);
        const found = Object.entries(pages).filter(([, edited]) => at(edited) >= from);
        const newest = found.sort(([, one], [, other]) => (one < other ? 1 : -1)).slice(0, body.page_size);
        return { results: newest.map(([id, edited]) => ({ id, last_edited_time: new Date(at(edited)).toISOString() })), has_more: false };
      },
    },
  };
  return ((await new NotionTrigger().poll.call(host))?.[0] ?? []).map(({ id }) => id).join(' ') || 'nothing';
};
(async () => {
  await poll('09:00:30');
  for (const [changed, edited] of [['A', '09:10'], ['A', '10:10'], ['A', '11:10'], ['A', '12:10'], ['A', '13:10'], ['B', '14:10'], ['A', '15:10']]) {
    pages[changed] = edited;
    const told = await poll(`${edited}:30`);
    console.log(`${changed} changes at ${edited}: told ${told}`);
  }
})();
END
node trigger.cjs > seen
cat seen
cat > expected <<'END'
A changes at 09:10: told A
A changes at 10:10: told nothing
A changes at 11:10: told A
A changes at 12:10: told nothing
A changes at 13:10: told A
B changes at 14:10: told B
A changes at 15:10: told A
END
diff expected seen
