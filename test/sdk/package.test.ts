import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { mustRun, runCommand } from '../../tools/process/command.ts';
import { majors, nodeOf } from '../../tools/rigs/node.ts';
import { startWorker, type Worker } from '../../tools/rigs/worker.ts';
import { root } from '../../tools/root.cjs';
import { tarballOf } from '../support/tarball.ts';
import { until } from '../support/until.ts';
import { raw, statusIn } from './deliveries.ts';
import { Installed } from './installed.ts';
import { programUsing, Stage } from './stage.ts';

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
  test('passes publint', async () => {
    const args = [tool('publint', 'src', 'cli.js'), installed.packed.tarball, '--strict'];
    expect(await runCommand(process.execPath, args, { cwd: root })).toMatchObject({
      code: 0,
      output: expect.stringContaining('All good!') as string,
    });
  });

  test('has correct types for ES modules and for CommonJS, in every entry', async () => {
    const args = [
      tool('@arethetypeswrong', 'cli', 'dist', 'index.js'),
      installed.packed.tarball,
      '--profile',
      'node16',
      '--format',
      'json',
    ];
    const { code, output } = await runCommand(process.execPath, args, { cwd: root });
    const { analysis, problems = {} } = JSON.parse(output) as {
      analysis: { entrypoints: object };
      problems?: Record<string, { resolutionKind: string }[]>;
    };
    expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(['./oauth', './changes']));
    // Packages no longer need to support how Node.js worked before it knew `exports`.
    const right = (found: { resolutionKind: string }[]): boolean => found.every(({ resolutionKind }) => resolutionKind === 'node10');
    expect([code, Object.entries(problems).filter(([, found]) => !right(found))]).toEqual([0, []]);
  });

  test('depends only on zod, which its types do not mention, runs no install script, and includes its licence and its program', async () => {
    const manifest = JSON.parse(await readFile(inTarball('package.json'), 'utf8')) as Record<string, Record<string, string>>;
    expect(Object.keys(manifest['dependencies'] ?? {})).toEqual(['zod']);
    expect(manifest).not.toHaveProperty('scripts');
    expect(await readFile(inTarball('LICENSE'), 'utf8')).toContain('MIT License');
    expect((await readFile(installed.program, 'utf8')).startsWith('#!/usr/bin/env node\n')).toBe(true);
    const types: string[] = [];
    for await (const file of glob('dist/types/**/*.d.ts', { cwd: inTarball() })) types.push(await readFile(inTarball(file), 'utf8'));
    expect(types.length).toBeGreaterThan(10);
    expect(types.filter((text) => /from 'zod/.test(text))).toEqual([]);
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
  ['', 'createClient'],
  ['/oauth', 'createOAuth'],
  ['/webhooks', 'createReceiver'],
  ['/changes', 'createPoller'],
  ['/stores', 'sqlStores'],
  ['/testing', 'signedDelivery'],
])('our-package%s has nothing of Node.js, and at most 96 KB without zod', async (name, what) => {
  const { outputFiles } = await build({
    entryPoints: [await installed.write('bundled.js', `export { ${what} } from 'our-package${name}';\n`)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    external: ['zod/v4'],
    write: false,
  });
  expect(outputFiles.reduce((sum, { contents }) => sum + contents.length, 0)).toBeLessThanOrEqual(96 * 1024);
});

describe.each(majors)('on Node.js %d', (major) => {
  test.each([
    ['as an ES module', 'use.mjs', 'import'],
    ['as CommonJS', 'use.cjs', 'require'],
  ] as const)('is loaded %s with all of its parts, and calls the service', async (_, file, load) => {
    const node = await nodeOf(major);
    const others = ['node', 'webhooks', 'stores'].map((name) =>
      load === 'import' ? `import 'our-package/${name}';` : `require('our-package/${name}');`,
    );
    const path = await installed.write(file, `${others.join('\n')}\n${programUsing(stage, load)}\nmain().then(console.log);\n`);
    expect(await mustRun(node, ['--version'], { cwd: installed.folder })).toMatch(new RegExp(`^v${major}\\.`));
    const { output } = await runCommand(node, [path], { cwd: installed.folder, env: { NODE_OPTIONS: '' } });
    expect(output.trim()).toBe(stage.sandbox.account.email);
  });
});

test('npm installs it from its tarball with the next major version of zod as well, and its command line runs', async () => {
  const zod = await realpath(tool('@modelcontextprotocol', 'core', 'node_modules', 'zod'));
  expect(JSON.parse(await readFile(join(zod, 'package.json'), 'utf8'))).toMatchObject({
    version: expect.stringMatching(/^4\./) as unknown,
  });
  const folder = join(installed.folder, 'own');
  await mkdir(folder);
  // Without a registry, so zod comes from a tarball as well.
  const tarballs = [await tarballOf(zod, folder), installed.packed.tarball];
  await writeFile(join(folder, 'package.json'), '{ "name": "own", "version": "1.0.0" }');
  await mustRun('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
  const text = `${programUsing(stage, 'import')}\nmain().then(console.log);\n`.replaceAll('our-package', installed.name);
  const { output } = await runCommand(process.execPath, ['--input-type=module', '--eval', text], { cwd: folder });
  expect(output.trim()).toBe(stage.sandbox.account.email);
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

describe('in a worker, which has nothing of Node.js,', () => {
  let worker: Worker;
  beforeAll(async () => {
    const entry = await installed.write(
      'worker.mjs',
      `${programUsing(stage, 'import')}
import { createReceiver, fetchHandler } from 'our-package/webhooks';
const given = () => {
  const client = createClient({ auth: 'token', baseUrl: ${JSON.stringify(stage.sandbox.baseUrl)} });
  return client.users.current({}, { signal: AbortSignal.abort(new Error('not wanted')) }).catch(({ message }) => message);
};
const deliveries = fetchHandler(createReceiver({ subscription: undefined, bodyMs: 200 }));
export default {
  async fetch(request) {
    if (new URL(request.url).pathname === '/client') return Response.json([await main(), await given()]);
    return deliveries(request);
  },
};
`,
    );
    worker = await startWorker(entry);
  });
  afterAll(() => worker.stop());

  test('it calls the service, starts connecting an account, polls, and gives up a call', async () => {
    const answer = await fetch(`${worker.origin}/client`);
    expect(await answer.text()).toBe(JSON.stringify([stage.sandbox.account.email, 'not wanted']));
  });

  test('it answers 408 for a body that stops arriving', async () => {
    const begun = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{"event":';
    expect(statusIn(await raw(worker.origin, begun, { isOpen: true }))).toBe(408);
  });
});
