/**
 * `npm run try:runtimes` starts the real frameworks, adapters and runtimes of other people, each with the package from its tarball, and
 * delivers to them. They are installed for this alone, from `package.json` in this folder. Exits with 0 only if all of them passed.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brand } from '../../shared/brand.ts';
import { builtPackage } from '../../tools/build/products.ts';
import { runProgram } from '../../tools/commandLine/command.ts';
import { mustRun } from '../../tools/process/command.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { Program } from '../../tools/process/program.ts';
import { startWorker } from '../support/worker.ts';
import { root } from '../../tools/root.cjs';
import { until } from '../support/until.ts';
import { bookingBody, deliver, idIn, subscribed } from '../sdk/deliveries.ts';

const sources = join(root, 'test', 'runtimes');
const folder = join(root, '.local', 'runtimes');
const hosts = join(folder, 'hosts');

/** A program that receives, and what becomes of a delivery at each of its addresses: handled, or told to be sent again, with this advice. */
interface Host {
  name: string;
  /** The packages whose versions are shown. */
  packages: readonly string[];
  paths: Readonly<Record<string, 'handled' | RegExp>>;
  start: (port: number) => Promise<Running> | Running;
}

/** A started host. */
interface Running {
  /** What it has printed. Fails if it has ended. */
  said: () => string;
  stop: () => Promise<unknown>;
}

const environment = (more: object = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  ...{ NODE_OPTIONS: '', SIGNING_SECRET: subscribed.signing_secret, NEXT_TELEMETRY_DISABLED: '1' },
  ...more,
});

function running(program: string, args: readonly string[], port: number, more: object = {}, cwd = hosts): Running {
  const started = new Program(program, args, { cwd, env: environment({ PORT: String(port), ...more }) });
  return { said: () => started.said(), stop: () => started.stop('SIGKILL') };
}

const node =
  (file: string, more: object = {}): Host['start'] =>
  (port) =>
    running(process.execPath, [file], port, more);

const installed = (...path: string[]): string => join(folder, 'node_modules', ...path);

async function startNext(port: number): Promise<Running> {
  const app = join(hosts, 'next');
  const next = installed('next', 'dist', 'bin', 'next');
  const env = environment({ TURBOPACK_ROOT: folder });
  await mustRun(process.execPath, [next, 'build'], { cwd: app, env });
  return running(process.execPath, [next, 'start', '--port', String(port)], port, { TURBOPACK_ROOT: folder }, app);
}

async function startWorkerd(port: number): Promise<Running> {
  const worker = await startWorker(join(hosts, 'worker.js'), { port, env: { SIGNING_SECRET: subscribed.signing_secret } });
  return { said: worker.said, stop: () => worker.stop() };
}

const handled = (...paths: string[]) => Object.fromEntries(paths.map((path) => [path, 'handled'] as const));
const express = { ...handled('/deliveries', '/raw', '/raw-twice', '/text', '/verify'), '/parsed': /In Express, .*In Nest/ };
const web: Host['paths'] = { '/deliveries': 'handled', '/parsed': /json\(\), text\(\) or formData\(\)/ };
const nest = (adapter: string, rawBody: boolean): Host => ({
  name: `Nest on ${adapter}, ${rawBody ? 'with' : 'without'} rawBody`,
  packages: ['@nestjs/core', `@nestjs/platform-${adapter}`],
  paths: { '/deliveries': rawBody ? 'handled' : /In Nest, create the application with \{ rawBody: true \}/ },
  start: node('nest.js', { ADAPTER: adapter, RAW_BODY: String(rawBody) }),
});
const adapters = ['own', 'serverless-http', 'serverless-express', 'fastify-aws-lambda'];
const ways = ['v1', 'v2', 'v1/base64', 'v2/base64'];

const all: readonly Host[] = [
  { name: 'Express 4', packages: ['express-4'], paths: express, start: node('express.js', { EXPRESS: 'express-4' }) },
  { name: 'Express 5', packages: ['express'], paths: express, start: node('express.js', { EXPRESS: 'express' }) },
  {
    name: 'Fastify',
    packages: ['fastify', 'fastify-raw-body'],
    paths: { ...handled('/deliveries', '/raw', '/string', '/buffer'), '/parsed': /Fastify parsed it: register fastify-raw-body/ },
    start: node('fastify.js'),
  },
  {
    name: 'Koa',
    packages: ['koa', 'koa-bodyparser'],
    paths: { ...handled('/deliveries', '/context', '/text'), '/parsed': /In Koa, pass ctx\.request instead of ctx\.req/ },
    start: node('koa.js'),
  },
  ...['express', 'fastify'].flatMap((adapter) => [nest(adapter, true), nest(adapter, false)]),
  {
    name: 'Hono',
    packages: ['hono', '@hono/node-server'],
    paths: { ...web, '/context': 'handled', '/context-parsed': /json\(\), text\(\) or formData\(\)/ },
    start: node('hono.js'),
  },
  { name: 'h3 2', packages: ['h3'], paths: web, start: node('h3.js') },
  {
    name: 'h3 1',
    packages: ['h3-1'],
    paths: {
      ...handled('/deliveries', '/web'),
      ...{ '/parsed': /Put the delivery route before the body parser/, '/event-parsed': /In h3, .*before anything calls readBody/ },
    },
    start: node('h3-1.js'),
  },
  {
    name: 'AWS Lambda and its adapters',
    packages: ['serverless-http', '@codegenie/serverless-express', '@fastify/aws-lambda'],
    paths: {
      ...handled(...adapters.flatMap((name) => ways.map((way) => `/${name}/${way}`))),
      '/serverless-http-parsed/v2': /In Express/,
    },
    start: node('lambda.js'),
  },
  {
    name: 'node-mocks-http',
    packages: ['node-mocks-http'],
    paths: { ...handled('/deliveries', '/text'), '/parsed': /request\.rawBody/ },
    start: node('mocks.js'),
  },
  {
    name: 'Next.js: app and pages, Node.js and edge',
    packages: ['next'],
    paths: { ...handled('/node', '/edge', '/api/node', '/api/edge'), '/api/parsed': /bodyParser: false .*Next\.js/ },
    start: startNext,
  },
  { name: 'workerd', packages: ['workerd'], paths: { '/deliveries': 'handled', '/parsed': /json\(\), text\(\)/ }, start: startWorkerd },
  { name: 'Bun', packages: ['bun'], paths: web, start: (port) => running(installed('bun', 'bin', 'bun.exe'), ['web.js'], port) },
  { name: 'Deno', packages: ['deno'], paths: web, start: (port) => running(installed('.bin', 'deno'), ['run', '-A', 'web.js'], port) },
];

