import { brand } from '../../shared/brand.ts';
import { inMarkdown } from '../build/brand/replace.ts';
import { page, table } from './markdown.ts';

/** Something that is kept for later. */
export interface Remembered {
  what: string;
  where: string;
  /** The key under which it is kept. */
  key: string;
  /** How long it is kept, and what happens then. */
  until: string;
  /** Who could read it, and for what. */
  reach: string;
}

const zapierStore = "Zapier's store for the app";
const inProcess = 'memory of the n8n process';
const endsWithProcess = 'the end of the process';
const ownProcess = 'nobody: it is not in any output, log or file';

const zapier: Remembered[] = [
  {
    what: 'Access and refresh token',
    where: 'the connection, at Zapier',
    key: 'the connection',
    until: 'the connection is deleted. **They stay valid at the service**: revoke the application there',
    reach: 'Zapier; the app, while a step of this connection runs',
  },
  {
    what: 'Client id and secret',
    where: "the environment of the app's version, at Zapier",
    key: 'the version',
    until: 'someone changes them',
    reach: 'people who can manage the app at Zapier, but not its users',
  },
  {
    what: 'Subscription id and signing secret',
    where: 'the Zap, as data of its subscription',
    key: 'the Zap and its trigger',
    until: 'the Zap is turned off, which deletes the subscription at the service',
    reach: 'Zapier; the app, when a delivery arrives. No field of a step shows it',
  },
  {
    what: 'That a delivery was accepted',
    where: zapierStore,
    key: 'the connection; a hash of the subscription and the signed body, with the delivery id if the body has no time or event id',
    until: 'a day; after that, the same delivery would start the Zap again',
    reach: 'the app, for Zaps of the same connection. The stored value is random',
  },
  {
    what: 'That a refresh token is being used',
    where: zapierStore,
    key: 'a hash of the refresh token',
    until: 'the refresh fails, or a minute. A refresh token that is used twice may end the whole connection',
    reach: 'the app. The stored value is random',
  },
  {
    what: 'A write whose answer was lost: the reason and the times',
    where: zapierStore,
    key: 'the connection; a hash of the event type, start and email, or of the booking id',
    until: 'its outcome is known, or a day; after that, the same request would be sent again',
    reach: 'the app, for a step of the same connection. It contains no data of the booking',
  },
  {
    what: 'Bookings, contacts, answers',
    where: 'the history of the Zap',
    key: 'the run',
    until: 'as long as Zapier keeps it',
    reach: 'people who can see the Zap',
  },
];

const n8n: Remembered[] = [
  {
    what: 'Tokens, client id and secret',
    where: "the credential in n8n's database, encrypted with the instance's key",
    key: 'the credential',
    until: 'it is deleted. **The tokens stay valid at the service**: revoke the application there',
    reach: 'anyone with the database and the key. Workflows of people with whom it is shared can use it, but not read it',
  },
  {
    what: 'Subscription id and signing secret',
    where: "the workflow's static data, in n8n's database. **Not encrypted**",
    key: 'the node, and whether it is published or listening for a test',
    until: 'the trigger is unpublished or has received its test event, which deletes the subscription at the service',
    reach: 'anyone with the database, a backup of it, or an export of the workflow by command line or API',
  },
  {
    what: 'What a polling trigger knows about bookings and contacts: hashes of ids, starts and contact data, and states; a hash of the account; the chosen events and event types',
    where: "the workflow's static data, in n8n's database",
    key: "the node; a hash of the service's address and the record's id",
    until: 'the workflow is deleted, or its credential belongs to another account',
    reach:
      'anyone with the database, a backup of it, or an export of the workflow by command line or API; it reveals nothing about a person',
  },
  {
    what: 'That a poll is running, when the last one began and how many calls it took',
    where: inProcess,
    key: 'the workflow and its trigger',
    until: `the next one may begin (after ten minutes for 100,000 records), or ${endsWithProcess}`,
    reach: 'polls of the same trigger',
  },
  {
    what: 'That a delivery was accepted',
    where: inProcess,
    key: 'the workflow and its trigger; a hash of the subscription and the signed body, with the delivery id if the body has no time or event id',
    until: `10,000 others are remembered (the trigger with the most forgets first), or ${endsWithProcess}; after that, the same delivery would start the workflow again`,
    reach: ownProcess,
  },
  {
    what: "Results of a run's items, with the records, for Retry On Fail",
    where: inProcess,
    key: 'the execution, node, run and item, never its values',
    until: 'every item of the run succeeded, or ten minutes after its last try',
    reach: 'a later try of the same item',
  },
  {
    what: 'A write whose answer was lost: what was sent, the reason and the times',
    where: inProcess,
    key: 'the connection; the event type, start and email, or the booking id; and the item of the run',
    until: `its outcome is known, or a day, or ${endsWithProcess}; never dropped to make room`,
    reach: 'a later step of the same connection',
  },
  {
    what: 'Which writes wait for an identical one, and which bookings were made',
    where: inProcess,
    key: 'the connection; the request; the booking id',
    until: `the outcome of the write is known; an hour for a booking's id, or ${endsWithProcess}`,
    reach: 'steps of the same connection, so that none uses a booking that another one made',
  },
  {
    what: 'How many requests the account may send, and the last refusals',
    where: inProcess,
    key: 'the credential and the address of the service',
    until: `500 others were used since and this one has no open writes and no waiting requests, or ${endsWithProcess}`,
    reach: 'steps and triggers of the same connection',
  },
  {
    what: "The account's list of subscriptions",
    where: inProcess,
    key: 'the credential and the address of the service',
    until: 'no trigger has asked for it for five seconds; the next one reads it again',
    reach: 'triggers of the same connection that are published at the same time',
  },
  {
    what: 'That a token is being refreshed, or why it could not be',
    where: inProcess,
    key: 'the credential',
    until: 'the refresh ends, after at most 20 seconds; the reason of a failure for half a minute',
    reach: 'requests of the same credential, which wait for it or fail with the same reason',
  },
  {
    what: 'Bookings, contacts, answers',
    where: "saved executions, in n8n's database",
    key: 'the execution',
    until: 'the age in `EXECUTIONS_DATA_MAX_AGE`, if they are saved at all',
    reach: 'people who can see the workflow',
  },
];

