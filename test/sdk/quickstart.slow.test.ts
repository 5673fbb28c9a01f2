import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { builtPackage } from '../../tools/build/products.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { oldest } from '../support/node.ts';
import { root } from '../../tools/root.cjs';
import { commandBlocks } from '../docs/guides.ts';
import { Reader, signIn } from '../support/reader.ts';
import { until } from '../support/until.ts';
import { typeNamed } from '../contract/fixtures.ts';
import { listOf } from '../support/wire.ts';

const path = 'docs/use/code.md';
const commands = commandBlocks.filter((block) => block.path === path).flatMap((block) => block.commands);
const command = (part: string): string => {
  const found = commands.find((each) => each.includes(part));
  if (found === undefined) throw new Error(`${path} has no command with '${part}'.`);
  return found;
};

let tarball: string;
beforeAll(async () => void ({ tarball } = await builtPackage('sdk')));

describe(`followed with Node.js ${oldest} in an empty home folder`, () => {
  let reader: Reader;
  let sandbox: Sandbox;
  let own: string;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    [reader, sandbox] = [await Reader.with(oldest), await startSandbox()];
    own = join(reader.home, 'own');
    await mkdir(own);
  });
  afterAll(async () => {
    for (const child of children) end(child, 'SIGKILL');
    await sandbox.stop();
    await reader.close();
  });

  /** Ends what runs in a terminal, like Ctrl-C: npx, and everything it has started. */
  function end({ pid = 0, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
    if (exitCode === null && signalCode === null) process.kill(-pid, signal);
  }

  /**
   * Starts a command that keeps running.
   * @returns what it has printed so far
   */
  function start(line: string, more: Record<string, string> = {}): { child: ChildProcess; said: () => string } {
    const env = { ...reader.env, ...more };
    const child = spawn('bash', ['-c', `exec ${line}`], { cwd: own, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    children.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
    child.once('close', () => (said += 'It has ended.'));
    return { child, said: () => said };
  }

  test('the package is installed, and an account connected by a person who types the id and the secret', async () => {
    await reader.must(command('npm install').replace(/(npm install) \S+/, `$1 '${tarball}'`), own);
    expect(await reader.must('node --version', own)).toMatch(new RegExp(`^v${oldest}\\.`));
    const said = await signIn(reader, sandbox, command(' login'), own, { SCHEDULING_BASE_URL: sandbox.baseUrl });
    const file = /saved in (\S[^]*?), which only your user can read/.exec(said.replace(/\r?\n/g, ''))?.[1] ?? '';
    expect(file).toContain(reader.home);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('its two programs book and receive, and the command line lists the booking and prints the next one', async () => {
    const guide = await readFile(join(root, path), 'utf8');
    const [book = '', receive = ''] = [...guide.matchAll(/```js\n([^]*?)```/g)].map(([, text = '']) => text);
    await writeFile(join(own, 'book.mjs'), book);
    await writeFile(join(own, 'receive.mjs'), receive);
    const port = await freePort();
    const receiver = start('node receive.mjs', { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}/` });
    await until(() => /receiving at|It has ended/.test(receiver.said()));
    const [, id = ''] = /^(\S+) CONFIRMED\n$/.exec(await reader.must('node book.mjs', own)) ?? [];
    expect(sandbox.bookings().map((each) => each.id)).toContain(id);
    await expect(reader.must('node book.mjs', own)).rejects.toThrow(
      /^[^\n]*(?:\n[^\n]*)?That time is not free for this event type: [^\n]*\n*$/,
    );
    await until(() => receiver.said().includes('booked') || receiver.said().includes('It has ended'));
    expect(receiver.said()).toContain(`booked ${id} Ada Lovelace`);

    const listed = JSON.parse(await reader.must(command('bookings list'), own)) as { id: string }[];
    expect(listed.map((each) => each.id)).toContain(id);

    const listen = start(`${command(' listen ')} --port 0`);
    await until(() => listen.said().includes('Listening at') || listen.said().includes('It has ended'));
    const next = sandbox.host.book().id;
    await until(() => listen.said().includes(`BOOKING_CREATED ${next}`) || listen.said().includes('It has ended'));
    end(listen.child, 'SIGINT');
    await until(() => listen.said().includes('It has ended'));
    expect(sandbox.subscriptions().map(({ url }) => url)).toEqual([`http://127.0.0.1:${port}/`]);
    end(receiver.child, 'SIGINT');
    await until(() => receiver.said().includes('It has ended'));
    expect(sandbox.subscriptions()).toEqual([]);
  });

  test('the program of the README books, and a person who has nothing that can be booked at once is told so in a line', async () => {
    const [, text = ''] = /```js\n([^]*?)```/.exec(await readFile(join(root, 'README.md'), 'utf8')) ?? [];
    await writeFile(join(own, 'first.mjs'), text);
    const [, id = ''] = /^(\S+) CONFIRMED\n$/.exec(await reader.must(`node first.mjs ${typeNamed(sandbox, 'Coffee Chat').id}`, own)) ?? [];
    expect(sandbox.bookings().map((each) => each.id)).toContain(id);
    expect(
      text
        .trim()
        .split('\n')
        .filter((line) => line !== '').length,
    ).toBeLessThanOrEqual(12);
    sandbox.faults.add({ route: 'GET /v1/event-types', kind: 'status', status: 200, body: listOf([]) });
    await expect(reader.must('node book.mjs', own)).rejects.toThrow(/Error: Every event type needs approval or answers[^\n]*\n*$/);
  });
});
