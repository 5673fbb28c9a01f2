import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { builtPackage } from '../../tools/build/products.ts';
import { runCommand, type CommandResult } from '../../tools/process/command.ts';
import { Program } from '../../tools/process/program.ts';
import { majors, nodeOf, oldest } from '../support/node.ts';
import { root } from '../../tools/root.cjs';
import { complaintsAbout, Installed, sentenceOf } from '../sdk/installed.ts';
import { until } from '../support/until.ts';

/** An empty folder with the tarballs of the package for developers and of the sandbox, and a developer's own test runner. */
let installed: Installed;
let own: string;
let name: string;
beforeAll(async () => {
  installed = await Installed.open();
  own = await installed.withSandbox();
  name = basename(own);
  for (const runner of ['jest', 'vitest', '@types/node']) await installed.with(runner);
});
afterAll(() => installed.close());

const tool = (...path: string[]): string => join(root, 'node_modules', ...path);

/** The test that a developer writes. */
const body = `
let sandbox, server, subscription, client;
const received = [];
beforeAll(async () => {
  sandbox = await startSandbox();
  client = createClient({ auth: sandbox.accessToken, baseUrl: sandbox.baseUrl });
  const receiver = createReceiver({ subscription: () => subscription });
  receiver.on('BOOKING_CREATED', ({ record }) => received.push(record.invitee_email));
  server = createServer(nodeHandler(receiver)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(async () => {
  received.length = 0;
  await sandbox.reset();
  const url = 'http://127.0.0.1:' + server.address().port + '/';
  subscription = await client.subscriptions.create({ url, events: ['BOOKING_CREATED'] });
});
afterAll(async () => {
  server.close();
  await sandbox[Symbol.asyncDispose]();
});

const wanted = () => ({
  event_type_id: sandbox.eventTypes().find((type) => type.name === 'Coffee Chat').id,
  start_time: '2041-03-04T09:00:00Z',
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
});

test('a booking of the application, and one of an invitee, arrive signed and are verified', async () => {
  await client.bookings.create(wanted());
  sandbox.host.book({ invitee_email: 'grace@example.com' });
  await sandbox.settled();
  expect(received.sort()).toEqual(['ada@example.com', 'grace@example.com']);
  expect(sandbox.deliveries().map(({ signed, status }) => [signed, status])).toEqual([[true, 'delivered'], [true, 'delivered']]);
});

test('the same time is free again, and a lost answer books once', async () => {
  sandbox.fail({ route: 'POST /v1/bookings', kind: 'drop-after' });
  const { id } = await client.bookings.create(wanted());
  expect(await client.bookings.list({ email: 'ada@example.com' }).all()).toMatchObject([{ id }]);
});
`;

const used = [
  ['{ once }', 'node:events'],
  ['{ createServer }', 'node:http'],
  ['{ createClient }', 'our-package'],
  ['{ createReceiver, nodeHandler }', 'our-package/webhooks'],
  ['{ startSandbox }', 'our-package-sandbox'],
] as const;

describe.each(majors.filter((major) => major >= 22).slice(0, 1))('with Node.js %d', (major) => {
  let node: string;
  beforeAll(async () => void (node = await nodeOf(major)));

  test("a developer's test books, receives and verifies in jest", async () => {
    await mkdir(join(installed.folder, 'jest'), { recursive: true });
    const head = used.map(([names, from]) => `const ${names} = require('${from}');`).join('\n');
    await installed.write('jest/booking.test.cjs', head + body);
    const args = [tool('jest', 'bin', 'jest.js'), '--rootDir', join(installed.folder, 'jest'), '--testMatch', '**/*.cjs'];
    expect(await runCommand(node, args, { cwd: installed.folder, env: alone })).toMatchObject(passed(/Tests: +2 passed, 2 total/));
  });

  test("a developer's test books, receives and verifies in vitest", async () => {
    await mkdir(join(installed.folder, 'vitest'), { recursive: true });
    const head = [['{ afterAll, beforeAll, beforeEach, expect, test }', 'vitest'] as const, ...used]
      .map(([names, from]) => `import ${names} from '${from}';`)
      .join('\n');
    await installed.write('vitest/booking.test.mjs', head + body);
    const args = [tool('vitest', 'vitest.mjs'), 'run', '--root', join(installed.folder, 'vitest')];
    expect(await runCommand(node, args, { cwd: installed.folder, env: alone })).toMatchObject(passed(/Tests +2 passed \(2\)/));
  });

  test('the program starts, and ends cleanly on Ctrl-C', async () => {
    const program = new Program(node, [join(own, 'dist', 'main.cjs'), '--port', '0', '--data', ':memory:'], { cwd: installed.folder });
    const page = await until(() => /Host page +(\S+)/.exec(program.said())?.[1]);
    expect(await (await fetch(page)).text()).toContain('/host/assets/');
    expect(await program.stop('SIGINT')).toBe(0);
  });
});

/** The runners of this project tell what they start about themselves. */
const alone = { NODE_OPTIONS: undefined, JEST_WORKER_ID: undefined, NODE_ENV: undefined, NO_COLOR: '1', FORCE_COLOR: undefined };

const passed = (summary: RegExp): CommandResult => ({ code: 0, output: expect.stringMatching(summary) as string });

test('Node.js 20 is told what it needs instead', async () => {
  if (oldest >= 22) return;
  const { code, output } = await runCommand(await nodeOf(oldest), [join(own, 'dist', 'main.cjs')], { cwd: installed.folder });
  expect([code, output]).toEqual([1, expect.stringContaining('The sandbox needs Node.js 22.13 or newer. This is v20.')]);
});

test('the help names the program as it is installed', async () => {
  const { output } = await runCommand(process.execPath, [join(own, 'dist', 'main.cjs'), '--help'], { cwd: installed.folder });
  expect(output).toContain(`  npx ${name} [options]\n`);
  expect(output).not.toContain('npm run');
});

test('the tarball needs nothing else, and includes licences, types and what its pages load', async () => {
  const manifest = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as Record<string, unknown>;
  for (const key of ['dependencies', 'scripts']) expect(manifest).not.toHaveProperty(key);
  expect(await readFile(join(own, 'dist', 'LICENSES.txt'), 'utf8')).toContain('hono 4');
  const { tarball } = await builtPackage('sandbox');
  const lint = await runCommand(process.execPath, [tool('publint', 'src', 'cli.js'), tarball, '--strict'], { cwd: root });
  expect([lint.code, lint.output]).toEqual([0, expect.stringContaining('All good!')]);
});

test('its types compile for both kinds of modules, and need none but those of Node.js', async () => {
  const text = `import { startSandbox, type Booking, type Fault } from 'our-package-sandbox';
export async function main(): Promise<Booking> {
  await using sandbox = await startSandbox({ forms: ['email=lower'], log: (line: string) => void line });
  const fault: Fault = { route: 'POST /v1/bookings', kind: 'drop-after' };
  sandbox.fail(fault);
  return sandbox.host.book({ invitee_email: 'ada@example.com' });
}
// @ts-expect-error there is no such kind of fault
export const wrong: Fault = { route: '*', kind: 'nonsense' };
`;
  const files = [await installed.write('use.mts', text), await installed.write('use.cts', text)];
  const types = { types: ['node'], typeRoots: [join(installed.folder, 'node_modules', '@types')] };
  const lib = ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'];
  expect(complaintsAbout(files, { ...types, lib }).map(sentenceOf)).toEqual([]);
});