const theFolder = "the server's folder (`SCHEDULING_MCP_FOLDER`, or a folder in this user's settings)";
const inServer = 'memory of the server';

const mcp: Remembered[] = [
  {
    what: 'Access and refresh token, client id and secret',
    where: `${theFolder}, in \`connection.json\`, readable only by its user. **Not encrypted**`,
    key: 'one account for each folder',
    until: '`logout`, which revokes the tokens as well',
    reach: 'anyone who can read the files of this user, including a backup',
  },
  {
    what: 'A write from before it is sent until its outcome is known: what was sent and the times',
    where: `${theFolder}, each in its own file, readable only by its user`,
    key: 'the connection; a hash of the event type, start, email and name, or of the booking id',
    until: 'its outcome is known, or a day',
    reach: 'later calls of the same connection, also from other processes of this user: they look before they send',
  },
  {
    what: 'The ids of the processes that change the connection or wait to do so, with the name of their machine',
    where: `${theFolder}, in \`connection.lock\``,
    key: 'the folder',
    until: 'the change ends, or the next one after the process has ended',
    reach: 'the processes of this user',
  },
  {
    what: 'That a token is being refreshed, or why it could not be',
    where: inServer,
    key: 'the folder and the connection',
    until: 'the refresh ends, after at most 20 seconds; the reason of a failure for half a minute',
    reach: 'calls for the same connection, which wait for it or fail with the same reason',
  },
  {
    what: "Which account is connected, and its host's time zone",
    where: inServer,
    key: 'the connection',
    until: `another account is connected; an hour for the zone, or ${endsWithProcess}`,
    reach: 'calls for the same connection',
  },
  {
    what: 'Which writing calls are running, and the ids of records that they made and nobody was told',
    where: inServer,
    key: 'the connection; a hash of the tool and its arguments',
    until: `the next call with the same arguments, a call that changes the record, ten minutes, or ${endsWithProcess}`,
    reach: 'a later call with the same arguments, which reads the record again',
  },
  {
    what: 'Bookings, contacts, answers',
    where: 'the conversation, with the provider of the client and the model',
    key: 'the conversation',
    until: 'as long as they keep it',
    reach: 'the model, and people who may read the conversation',
  },
];

const developers: Remembered[] = [
  {
    what: 'Which requests were sent within the last minute, which writes are running, which call made which booking',
    where: 'memory of the process',
    key: 'the client that `createClient` returned',
    until: 'in this order: a minute; the end of the call; an hour. Or the client is discarded',
    reach: 'anyone who holds that client',
  },
  {
    what: 'Tokens, in the store that an application chooses',
    where: '`memoryStore()`: memory. `fileStore(path)`: that file, readable only by its user. **Not encrypted**',
    key: 'one connection for each store',
    until: '`disconnect`, which revokes the tokens as well',
    reach: 'anyone who reaches the store; for the file, its user',
  },
  {
    what: "The command line's connection, its open writes and its lock",
    where: "`SCHEDULING_FOLDER`, or a folder in this user's settings, readable only by its user. **Not encrypted**",
    key: 'one account for each folder',
    until: '`logout`, which revokes the tokens as well; a write until its outcome is known, or a day',
    reach: 'anyone who can read the files of this user; scripts of this user that call `ownAccount`',
  },
  {
    what: 'Which deliveries were handled, or are being handled: their keys and when',
    where: 'memory of the process, or the tables of the database that an application provides',
    key: '`delivery_key`, made from the subscription and the HMAC of the body',
    until: '10,000 later ones in memory; 30 days in a database',
    reach: 'anyone who can reach that process or database; it contains no signature and no part of a body',
  },
  {
    what: 'What a poller knows: hashes of ids, states and compared fields; while changes are passed on, their events, ids and keys. With claims: the last key of each event and record',
    where: 'the store that an application chooses: memory, a file for its user alone, or a table',
    key: 'one account for each store; the event and the id',
    until: 'the client belongs to another account; the changes were passed on; 10,000 later ones in memory, 30 days in a database',
    reach: 'anyone who can reach that store; it reveals nothing about a person',
  },
  {
    what: 'A person who has begun to connect: state and PKCE verifier',
    where: 'not in the package: `begin` returns them as `attempt`, for the browser session of that person',
    key: 'that browser session',
    until: 'the application deletes them',
    reach: 'that session',
  },
];

