import { placeOf } from '../../sdk/client/names.ts';
import { brand } from '../../shared/brand.ts';
import { formFields } from '../../shared/operations/form.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { inMarkdown } from './brand/replace.ts';

const name = brand.slug;
const product = inMarkdown(brand.name);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const methodRows = (): string[][] =>
  [...operations, ...searches].map((operation) => {
    const { group, method } = placeOf(operation);
    const fields = formFields(operation.input).map(({ key, required }) => `\`${key}\`${required ? '' : '?'}`);
    return [`\`${group}.${method}\``, operation.description, fields.join(', ') || '–', operation.yields === 'many' ? 'list' : 'record'];
  });

/** The README of the package for developers. Its table of methods comes from the core's declarations. */
export const sdkReadme = (): string => `# ${name}

${product} for applications of your own: a typed client, OAuth, verified deliveries, and a command line. It works as ES modules and CommonJS, on Node.js 20 or newer and in every runtime with \`fetch\`. Its only dependency is zod.

\`\`\`
npm install ${name}
\`\`\`

**Before you begin:** you need the Pro plan of ${product} or higher, and a client id and a client secret ([developer pages](${brand.docsUrl})).

## A booking

\`\`\`ts
import { createClient, isServiceError } from '${name}';

const client = createClient({ auth: process.env.ACCESS_TOKEN });
const booking = await client.bookings.create({
  event_type_id: 'evt_1', // from client.eventTypes.list()
  start_time: '2030-01-31T09:00:00+01:00',
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
});
\`\`\`

${table(['Method', 'What it does', 'Input', 'Returns'], methodRows())}

- **Lists** load page by page as you read them: \`for await (const booking of client.bookings.list())\`, \`.pages()\`, \`.all()\`, \`.first()\`. \`{ limit }\` sets a maximum.
- **A start** is a \`Date\` or text with a UTC offset. Without an offset it is read in the client's \`timeZone\`, or refused if none is set.
- **Fields** are checked before anything is sent. New fields of the service are kept.
- **Limits**: requests wait to stay within the service's limit. They are sent again after a 429, a server error or a broken connection if that is safe.
- **Lost answers**: if the answer to a booking or cancellation is lost, the client looks for the result. It reports success only if it saw the result, failure only if it is certain, and otherwise \`unknownOutcome\`. It never sends the request again blindly.
- **\`{ signal }\`** cancels a call. The call ends with the signal's reason, or with \`unknownOutcome\` if something may already have changed.

## Errors

Every failure is a \`ServiceError\` with a \`kind\`, a \`message\` (what happened, to which thing), an \`advice\` (what to do) and a \`sentence\` (both). \`isServiceError(error)\` makes \`switch (error.kind)\` complete for the compiler.

## Connect an account

\`\`\`ts
import { createOAuth } from '${name}/oauth';
import { fileStore } from '${name}/node';

const oauth = createOAuth({ clientId, clientSecret, redirectUri: 'https://app.example/callback' });

// When the person starts: keep \`attempt\` in their own session, in an HttpOnly cookie.
const { url, attempt } = await oauth.begin();

// When they come back: an answer from another session is refused.
const connection = oauth.connection(fileStore('data/tokens.json'));
await connection.connect(await oauth.finish(request.url, attempt));

const client = createClient({ auth: connection });
\`\`\`

An expired token is refreshed once for all waiting requests, in every process that shares the store. Stores: \`memoryStore()\`, \`fileStore(path)\` for the processes of one machine, those in \`${name}/stores\` for SQLite and PostgreSQL, or four functions of your own. \`connection.disconnect()\` revokes the tokens.

## Receive deliveries

\`\`\`ts
import { createReceiver, fetchHandler, keepSubscription } from '${name}/webhooks';

const subscription = await keepSubscription(client, { url: 'https://app.example/deliveries', store });
const receiver = createReceiver({ subscription }).on('BOOKING_CREATED', ({ record }) => welcome(record));

export const POST = fetchHandler(receiver); // nodeHandler for node:http, expressHandler for Express
\`\`\`

Every delivery is verified over its raw body and handled once. You cannot turn this off.

## Where the service does not reach you

\`\`\`ts
import { createPoller } from '${name}/changes';

const poller = createPoller({ client, store: changes(), claims }).on('BOOKING_CREATED', ({ record }) => welcome(record));
await poller.run({ signal });
\`\`\`

The poller gives the same events by comparing the account's lists. A change whose handler fails comes again. A handled change does not, even after a crash. If a receiver has the same \`claims\` and \`alsoPolled: true\`, each change is handled by only one of the two. \`sqliteStores\` and \`postgresStores\` of \`${name}/stores\` give \`changes()\` and \`claims\`.

## The command line

\`\`\`
npx ${name} login
npx ${name} bookings list --status CONFIRMED --json
npx ${name} listen --url https://your-tunnel.example
\`\`\`

\`npx ${name} --help\` lists all commands. Secrets come from the environment or are asked for, never from the command line.
`;
