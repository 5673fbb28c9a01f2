import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { freePort } from '../../tools/process/freePort.ts';
import { mustRun, runCommand } from '../../tools/process/command.ts';
import { majors, nodeOf } from '../../tools/rigs/node.ts';
import { root } from '../../tools/root.cjs';
import { tarballOf } from '../support/tarball.ts';
import { until } from '../support/until.ts';
import { Installed } from './installed.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let installed: Installed;
beforeAll(async () => {
  stage = await Stage.open();
  installed = await Installed.open();
});
afterAll(async () => {
  await installed.close();
  await stage.close();
});

const program = (load: string): string => `${load}
const main = async () => {
  const client = createClient({ auth: ${JSON.stringify(stage.token())}, baseUrl: ${JSON.stringify(stage.sandbox.baseUrl)} });
  const { attempt } = await createOAuth(${JSON.stringify(stage.application)}).begin();
  const failure = await client.bookings.get({ booking_id: 'bkg_none' }).catch((error) => error);
  if (!(failure instanceof ServiceError) || attempt.length < 40) throw new Error('wrong');
  let upcoming = 0;
  const poller = createPoller({ client, store: memoryStore(), upcomingAtFirst: true }).on('BOOKING_CREATED', () => (upcoming += 1));
  const { taken } = await poller.poll();
  if (taken === 0 || taken !== upcoming || (await poller.poll()).taken !== 0) throw new Error('wrong: ' + taken);
  return (await client.users.current()).email;
};
`;

const esm =
  "import { createClient, ServiceError } from 'our-package';\nimport { createOAuth } from 'our-package/oauth';\nimport 'our-package/node';\nimport 'our-package/webhooks';\nimport { createPoller, memoryStore } from 'our-package/changes';\n";
const cjs =
  "const { createClient, ServiceError } = require('our-package');\nconst { createOAuth } = require('our-package/oauth');\nrequire('our-package/node');\nrequire('our-package/webhooks');\nconst { createPoller, memoryStore } = require('our-package/changes');\n";

describe.each(majors)('on Node.js %d', (major) => {
  test.each([
    ['as an ES module', 'use.mjs', esm],
    ['as CommonJS', 'use.cjs', cjs],
  ])('is loaded %s and calls the service', async (_, file, load) => {
    const node = await nodeOf(major);
    const path = await installed.write(file, `${program(load)}main().then(console.log);\n`);
    expect(await mustRun(node, ['--version'], { cwd: installed.folder })).toMatch(new RegExp(`^v${major}\\.`));
    const { output } = await runCommand(node, [path], { cwd: installed.folder, env: { NODE_OPTIONS: '' } });
    expect(output.trim()).toBe(stage.sandbox.account.email);
  });

  test('its command line runs', async () => {
    const node = await nodeOf(major);
    const env = { SCHEDULING_ACCESS_TOKEN: stage.token(), SCHEDULING_BASE_URL: stage.sandbox.baseUrl, NODE_OPTIONS: '' };
    const { output, code } = await runCommand(node, [installed.program, 'users', 'current', '--json'], { cwd: installed.folder, env });
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ email: stage.sandbox.account.email });
  });
});

test('npm installs it from its tarball, with the current zod and with an older one', async () => {
  const zods = [
    join(root, 'node_modules', 'zod'),
    await realpath(join(root, 'node_modules', '@modelcontextprotocol', 'core', 'node_modules', 'zod')),
  ];
  const versions: string[] = [];
  for (const zod of zods) {
    const folder = join(installed.folder, `own-${versions.length}`);
    await mkdir(folder);
    // Without a registry, so zod comes from a tarball as well.
    const tarballs = [await tarballOf(zod, folder), installed.packed.tarball];
    const { version } = JSON.parse(await readFile(join(zod, 'package.json'), 'utf8')) as { version: string };
    versions.push(version);
    await writeFile(join(folder, 'package.json'), '{ "name": "own", "version": "1.0.0" }');
    await mustRun('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
    const text = `${program(esm)}main().then(console.log);\n`.replaceAll('our-package', installed.name);
    const { output } = await runCommand(process.execPath, ['--input-type=module', '--eval', text], { cwd: folder });
    expect(output.trim()).toBe(stage.sandbox.account.email);
    const bin = join(folder, 'node_modules', '.bin', installed.name);
    expect((await runCommand(bin, ['--help'], { cwd: folder })).output).toContain(`${installed.name} bookings create`);
  }
  expect(versions.map((version) => version.split('.')[0])).toEqual(['3', '4']);
});

/** The runtime's own program, from the package for this system. */
function workerd(): string {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as 'linux'];
  return join(root, 'node_modules', '@cloudflare', `workerd-${system}-${process.arch === 'arm64' ? 'arm64' : '64'}`, 'bin', 'workerd');
}

describe('in the runtime of a worker', () => {
  const children: ChildProcess[] = [];
  afterEach(() => void children.splice(0).forEach((child) => child.kill('SIGKILL')));

  test('calls the service, starts connecting an account and gives up a call, with nothing of Node.js', async () => {
    const load =
      "import { createClient, ServiceError } from 'our-package';\nimport { createOAuth } from 'our-package/oauth';\nimport * as webhooks from 'our-package/webhooks';\nimport { createPoller, memoryStore } from 'our-package/changes';\n";
    const given = `${program(load)}
const gone = async () => {
  const client = createClient({ auth: 'token', baseUrl: ${JSON.stringify(stage.sandbox.baseUrl)} });
  return client.users.current({}, { signal: AbortSignal.abort(new Error('not wanted')) }).catch(({ message }) => message);
};
export default { fetch: async () => Response.json([await main(), await gone(), typeof webhooks.createReceiver]) };
`;
    const entry = await installed.write('worker.mjs', given);
    const outfile = join(installed.folder, 'bundled.js');
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['worker'],
    });
    const port = await freePort();
    const config = await installed.write(
      'worker.capnp',
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "bundled.js", esModule = embed "bundled.js")], compatibilityDate = "2025-01-01")),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
    );
    const child = spawn(workerd(), ['serve', config], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
    const answer = await until(async () => {
      if (child.exitCode !== null) throw new Error(said);
      return fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    });
    const text = await answer.text();
    expect(`${text}${answer.ok ? '' : said}`).toBe(JSON.stringify([stage.sandbox.account.email, 'not wanted', 'function']));
  });
});
