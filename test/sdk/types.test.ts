import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { brand } from '../../shared/brand.ts';
import { eventNames as events } from '../../sdk/webhooks/events.ts';
import { root } from '../../tools/root.cjs';
import { Installed } from './installed.ts';

/**
 * Texts in the folder of a user who has installed the package, by name. All are compiled at once, because each compilation takes seconds.
 */
const snippets = new Map<string, { body: string; ending: 'mts' | 'cts' }>();
let complaints: Map<string, string>;
let installed: Installed;
beforeAll(async () => void (installed = await Installed.open()));
beforeAll(async () => void (complaints = await compiled()));
afterAll(() => installed.close());

/**
 * Call it while the tests are declared.
 * @returns what the compiler says about the text, once it has run
 */
function compiling(body: string, ending: 'mts' | 'cts' = 'mts', begin = head): () => string {
  const name = `use${snippets.size}.${ending}`;
  snippets.set(name, { body: begin + body, ending });
  return () => complaints.get(name) ?? '';
}

const head = `import { createClient, isServiceError } from 'our-package';
import { createPoller, type ChangeEvent } from 'our-package/changes';
import { createReceiver, type WebhookEvent } from 'our-package/webhooks';
const client = createClient({ auth: 'token' });
declare const receiver: ReturnType<typeof createReceiver>, poller: ReturnType<typeof createPoller>, event: WebhookEvent;
const handle = ({ event, record, change_key }: ChangeEvent): void => void [event, record.id, change_key];
`;

async function compiled(): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const [name, { body }] of snippets) paths.set(await installed.write(name, `${body}\nexport {};\n`), name);
  const program = ts.createProgram([...paths.keys()], {
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
  const said = new Map<string, string>();
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = paths.get(file?.fileName ?? '') ?? 'elsewhere';
    said.set(name, `${said.get(name) ?? ''}${ts.flattenDiagnosticMessageText(messageText, ' ')}\n`);
  }
  return said;
}

const wanted = "event_type_id: 'e', start_time: '2030-01-31T09:00:00Z', invitee_name: 'Ada', invitee_email: 'ada@example.com'";

const kinds =
  'unauthenticated scope plan forbidden subscriptionLimit notFound slotTaken alreadyCancelled conflict invalid rateLimited server unreachable unreadable redirected notRenewed unknownOutcome'.split(
    ' ',
  );
const tableOf = (names: readonly string[]): string =>
  `receiver.onEvery({ ${names.map((name) => `${name}: () => undefined`).join(', ')} });`;
const casesOf = (names: readonly string[], then = ''): string => names.map((name) => `case '${name}': ${then}`).join(' ');
const eventSwitch = (names: readonly string[]): string =>
  `switch (event.event) { ${casesOf(names, 'break;')} default: { const never: never = event; void never; } }`;
const errorSwitch = (names: string[]): string =>
  `function told(error: unknown): string { if (!isServiceError(error)) return ''; switch (error.kind) { ${casesOf(names)} return error.advice; } } told(1);`;

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
receiver.on('BOOKING_CREATED', ({ record }) => record.invitee_email).on('CONTACT_CREATED', ({ record }) => record.phone);
receiver.on(['BOOKING_CANCELLED', 'BOOKING_DENIED'], ({ event, record }) => [event, record.invitee_email]).on('CONTACT_UPDATED', handle);
poller.on('BOOKING_CREATED', ({ record }) => record.invitee_email).on('CONTACT_CREATED', handle);
if (event.event === 'CONTACT_UPDATED') void event.record.phone;
${tableOf(events)} ${eventSwitch(events)} ${errorSwitch(kinds)}
work(new AbortController().signal).catch((error: unknown) => {
  if (isServiceError(error) && error.kind === 'rateLimited') return error.retryAfterSeconds;
  return undefined;
});`;

describe.each(['mts', 'cts'] as const)('for the compiler (%s)', (ending) => {
  const said = compiling(right, ending);
  test('correct code compiles, and the package itself as well', () => {
    expect([said(), complaints.get('elsewhere')]).toEqual(['', undefined]);
  });
});

describe('for the compiler', () => {
  describe.each([
    ['a misspelt field', `client.bookings.create({ ${wanted}, invitee_emial: 'x' });`, /may only specify known|does not exist/],
    ['a value that is not one of the choices', `client.bookings.create({ ${wanted}, locale: 'de' });`, /"de"' is not assignable/],
    ['a field that no record has', "client.bookings.get({ booking_id: 'b' }).then((booking) => booking.invitee_emial);", /invitee_emial/],
    ['an input that does not exist', "client.eventTypes.list({ status: 'CONFIRMED' });", /not assignable to type 'never'/],
    ['a switch that leaves out a kind of error', errorSwitch(kinds.slice(1)), /lacks ending return statement/],
    ["a field of another event's record", "receiver.on('CONTACT_CREATED', ({ record }) => record.invitee_email);", /'invitee_email'/],
    ['a switch that leaves out an event', eventSwitch(events.slice(1)), /not assignable to type 'never'/],
    ['a key that polling does not have', "poller.on('BOOKING_CREATED', ({ delivery_key }) => delivery_key);", /delivery_key/],
    ['a poller that leaves out an event', 'poller.onEvery({ BOOKING_CREATED: handle });', /BOOKING_CANCELLED/],
  ])('%s', (_, body, complaint) => {
    const said = compiling(body);
    test('does not compile', () => expect(said()).toMatch(complaint));
  });
});

/** What surrounds the examples of the package's README in an application. */
const surroundings = `declare const accessToken: string, clientId: string, clientSecret: string, request: Request, signal: AbortSignal;
declare const welcome: (booking: { invitee_email?: string | null }) => void, store: import('our-package/webhooks').WantedSubscription['store'];
declare const stores: ReturnType<typeof import('our-package/stores').sqliteStores>;
const { claims, changes } = stores;
`;
const readme = readFileSync(join(root, 'sdk', 'README.md'), 'utf8');

describe("the package's README", () => {
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text.replaceAll(brand.slug, 'our-package'));
  const said = examples.map((text) =>
    compiling(text, 'mts', surroundings + (text.includes('const client =') ? '' : "declare const client: import('our-package').Client;\n")),
  );
  test('compiles with all its examples', () => expect(said.map((each) => each())).toEqual(['', '', '', '']));
});
