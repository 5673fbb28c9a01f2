#!/usr/bin/env bash
# Package: graphql-relay 0.11.0 (with graphql 16.15.0), with which a server cuts a list into pages (connectionFromArray), each with a cursor
#   for the next.
# The good guess: if items were removed, so that a cursor points past the end of the list, the next page is empty and hasNextPage is false,
#   as for a cursor at the end.
# What is seen: it is the first page again, with hasNextPage true. An unreadable cursor gives the same result.
# Why it matters: a program that reads all bookings page by page while some are cancelled gets the first ones twice and counts them twice,
#   or starts over each time. Three cancellations are enough: after eight of ten were read, the next page is the first again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts graphql-relay@0.11.0 graphql@16.15.0 >> npm.log 2>&1
cat > pages.cjs <<'END'
const { connectionFromArray } = require('graphql-relay');
const bookings = (count) => Array.from({ length: count }, (_, index) => `b${index + 1}`);
const show = (name, { edges, pageInfo }) =>
  console.log(`${name}: ${edges.map(({ node }) => node).join(' ') || 'nothing'}${pageInfo.hasNextPage ? ', and there are more' : ', and no more'}`);
const first = connectionFromArray(bookings(10), { first: 4 });
const second = connectionFromArray(bookings(10), { first: 4, after: first.pageInfo.endCursor });
show('1 to 4 of 10', first);
show('the next of 10', second);
// Eight were read; then some of the ten are called off.
for (const left of [10, 9, 8, 7, 6]) show(`the next, of ${left}`, connectionFromArray(bookings(left), { first: 4, after: second.pageInfo.endCursor }));
show('behind a mark that is none', connectionFromArray(bookings(10), { first: 4, after: 'none' }));
END
node pages.cjs > seen
cat seen
cat > expected <<'END'
1 to 4 of 10: b1 b2 b3 b4, and there are more
the next of 10: b5 b6 b7 b8, and there are more
the next, of 10: b9 b10, and no more
the next, of 9: b9, and no more
the next, of 8: nothing, and no more
the next, of 7: b1 b2 b3 b4, and there are more
the next, of 6: b1 b2 b3 b4, and there are more
behind a mark that is none: b1 b2 b3 b4, and there are more
END
diff expected seen
