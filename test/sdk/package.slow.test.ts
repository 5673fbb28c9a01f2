import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { eventNames } from '../../sdk/webhooks/events.ts';
import { brand } from '../../shared/brand.ts';
import { rows } from '../../shared/reading/rows.ts';
import { asInThePackage } from '../../tools/build/sdk.ts';
import { withoutTexts } from '../../tools/build/withoutTexts.ts';
import { mustRun, runCommand } from '../../tools/process/command.ts';
import { majors, nodeOf } from '../support/node.ts';
import { root } from '../../tools/root.cjs';
import { until } from '../support/until.ts';
import { complaintsAbout, Installed, sentenceOf } from './installed.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let installed: Installed;
beforeAll(async () => void ([stage, installed] = [await Stage.open(), await Installed.open()]));
afterAll(async () => {
  await installed.close();
  await stage.close();
});

const tool = (...path: string[]): string => join(root, 'node_modules', ...path);
const inTarball = (...path: string[]): string => join(installed.folder, 'node_modules', installed.name, ...path);

describe('the tarball', () => {
  test('is found by Node.js, bundlers and compilers as its manifest says (publint)', async () => {
    const args = [tool('publint', 'src', 'cli.js'), installed.packed.tarball, '--strict'];
    expect(await runCommand(process.execPath, args, { cwd: root })).toMatchObject({
      code: 0,
      output: expect.stringContaining('All good!') as string,
    });
  });

  test('has correct types for ES modules and for CommonJS, in every entry', async () => {
    // The strictest profile: also for compilers that do not read `exports` (`moduleResolution: node10`).
    const args = [
      tool('@arethetypeswrong', 'cli', 'dist', 'index.js'),
      installed.packed.tarball,
      '--profile',
      'strict',
      '--format',
      'json',
    ];
    const { code, output } = await runCommand(process.execPath, args, { cwd: root });
    const { analysis, problems = {} } = JSON.parse(output) as { analysis: { entrypoints: object }; problems?: object };
    expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(['./operations', './oauth', './changes']));
    expect([code, problems]).toEqual([0, {}]);
  });

  test('depends on nothing, runs no install script, and includes its licence and its program', async () => {
    const manifest = JSON.parse(await readFile(inTarball('package.json'), 'utf8')) as Record<string, Record<string, string>>;
    for (const key of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts']) expect(manifest).not.toHaveProperty(key);
    expect(await readFile(inTarball('LICENSE'), 'utf8')).toContain('MIT License');
    expect((await readFile(installed.program, 'utf8')).startsWith('#!/usr/bin/env node\n')).toBe(true);
    const files: string[] = [];
    for await (const file of glob('dist/**/*', { cwd: inTarball() }))
      if (/\.c?[jt]s$/.test(file)) files.push(await readFile(inTarball(file), 'utf8'));
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((text) => /(?:from|import|require\()\s*['"](?:zod|@)/.test(text))).toEqual([]);
  });
});

test('an error that nobody catches is printed under its own name, with the names of the wrong fields', async () => {
  const call = `createClient({ auth: 'token' }).bookings.get({ booking_id: '..' })`;
  const file = await installed.write('fails.mjs', `import { createClient } from 'our-package';\nawait ${call};\n`);
  const { code, output } = await runCommand(process.execPath, [file], { cwd: installed.folder });
  expect(code).toBe(1);
  expect(output).toMatch(/^ServiceError: "Booking" must be an ID alone/m);
  expect(output).toContain("field: 'booking_id'");
});

test.each([
  ['createClient', '', 162],
  ['createClientOf, createBooking, listBookings', '/operations', 144],
  ['createClientOf, createBooking, listEventTypes', '/operations', 136],
  ['createClientOf, listEventTypes', '/operations', 111],
  ['createOAuth', '/oauth', 38],
  ['createReceiver', '/webhooks', 76],
  ['createPoller', '/changes', 98],
  ['sqlStores', '/stores', 27],
  ['signedDelivery', '/testing', 13],
])('{ %s } of our-package%s in a browser has nothing of Node.js, and at most %d KB', async (what, name, most) => {
  const { outputFiles, warnings } = await build({
    entryPoints: [await installed.write('bundled.js', `export { ${what} } from 'our-package${name}';\n`)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
    write: false,
  });
  expect(warnings).toEqual([]);
  expect(outputFiles.map(({ text }) => text).join('')).not.toMatch(/HTTPS_PROXY"|getBuiltinModule\("node:(?!crypto)/);
  expect(outputFiles.reduce((sum, { contents }) => sum + contents.length, 0)).toBeLessThanOrEqual(most * 1024);
});

test.each([
  ['index', 5, 340],
  ['webhooks', 2, 142],
  ['oauth', 4, 251],
  ['stores', 4, 254],
  ['changes', 4, 278],
])('Node.js opens %s and at most %d files in all, of %d KB', async (entry, mostFiles, mostKilobytes) => {
  const opened = new Set([`${entry}.js`]);
  let bytes = 0;
  for (const file of opened) {
    const text = await readFile(inTarball('dist', file), 'utf8');
    bytes += Buffer.byteLength(text);
    for (const [, next = ''] of text.matchAll(/^(?:import .*)?} from "(?:\.\/|#)([^"]+?)(?:\.js)?";$/gm)) opened.add(`${next}.js`);
  }
  expect([...opened]).toContain('core.js');
  expect(opened.size).toBeLessThanOrEqual(mostFiles);
  expect(bytes).toBeLessThanOrEqual(mostKilobytes * 1024);
});

test('the table of forms in the package is the one of the core, but for who has a form, and why', async () => {
  const contents = `import { rows } from './rows.ts'; console.log(JSON.stringify(rows));`;
  const stdin = { contents, resolveDir: join(root, 'shared', 'reading') };
  const { outputFiles } = await build({ ...asInThePackage, stdin, bundle: true, format: 'esm', write: false, plugins: [withoutTexts] });
  const printed = await mustRun(process.execPath, ['--input-type=module', '--eval', outputFiles[0]?.text ?? ''], { cwd: root });
  expect(JSON.parse(printed)).toEqual(rows.map(({ who: _, gap: _gap, ...row }) => row));
});

describe.each(majors)('on Node.js %d', (major) => {
  test.each([
    ['as an ES module', 'use.mjs', 'import'],
    ['as CommonJS', 'use.cjs', 'require'],
  ] as const)('is loaded %s with all of its parts, and calls the service', async (_, file, load) => {
    const node = await nodeOf(major);
    const others = ['node', 'stores'].map((name) =>
      load === 'import' ? `import 'our-package/${name}';` : `require('our-package/${name}');`,
    );
    const path = await installed.write(file, `${others.join('\n')}\n${programUsing(stage, load)}\nmain().then(console.log);\n`);
    expect(await mustRun(node, ['--version'], { cwd: installed.folder })).toMatch(new RegExp(`^v${major}\\.`));
    const { output } = await runCommand(node, [path], { cwd: installed.folder, env: { NODE_OPTIONS: '' } });
    expect(output.trim()).toBe(stage.sandbox.account.email);
  });
});

test('npm installs it from its tarball without a registry, and its command line runs', async () => {
  const folder = join(installed.folder, 'own');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "name": "own", "version": "1.0.0" }');
  await mustRun('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', installed.packed.tarball], { cwd: folder });
  const bin = join(folder, 'node_modules', '.bin', installed.name);
  expect((await runCommand(bin, ['--help'], { cwd: folder })).output).toContain(`${installed.name} bookings create`);
});

describe('the installed command line', () => {
  test('a result that cannot be written is no success', async () => {
    const env = { ...process.env, SCHEDULING_BASE_URL: stage.sandbox.baseUrl, SCHEDULING_ACCESS_TOKEN: stage.token(), NODE_OPTIONS: '' };
    const child = spawn('bash', ['-c', `'${process.execPath}' '${installed.program}' users current > /dev/full`], { env });
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
    expect([await once(child, 'close'), said]).toEqual([[1, null], 'The output could not be written (ENOSPC).\n']);
  });

  test.each(['SIGINT', 'SIGHUP', 'nobody reads its output any more'] as const)(
    '`listen` ends quietly, and leaves no subscription behind, when it is stopped or its terminal is closed: %s',
    async (reason) => {
      const given = { SCHEDULING_BASE_URL: stage.sandbox.baseUrl, SCHEDULING_ACCESS_TOKEN: stage.token(), NODE_OPTIONS: '' };
      const child = spawn(process.execPath, [installed.program, 'listen', '--port', '0', '--events', 'BOOKING_CREATED'], {
        env: { ...process.env, ...given },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
      await until(() => said.includes('Listening at') || child.exitCode !== null);
      child.stdout.destroy();
      if (reason.startsWith('SIG')) child.kill(reason as NodeJS.Signals);
      else stage.sandbox.host.book();
      const [code] = (await once(child, 'close')) as [number | null];
      expect([code, said.trim().split('\n')]).toEqual([0, [expect.stringMatching(/^Listening at /)]]);
      expect(stage.sandbox.subscriptions()).toEqual([]);
    },
  );
});

const head = `import { createClient, isServiceError } from 'our-package';
import { createPoller, type ChangeEvent } from 'our-package/changes';
import { createClientOf, getBooking, listBookings, listContacts } from 'our-package/operations';
import { createReceiver, type WebhookEvent } from 'our-package/webhooks';
const client = createClient({ auth: 'token' });
const picked = createClientOf({ auth: 'token' }, [listBookings, listContacts, getBooking]);
void createPoller({ client: picked, store: null! });
declare const receiver: ReturnType<typeof createReceiver>, poller: ReturnType<typeof createPoller>, event: WebhookEvent;
const handle = ({ event, record, change_key }: ChangeEvent): void => void [event, record.id, change_key];
`;

/** What may be there or not, such as a setting of the environment, is passed on as it is. */
const perhaps = `type Perhaps<Given> = Given extends unknown ? { [Key in keyof Given]: {} extends Pick<Given, Key> ? Given[Key] | undefined : Given[Key] } : never;
type All = [import('our-package').ClientOptions, import('our-package').CallOptions, import('our-package').CreateBookingInput,
  import('our-package/changes').PollerOptions, import('our-package/changes').RunOptions, import('our-package/oauth').Application,
  import('our-package/oauth').Tokens, import('our-package/stores').SqlOptions, import('our-package/testing').TestDeliveryOptions,
  import('our-package/webhooks').ReceiverOptions, import('our-package/webhooks').WantedSubscription];
type Each<Of> = { [At in keyof Of]: Perhaps<Of[At]> };
declare const given: Each<All>;
const taken: All = given;
void taken;
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
  for await (const { id, start_time } of picked.bookings.list({ status: 'PENDING' })) days.push(id + (start_time ?? ''));
  const email: string | null | undefined = (await picked.contacts.list().first())?.email ?? (await picked.bookings.get({ booking_id: 'b' })).invitee_email;
  return [email, status, days, signing_secret.length, isDone, first?.id, (await client.users.current()).timezone];
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
  ["picked.bookings.cancel({ booking_id: 'b' });", 'an operation that was not chosen'],
  ['picked.contacts.get;', 'an operation of another resource that was not chosen'],
  ["createPoller({ client: { token: 'x' }, store: null! });", 'no client'],
  ["createClientOf({ auth: 'token' }, ['listBookings']);", 'a name in place of an operation'],
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
declare const welcome: (booking: { invitee_email?: string | null }) => void;
declare const stores: ReturnType<typeof import('our-package/stores').sqliteStores>;
const { claims, changes } = stores;
`;
const readme = readFileSync(join(root, 'sdk', 'README.md'), 'utf8').replaceAll(brand.slug, 'our-package');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);

test('the compiler takes correct code, also in CommonJS, and every example of the README; and it refuses what is wrong', async () => {
  const own = (text: string): string => (text.includes('const client =') ? '' : "declare const client: import('our-package').Client;\n");
  const files: [name: string, text: string][] = [
    ['right.mts', head + right],
    ['right.cts', head + right],
    ['perhaps.mts', perhaps],
    [
      'wrong.mts',
      `${head}const never = (left: never): void => void left;\n${wrong.map(([code]) => `// @ts-expect-error\n${code}`).join('\n')}`,
    ],
    ...examples.map((text, index): [string, string] => [`example${index}.mts`, surroundings + own(text) + text]),
  ];
  const paths: string[] = [];
  for (const [name, text] of files) paths.push(await installed.write(name, `${text}\nexport {};\n`));
  const stricter = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] };
  const complaints = complaintsAbout(paths, stricter).map((each) => {
    const line = each.file?.text.slice(each.start ?? 0).split('\n')[1];
    return [each.file?.fileName, wrong.find(([code]) => code === line)?.[1], sentenceOf(each)];
  });
  expect([complaints, examples.length]).toEqual([[], 5]);
});

