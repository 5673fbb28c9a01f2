#!/usr/bin/env bash
# Packages: pg 8.23.1, postgres 3.4.9 and drizzle-orm 0.45.4 (which uses pg), here on PGlite 0.5.14 (with pglite-socket 0.2.17).
# The good guess: a list is read in pages, oldest first, by "created after the last one that I have", or newest first by "created before
#   it". The time of that last record comes from the driver, so the next page begins right after it.
# What is seen: PostgreSQL stores microseconds ("Date/Time Types": 1 microsecond). The drivers cut them to a Date in milliseconds, so a
#   record is still "after" its own time. Oldest first, the last record comes again, and if a page is all in one millisecond, the same page
#   returns forever. Newest first, other records of the same millisecond are skipped. Drizzle with mode "string" reads each record once.
# Why it matters: a poll for new bookings reports the last one at every turn, and a list of all bookings lacks some that an import created.
#   Test bookings created from a Date have whole milliseconds, so the test passes. Page by time and id, or keep the time as text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts pg@8.23.1 postgres@3.4.9 drizzle-orm@0.45.4 @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 >> npm.log 2>&1
cat > pages.mjs <<'END'
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { asc, desc, gt, lt } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import pg from 'pg';
import postgres from 'postgres';
const db = await PGlite.create();
const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 5 });
await server.start();
const [host, port] = server.getServerConn().split(':');
const client = new pg.Client({ host, port: Number(port), user: 'postgres', database: 'postgres' });
await client.connect();
const sql = postgres({ host, port: Number(port), user: 'postgres', database: 'postgres', max: 1, fetch_types: false });
const withDrizzle = (mode) => {
  const table = pgTable('bookings', { id: integer(), created_at: timestamp({ withTimezone: true, mode }) });
  const [query, { created_at: time }] = [drizzle(client), table];
  return {
    oldest: (last) => query.select().from(table).where(last && gt(time, last.created_at)).orderBy(asc(time)).limit(2),
    newest: (last) => query.select().from(table).where(last && lt(time, last.created_at)).orderBy(desc(time)).limit(2),
  };
};
const [first, after] = [new Date('2000-01-01T00:00:00Z'), new Date('2100-01-01T00:00:00Z')];
const drivers = {
  pg: {
    oldest: async (last) => (await client.query('select * from bookings where created_at > $1 order by created_at limit 2', [last?.created_at ?? first])).rows,
    newest: async (last) => (await client.query('select * from bookings where created_at < $1 order by created_at desc limit 2', [last?.created_at ?? after])).rows,
  },
  postgres: {
    oldest: (last) => sql`select * from bookings where created_at > ${last?.created_at ?? first} order by created_at limit 2`,
    newest: (last) => sql`select * from bookings where created_at < ${last?.created_at ?? after} order by created_at desc limit 2`,
  },
  drizzle: withDrizzle('date'),
  'drizzle, string': withDrizzle('string'),
};
for (const [says, gap] of [['whole milliseconds', 1000], ['400 microseconds apart', 400], ['90 microseconds apart', 90]]) {
  await db.exec('drop table if exists bookings; create table bookings (id int, created_at timestamptz)');
  await db.query(`insert into bookings select i, timestamptz '2030-01-31T09:00:00Z' + i * ${gap} * interval '1 microsecond' from generate_series(1, 6) i`);
  for (const [name, read] of Object.entries(drivers))
    for (const order of ['oldest', 'newest']) {
      const pages = [];
      let last;
      for (let count = 0; count < 6; count += 1) {
        const page = await read[order](last);
        if (page.length === 0) break;
        last = page.at(-1);
        pages.push(page.map(({ id }) => id).join(','));
      }
      console.log(`${says}, ${name}, ${order} first: ${pages.join(' | ')}${pages.length === 6 ? ' ...' : ''}`);
    }
}
await client.end();
await sql.end();
await server.stop();
await db.close();
END
node pages.mjs > seen
cat seen
cat > expected <<'END'
whole milliseconds, pg, oldest first: 1,2 | 3,4 | 5,6
whole milliseconds, pg, newest first: 6,5 | 4,3 | 2,1
whole milliseconds, postgres, oldest first: 1,2 | 3,4 | 5,6
whole milliseconds, postgres, newest first: 6,5 | 4,3 | 2,1
whole milliseconds, drizzle, oldest first: 1,2 | 3,4 | 5,6
whole milliseconds, drizzle, newest first: 6,5 | 4,3 | 2,1
whole milliseconds, drizzle, string, oldest first: 1,2 | 3,4 | 5,6
whole milliseconds, drizzle, string, newest first: 6,5 | 4,3 | 2,1
400 microseconds apart, pg, oldest first: 1,2 | 1,2 | 1,2 | 1,2 | 1,2 | 1,2 ...
400 microseconds apart, pg, newest first: 6,5 | 4,3 | 2,1
400 microseconds apart, postgres, oldest first: 1,2 | 1,2 | 1,2 | 1,2 | 1,2 | 1,2 ...
400 microseconds apart, postgres, newest first: 6,5 | 4,3 | 2,1
400 microseconds apart, drizzle, oldest first: 1,2 | 1,2 | 1,2 | 1,2 | 1,2 | 1,2 ...
400 microseconds apart, drizzle, newest first: 6,5 | 4,3 | 2,1
400 microseconds apart, drizzle, string, oldest first: 1,2 | 3,4 | 5,6
400 microseconds apart, drizzle, string, newest first: 6,5 | 4,3 | 2,1
90 microseconds apart, pg, oldest first: 1,2 | 1,2 | 1,2 | 1,2 | 1,2 | 1,2 ...
90 microseconds apart, pg, newest first: 6,5
90 microseconds apart, postgres, oldest first: 1,2 | 1,2 | 1,2 | 1,2 | 1,2 | 1,2 ...
90 microseconds apart, postgres, newest first: 6,5
90 microseconds apart, drizzle, oldest first: 1,2 | 1,2 | 1,2 | 1,2 | 1,2 | 1,2 ...
90 microseconds apart, drizzle, newest first: 6,5
90 microseconds apart, drizzle, string, oldest first: 1,2 | 3,4 | 5,6
90 microseconds apart, drizzle, string, newest first: 6,5 | 4,3 | 2,1
END
diff expected seen
