import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brand } from '../../shared/brand.ts';
import { n8nTarball } from '../../tools/build/products.ts';
import { root } from '../../tools/root.cjs';
import { startSandbox } from '../../sandbox/service.ts';
import { eachReader } from '../support/reader.ts';
import { commandBlocks } from './guides.ts';

const run = promisify(execFile);
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGTERM');
});

/** Runs a command from a guide to its end, like a shell in the project's folder. */
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

/** What a command of the guides needs in order to run here. Commands are matched by how they begin. */
interface Way {
  matches: RegExp;
  run: (command: string) => Promise<void>;
}

/** A test of its own runs the script. It must exist and name the script. */
const judgedIn = (file: string, script: RegExp) => async (): Promise<void> =>
  expect(readFileSync(join(root, file), 'utf8')).toMatch(script);

/** A new folder for the command to write to. Afterwards it must not be empty. */
async function elsewhere(write: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'written-'));
  try {
    await write(folder);
    expect(await readdir(folder)).not.toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const ways: Way[] = [
  { matches: /^npm start$/, run: judgedIn('test/e2e/start.test.ts', /'tools\/commands\/start\.ts'/) },
  { matches: /^npm run start:queue -- --once$/, run: judgedIn('test/queue/start.test.ts', /'tools\/commands\/start-queue\.ts'/) },
  { matches: /^npm run try:zapier$/, run: judgedIn('test/zapier/archive/main.ts', /'test\/contract\/zapier\.test\.ts'/) },
  { matches: /^npm run check$/, run: judgedIn('test/tools/check.test.ts', /'check\.ts'/) },
  { matches: /^npm (test|run test:fast)( |$)/, run: async () => undefined },
  { matches: /^npm run build$|^npm run probe -- --help$/, run: async (command) => void (await shell(command)) },
  { matches: /^npm run split-n8n -- --to \S+$/, run: judgedIn('test/docs/splitN8n.test.ts', /'split-n8n', \['--to'/) },
  {
    // Beside a project that holds the build's output, and offline, so that nothing else is downloaded, least of all a second n8n.
    matches: /^mkdir -p ~\/\.n8n\/nodes && npm install /,
    run: async (command) => {
      const project = await mkdtemp(join(tmpdir(), 'a project '));
      const tarball = await n8nTarball();
      await cp(tarball, join(project, '.local', 'package', basename(tarball)));
      await eachReader(async (reader) => {
        await reader.must(command, project);
        const installed = await readdir(join(reader.home, '.n8n', 'nodes', 'node_modules'));
        expect(installed.filter((name) => !name.startsWith('.'))).toEqual([`n8n-nodes-${brand.slug}`]);
      });
      await rm(project, { recursive: true });
    },
  },
  {
    matches: /^cd n8n && npm pack$/,
    run: (command) => elsewhere(async (folder) => expect(await shell(`${command} --pack-destination '${folder}'`)).toMatch(/\.tgz\s*$/)),
  },
  {
    matches: /^npm run sandbox -- --forward |127\.0\.0\.1:4010\/host\/api/,
    run: async (command) => {
      const sandbox = await startSandbox();
      try {
        const { port } = new URL(sandbox.origin);
        const printed = await shell(command.startsWith('npm') ? `${command} --port ${port}` : command.replace('4010', port));
        if (command.startsWith('npm')) expect(printed).toContain('is now at 20');
        else expect(printed).not.toContain('error');
        expect(sandbox.faults.waiting()).toHaveLength(command.includes(' -d ') ? 1 : 0);
      } finally {
        await sandbox.stop();
      }
    },
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
    matches: /^npm run example -- --to \S+$/,
    run: (command) => elsewhere((folder) => shell(command.replace(/\S+$/, `'${folder}'`))),
  },
];

/** Each command once, listed under the first document that has it. */
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

it('every command that is not run says why', () => {
  expect(commandBlocks.filter(({ notRun }) => notRun !== undefined && notRun.length < 15)).toEqual([]);
});
