#!/usr/bin/env bash
# Packages: pg 8.23.1, postgres 3.4.9 and drizzle-orm 0.45.4 (which uses pg), three ways to store times in PostgreSQL, here PGlite 0.5.14
#   (with pglite-socket 0.2.17).
# The good guess: a Date stored in a column without a time zone (timestamp) is read back as the same instant, at least by the driver that
#   wrote it, in every time zone of the machine.
# What is seen: on a machine in New York, postgres writes in UTC and reads in local time: its own 09:00Z comes back as 14:00Z. pg writes and
#   reads in local time, and drizzle, which uses pg, in UTC. pg reads what the other two wrote as 14:00Z, and drizzle reads pg's as 04:00Z.
#   In a column with a time zone (timestamptz), all agree.
# Why it matters: an ORM beside a report, or a change of drivers, can shift every booking by the offset, and one driver does so alone. On a
#   server in UTC nothing is seen until somebody runs it elsewhere.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts pg@8.23.1 postgres@3.4.9 drizzle-orm@0.45.4 @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 >> npm.log 2>&1
cat > drivers.mjs <<'END'
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import pg from 'pg';
import postgres from 'postgres';
const db = await PGlite.create();
await db.exec('create table bookings (writer text, plain timestamp, zoned timestamptz)');
const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 5 });
await server.start();
const [host, port] = server.getServerConn().split(':');
const address = { host, port: Number(port), user: 'postgres', database: 'postgres' };
const withPg = async (use) => {
  const client = new pg.Client(address);
  await client.connect();
  return use(client).finally(() => client.end());
};
const withPostgres = (use) => {
  const sql = postgres({ ...address, max: 1, fetch_types: false });
  return use(sql).finally(() => sql.end());
};
const table = pgTable('bookings', { writer: text(), plain: timestamp(), zoned: timestamp({ withTimezone: true }) });
const start = new Date('2030-01-31T09:00:00Z');
await withPg((client) => client.query('insert into bookings values ($1, $2, $3)', ['pg', start, start]));
await withPostgres((sql) => sql`insert into bookings values ('postgres', ${start}, ${start})`.then());
await withPg((client) => drizzle(client).insert(table).values({ writer: 'drizzle', plain: start, zoned: start }));
for (const { writer, plain } of (await db.query('select writer, plain::text from bookings')).rows) console.log(`${writer} wrote 09:00Z as ${plain}`);
const readers = {
  pg: () => withPg((client) => client.query('select * from bookings').then(({ rows }) => rows)),
  postgres: () => withPostgres((sql) => sql`select * from bookings`.then()),
  drizzle: () => withPg((client) => drizzle(client).select().from(table)),
};
for (const [name, read] of Object.entries(readers))
  for (const { writer, plain, zoned } of await read())
    console.log(`${name} reads what ${writer} wrote: ${plain.toISOString().slice(11, 16)}Z, with a zone ${zoned.toISOString().slice(11, 16)}Z`);
await server.stop();
await db.close();
END
TZ=America/New_York node drivers.mjs > seen
cat seen
cat > expected <<'END'
pg wrote 09:00Z as 2030-01-31 04:00:00
postgres wrote 09:00Z as 2030-01-31 09:00:00
drizzle wrote 09:00Z as 2030-01-31 09:00:00
pg reads what pg wrote: 09:00Z, with a zone 09:00Z
pg reads what postgres wrote: 14:00Z, with a zone 09:00Z
pg reads what drizzle wrote: 14:00Z, with a zone 09:00Z
postgres reads what pg wrote: 09:00Z, with a zone 09:00Z
postgres reads what postgres wrote: 14:00Z, with a zone 09:00Z
postgres reads what drizzle wrote: 14:00Z, with a zone 09:00Z
drizzle reads what pg wrote: 04:00Z, with a zone 09:00Z
drizzle reads what postgres wrote: 09:00Z, with a zone 09:00Z
drizzle reads what drizzle wrote: 09:00Z, with a zone 09:00Z
END
diff expected seen
