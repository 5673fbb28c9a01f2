import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../tools/process/freePort.ts';
import { root } from '../../tools/root.cjs';
import { startSandbox } from '../../sandbox/service.ts';
import { commandBlocks } from './guides.ts';

const run = promisify(execFile);
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGTERM');
});

/** Runs a command of a guide to its end, as a shell in the project's folder does. */
const shell = async (command: string, env: Record<string, string> = {}): Promise<string> =>
  (await run('bash', ['-c', command], { cwd: root, env: { ...process.env, ...env }, timeout: 280_000, maxBuffer: 16 * 1024 * 1024 }))
    .stdout;

/** Starts a command that stays up, and waits for what it prints once it is ready. */
function up(command: string, ready: string, env: Record<string, string> = {}): Promise<string> {
  const child = spawn('bash', ['-c', `exec ${command}`], { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let printed = '';
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (printed.includes(ready)) resolve(printed);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('exit', (code) => reject(new Error(`'${command}' ended with ${code}:\n${printed}`)));
  });
}

/** What a command of the guides needs to be run here, found by how it begins. */
interface Way {
  matches: RegExp;
  run: (command: string) => Promise<void>;
}

/** A whole test of its own runs the script: there it is, and it names it. */
const judgedIn = (file: string, script: RegExp) => async (): Promise<void> =>
  expect(readFileSync(join(root, file), 'utf8')).toMatch(script);

/** A new folder for what a command is to write; afterwards something must lie there. */
async function elsewhere(write: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'written-'));
  try {
    await write(folder);
    expect(await readdir(folder)).not.toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const application: Record<string, string> = {};

const ways: Way[] = [
  { matches: /^npm start$/, run: judgedIn('test/e2e/start.test.ts', /'tools\/commands\/start\.ts'/) },
  { matches: /^npm run start:queue -- --once$/, run: judgedIn('test/queue/start.test.ts', /'tools\/commands\/start-queue\.ts'/) },
  { matches: /^npm run try:mcp$/, run: judgedIn('test/mcp/tryMcp.test.ts', /drive\/steps\.ts'/) },
  { matches: /^npm run try:zapier$/, run: judgedIn('test/zapier/tryZapier.test.ts', /'\.\/archive\/index\.ts'/) },
  { matches: /^npm run check$/, run: judgedIn('test/tools/check.test.ts', /'check\.ts'/) },
  { matches: /^npm run test:fast$/, run: judgedIn('test/tools/fastTests.test.ts', /'npm run test:fast /) },
  { matches: /^npm test( |$)/, run: async () => undefined },
  { matches: /^npm run build$|^npm run probe -- --help$/, run: async (command) => void (await shell(command)) },
  // What a command writes goes elsewhere: other tests read what lies here.
  { matches: /^npm run docs$/, run: (command) => elsewhere((folder) => shell(`${command} -- --folder '${folder}'`)) },
  { matches: /^npm run split-n8n -- --to \S+$/, run: (command) => elsewhere((folder) => shell(command.replace(/\S+$/, `'${folder}'`))) },
  {
    matches: /^cd n8n && npm pack$/,
    run: (command) => elsewhere(async (folder) => expect(await shell(`${command} --pack-destination '${folder}'`)).toMatch(/\.tgz\s*$/)),
  },
  {
    // On a free port and with fresh data, because the usual ones may be in use.
    matches: /^npm run sandbox/,
    run: async (command) => {
      const printed = await up(`${command}${command.includes(' -- ') ? '' : ' --'} --port 0 --data :memory:`, 'Deliveries:');
      for (const promised of ['Base address', 'Client id', 'Client secret', 'Host page']) expect(printed).toContain(promised);
      const [, redirect] = /--redirect (\S+)/.exec(command) ?? [];
      if (redirect !== undefined) expect(printed).toContain(redirect);
    },
  },
  {
    matches: /^export /,
    run: async (command) => {
      for (const [, name = '', value = ''] of command.matchAll(/(\w+)=(\S+)/g)) application[name] = value;
    },
  },
  {
    matches: /examples\/custom-app\/main\.ts$/,
    run: async (command) => {
      const port = await freePort();
      expect(application).toEqual({ CLIENT_ID: '...', CLIENT_SECRET: '...', BASE_URL: 'http://127.0.0.1:4010/api/v1' });
      expect(
        await up(command, '/connect', {
          ...application,
          PORT: '0',
          PUBLIC_PORT: String(port),
          DATA: join(root, '.local', `custom-app-${port}.json`),
        }),
      ).toContain(`http://127.0.0.1:${port}/callback`);
    },
  },
  {
    matches: /^curl -s http:\/\/127\.0\.0\.1:4030\/event-types$/,
    run: async (command) => {
      const sandbox = await startSandbox();
      try {
        const port = await freePort();
        await up('node tools/run.mjs examples/custom-app/main.ts', '/connect', {
          CLIENT_ID: sandbox.client.id,
          CLIENT_SECRET: sandbox.client.secret,
          BASE_URL: sandbox.baseUrl,
          PORT: String(port),
          PUBLIC_PORT: '0',
          DATA: join(root, '.local', `custom-app-${port}.json`),
        });
        // Nobody is connected yet: it says so in the core's words.
        expect(await shell(command.replace('4030', String(port)))).toContain('Reconnect the account');
      } finally {
        await sandbox.stop();
      }
    },
  },
];

/** Each once, under the first document that has it. */
const runnable = commandBlocks
  .filter(({ notRun }) => notRun === undefined)
  .flatMap(({ path, commands }) => commands.map((command) => ({ path, command })))
  .filter(({ command }, index, all) => all.findIndex((each) => each.command === command) === index);

it.each(runnable)(
  '$path: $command',
  async ({ command }) => {
    const way = ways.find(({ matches }) => matches.test(command));
    if (way === undefined)
      throw new Error(`Nobody knows how to run '${command}' here: add a way, or say above its block why it is not run.`);
    await way.run(command);
  },
  300_000,
);

it('whatever is not run says why', () => {
  expect(commandBlocks.filter(({ notRun }) => notRun !== undefined && notRun.length < 15)).toEqual([]);
});
