import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { eventNames } from '../../sdk/webhooks/events.ts';
import { brand } from '../../shared/brand.ts';
import { root } from '../../tools/root.cjs';
import { Installed } from './installed.ts';

const head = `import { createClient, isServiceError } from 'our-package';
import { createPoller, type ChangeEvent } from 'our-package/changes';
import { createReceiver, type WebhookEvent } from 'our-package/webhooks';
const client = createClient({ auth: 'token' });
declare const receiver: ReturnType<typeof createReceiver>, poller: ReturnType<typeof createPoller>, event: WebhookEvent;
const handle = ({ event, record, change_key }: ChangeEvent): void => void [event, record.id, change_key];
`;
const wanted = "event_type_id: 'e', start_time: '2030-01-31T09:00:00Z', invitee_name: 'Ada', invitee_email: 'ada@example.com'";
const kinds =
  'unauthenticated scope plan forbidden subscriptionLimit notFound slotTaken alreadyCancelled conflict invalid rateLimited server unreachable unreadable redirected notRenewed unknownOutcome'.split(
    ' ',
  );
const handlersOf = (names: readonly string[]): string => `{ ${names.map((name) => `${name}: () => undefined`).join(', ')} }`;
const casesOf = (names: readonly string[], then = ''): string => names.map((name) => `case '${name}': ${then}`).join(' ');
const eventSwitch = (names: readonly string[]): string => `switch (event.event) { ${casesOf(names, 'break;')} default: never(event); }`;
const errorSwitch = (names: readonly string[]): string => `switch (error.kind) { ${casesOf(names, 'break;')} default: never(error); }`;

const right = `async function work(over: AbortSignal) {
  const booking = await client.bookings.create({ ${wanted}, locale: 'es', question_responses: { company: 'X' } });
  const status: string | null | undefined = booking.status;
  const days: string[] = [];
  for await (const { id, start_time } of client.bookings.list({ status: 'CONFIRMED' }, { limit: 5, signal: over })) days.push(id + (start_time ?? ''));
  for await (const page of client.contacts.list().pages()) for (const contact of page) days.push(contact.email ?? '');
  const { signing_secret } = await client.subscriptions.create({ url: 'https://a.example', events: ['BOOKING_CREATED'] });
  const { already_cancelled } = await client.bookings.cancel({ booking_id: booking.id });
  const isDone: boolean = already_cancelled;
  const first = await client.bookings.find({ start_time: new Date() }).first();
  return [status, days, signing_secret.length, isDone, first?.id, (await client.users.current()).timezone];
}
const never = (left: never): void => void left;
receiver.on('BOOKING_CREATED', ({ record }) => record.invitee_email).on('CONTACT_CREATED', ({ record }) => record.phone);
receiver.on(['BOOKING_CANCELLED', 'BOOKING_DENIED'], ({ event, record }) => [event, record.invitee_email]).on('CONTACT_UPDATED', handle);
receiver.onEvery(${handlersOf(eventNames)});
poller.on('BOOKING_CREATED', ({ record }) => record.invitee_email).on('CONTACT_CREATED', handle);
if (event.event === 'CONTACT_UPDATED') void event.record.phone;
${eventSwitch(eventNames)}
work(new AbortController().signal).catch((error: unknown) => {
  if (!isServiceError(error)) return undefined;
  ${errorSwitch(kinds)}
  return error.kind === 'rateLimited' ? error.retryAfterSeconds : undefined;
});
`;

/** Each is followed by what is wrong with it. */
const wrong = [
  [`client.bookings.create({ ${wanted}, invitee_emial: 'x' });`, 'a misspelt field'],
  [`client.bookings.create({ ${wanted}, locale: 'de' });`, 'a value that is not one of the choices'],
  ["client.bookings.get({ booking_id: 'b' }).then((booking) => booking.invitee_emial);", 'a field that no record has'],
  ["client.bookings.get({ booking_id: 'b' }).then((booking) => { booking.status = 'x'; });", 'a record that is changed'],
  ["client.eventTypes.list({ status: 'CONFIRMED' });", 'an input that does not exist'],
  [
    `client.users.current().catch((error) => { if (isServiceError(error)) ${errorSwitch(kinds.slice(1))} });`,
    'a kind of error is left out',
  ],
  ["receiver.on('CONTACT_CREATED', ({ record }) => record.invitee_email);", "a field of another event's record"],
  [eventSwitch(eventNames.slice(1)), 'an event is left out'],
  ["poller.on('BOOKING_CREATED', ({ delivery_key }) => delivery_key);", 'a key that polling does not have'],
  [`poller.onEvery(${handlersOf(['BOOKING_CREATED'])});`, 'a poller that leaves out an event'],
];

/** What surrounds the examples of the package's README in an application. */
const surroundings = `declare const accessToken: string, clientId: string, clientSecret: string, request: Request, signal: AbortSignal;
declare const welcome: (booking: { invitee_email?: string | null }) => void, store: import('our-package/webhooks').WantedSubscription['store'];
declare const stores: ReturnType<typeof import('our-package/stores').sqliteStores>;
const { claims, changes } = stores;
`;
const readme = readFileSync(join(root, 'sdk', 'README.md'), 'utf8').replaceAll(brand.slug, 'our-package');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);

test('the compiler takes correct code, also in CommonJS, and every example of the README; and it refuses what is wrong', async () => {
  const installed = await Installed.open();
  const own = (text: string): string => (text.includes('const client =') ? '' : "declare const client: import('our-package').Client;\n");
  const files: [name: string, text: string][] = [
    ['right.mts', head + right],
    ['right.cts', head + right],
    [
      'wrong.mts',
      `${head}const never = (left: never): void => void left;\n${wrong.map(([code]) => `// @ts-expect-error\n${code}`).join('\n')}`,
    ],
    ...examples.map((text, index): [string, string] => [`example${index}.mts`, surroundings + own(text) + text]),
  ];
  const paths: string[] = [];
  for (const [name, text] of files) paths.push(await installed.write(name, `${text}\nexport {};\n`));
  const program = ts.createProgram(paths, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    types: [],
  });
  const complaints = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file?.text.slice(start).split('\n')[1];
    return [file?.fileName, wrong.find(([code]) => code === line)?.[1], ts.flattenDiagnosticMessageText(messageText, ' ')];
  });
  expect([complaints, examples.length]).toEqual([[], 4]);
  await installed.close();
});