/** Installs everything that is not there, and the package as it is now. */
async function install(): Promise<void> {
  const wanted = createHash('sha256')
    .update(await readFile(join(sources, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'installed');
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== wanted) {
    await mkdir(folder, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) await cp(join(sources, file), join(folder, file));
    await mustRun('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
    // Their scripts put the program for this machine, which is another package, in its place.
    await mustRun('npm', ['rebuild', 'bun', 'deno'], { cwd: folder });
    await writeFile(stamp, wanted);
  }
  const { name, tarball } = await builtPackage('sdk');
  await rm(installed(name), { recursive: true, force: true });
  await mkdir(installed(name), { recursive: true });
  await mustRun('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed(name)], { cwd: folder });
  // The project's own says that the package is its sources.
  await writeFile(join(folder, 'tsconfig.json'), '{}');
  await rm(hosts, { recursive: true, force: true });
  await cp(join(sources, 'hosts'), hosts, { recursive: true });
}

async function versionOf(name: string): Promise<string> {
  const from = name === 'workerd' ? join(root, 'node_modules', name) : installed(name);
  const { name: own, version } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8')) as { name: string; version: string };
  return `${own} ${version}`;
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** @returns what is wrong at an address; nothing if all is well */
async function faultAt(url: string, expected: 'handled' | RegExp, { said }: Running): Promise<string | undefined> {
  const body = bookingBody({ notes: 'ü – €' });
  const before = said().length;
  const { status, text } = await deliver(url, { body });
  // Some hosts print a moment after they have answered.
  for (let looks = 0; looks < 50 && said().length === before; looks += 1) await sleep(100);
  const printed = said().slice(before);
  if (expected !== 'handled')
    return status === 500 && expected.test(printed) ? undefined : `answered ${status} and said ${JSON.stringify(printed || text)}`;
  if (status !== 200 || text !== 'Thank you.') return `answered ${status} ${JSON.stringify(text)} and said ${JSON.stringify(printed)}`;
  if (!said().includes(`booked ${idIn(body)}`)) return 'did not pass the booking on';
  const forged = await deliver(url, { body: bookingBody(), signature: `sha256=${'0'.repeat(64)}` });
  return forged.status === 401 ? undefined : `answered a forged delivery with ${forged.status}`;
}

/** @returns whether everything at this host is well */
async function passes(host: Host): Promise<boolean> {
  const faults: string[] = [];
  let started: Running | undefined;
  try {
    const port = await freePort();
    started = await host.start(port);
    const { said } = started;
    const origin = `http://127.0.0.1:${port}`;
    await until(() => {
      said();
      return canConnect(port);
    });
    for (const [path, expected] of Object.entries(host.paths)) {
      const fault = await faultAt(origin + path, expected, started);
      if (fault !== undefined) faults.push(`${path} ${fault}`);
    }
    if (host.packages.includes('next')) {
      const said = await (await fetch(`${origin}/entries`)).text();
      if (said !== Array(5).fill('function').join()) faults.push(`/entries answered ${JSON.stringify(said)}`);
    }
  } catch (error) {
    faults.push((error as Error).message);
  } finally {
    await started?.stop();
  }
  const versions = (await Promise.all(host.packages.map(versionOf))).join(', ');
  console.log(`  ${faults.length === 0 ? 'ok    ' : 'FAILED'}  ${host.name} (${versions})`);
  for (const fault of faults) console.log(`            ${fault}`);
  return faults.length === 0;
}

const command = {
  name: 'npm run try:runtimes',
  does: `installs frameworks, adapters and runtimes, starts each of them with the package ${brand.slug}, and delivers to it. The exit code is 0 only if everything worked.`,
  options: {},
  words: { value: 'name', says: 'Only hosts whose name contains it.' },
  examples: [
    ['npm run try:runtimes', 'Every host.'],
    ['npm run try:runtimes -- Next', 'One of them.'],
  ],
} as const;

await runProgram(command, async ({ words }) => {
  const chosen = all.filter(({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase())));
  console.log('Installing what is not there ...');
  await install();
  let failed = 0;
  for (const host of chosen) failed += (await passes(host)) ? 0 : 1;
  console.log(`try:runtimes: ${failed === 0 ? 'ok' : `${failed} of ${chosen.length} failed`}`);
  return failed === 0 ? 0 : 1;
});