test('the programs of the README and the guide are strict TypeScript too', async () => {
  const programs = ['README.md', 'docs/use/code.md'].flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(([, text = '']) => text),
  );
  const paths = await Promise.all(
    programs.map((text, index) => installed.write(`guide${index}.mts`, text.replaceAll(brand.slug, 'our-package'))),
  );
  const types = { types: ['node'], typeRoots: [join(root, 'node_modules', '@types')], skipLibCheck: true };
  expect([complaintsAbout(paths, types).map(sentenceOf), programs.length]).toEqual([[], 3]);
});

/** The beginning of a program that has installed the package: `main` uses each part of it, and gives the email of the account. */
function programUsing(stage: Stage, load: 'import' | 'require'): string {
  const entries = [
    ['createClient, ServiceError', 'our-package'],
    ['createOAuth', 'our-package/oauth'],
    ['createPoller, memoryStore', 'our-package/changes'],
    ['keepSubscription', 'our-package/webhooks'],
  ].map(([names, from]) => (load === 'import' ? `import { ${names} } from '${from}';` : `const { ${names} } = require('${from}');`));
  return `${entries.join('\n')}
const main = async () => {
  const client = createClient({ auth: ${JSON.stringify(stage.token())}, baseUrl: ${JSON.stringify(stage.sandbox.baseUrl)} });
  const { attempt } = await createOAuth(${JSON.stringify(stage.application)}).begin();
  const failure = await client.bookings.get({ booking_id: 'bkg_none' }).catch((error) => error);
  if (!(failure instanceof ServiceError) || attempt.length < 40) throw new Error('wrong');
  const refused = await keepSubscription(client, { url: 'https://a.example', events: [], store: memoryStore() }).catch((error) => error);
  if (!(refused instanceof ServiceError)) throw refused;
  let upcoming = 0;
  const poller = createPoller({ client, store: memoryStore(), upcomingAtFirst: true }).on('BOOKING_CREATED', () => (upcoming += 1));
  const { handled } = await poller.poll();
  if (handled === 0 || handled !== upcoming || (await poller.poll()).handled !== 0) throw new Error('wrong: ' + handled);
  return (await client.users.current()).email;
};`;
}