const everywhere: Remembered[] = [
  {
    what: 'Names and offsets of time zones; how forms are checked',
    where: 'memory of the process',
    key: 'the name of the zone; the form',
    until: `too many others are kept, or ${endsWithProcess}`,
    reach: "every run in the process: it contains no user's data",
  },
];

const ownApplication: Remembered[] = [
  {
    what: 'Tokens, subscription id and signing secret',
    where: '`.local/custom-app.sqlite`, readable only by its user; on Workers, the durable object. **Not encrypted**',
    key: 'one account for each application',
    until: '*Disconnect*, which also revokes the tokens and deletes the subscription at the service',
    reach: 'its user on that machine; on Workers, anyone who can manage the account there',
  },
  {
    what: 'Who began to connect: state and PKCE verifier',
    where: "a cookie in that person's browser that scripts cannot read",
    key: 'the browser',
    until: 'the answer arrives, or ten minutes',
    reach: 'anyone who uses that browser',
  },
  {
    what: 'That a delivery was accepted; its event, the id of its record, and the time',
    where: 'the same database',
    key: '`delivery_key`',
    until: 'the claim: 30 days. The line about the event: until someone deletes it',
    reach: 'anyone who can read the database; for the lines, also anyone who can open the pages',
  },
];

const onThisMachine: Remembered[] = [
  {
    what: "The sandbox's data: accounts, bookings, tokens, signing secrets, deliveries",
    where: '`.sandbox/sandbox.sqlite` or the file that `--data` names, readable only by its user',
    key: '',
    until: 'it is deleted',
    reach: 'its user on that machine; anyone who can reach its port can use the host page',
  },
  {
    what: "The sandbox's list of requests (without secrets), browser sessions, faults, limits, clock",
    where: 'memory',
    key: '',
    until: endsWithProcess,
    reach: 'anyone who can reach its port',
  },
  {
    what: "`npm start`: the sandbox's data, n8n's folder with its database, key and login, the addresses; while it runs, the addresses and login that it printed",
    where: '`.local/start` or the folder that `--data` names, readable only by its user; with `--once`, a temporary folder',
    key: '',
    until: '`npm start -- --reset`, or it is deleted; with `--once`, the end of the command',
    reach: 'its user on that machine',
  },
  {
    what: '`npm run start:queue`: the same, with PostgreSQL and Redis and their passwords',
    where:
      "`.local/queue` or the folder that `--data` names; if root starts it, PostgreSQL's part is in the home folder of the user `postgres`",
    key: '',
    until: 'it is deleted',
    reach: 'its user on that machine, and `postgres`',
  },
  {
    what: 'n8n, downloaded and built',
    where: '`~/.cache/scheduling-connector`',
    key: 'its version',
    until: 'it is deleted',
    reach: 'it is public',
  },
];

/** Everything that is remembered, grouped by what remembers it. */
export const remembered: Record<string, Remembered[]> = {
  Zapier: zapier,
  n8n,
  'The MCP server': mcp,
  'The package for developers': developers,
  'Every platform and application': everywhere,
  'The example application': ownApplication,
  'Commands of this project': onThisMachine,
};

/** The page with all entries. */
export function rememberedPage(): string {
  const rows = (all: Remembered[]): string =>
    table(
      ['What', 'Where', 'By which key', 'Until', 'Who could read it'],
      all.map(({ what, where, key, until, reach }) => [what, where, key, until, reach]),
    );
  return page(
    'Everything that is remembered',
    `This page lists everything that these integrations for ${inMarkdown(brand.name)} keep for later, and what the platforms keep for them. For a summary, see [what is stored where](../what-is-stored.md).`,
    'Data of one connection is only used for that connection. `npm run probe` keeps nothing.',
    ...Object.entries(remembered).flatMap(([who, all]) => [`## ${who}`, rows(all)]),
  );
}
