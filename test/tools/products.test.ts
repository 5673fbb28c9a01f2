import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { zapierFolder } from '../../tools/build/products.ts';
import { mustRun } from '../../tools/process/command.ts';
import { copyOfSources } from '../support/copyOfSources.ts';
import { unzip } from '../../tools/rigs/zapier/unzip.ts';
import { until } from '../support/until.ts';

const minutes = 60_000;
jest.setTimeout(10 * minutes);

type Product = 'n8nTarball' | 'zapierZip';

const manifests: Record<Product, string> = { n8nTarball: 'n8n/package.json', zapierZip: 'zapier/package.json' };

let copy: string;
let log: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  copy = await copyOfSources();
  log = join(copy, 'made.log');
  // Built from the same sources, because Zapier's own tool is slow and other tests are already running it here.
  const here = await zapierFolder();
  await cp(here, join(copy, '.local', 'built', basename(here)), { recursive: true });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rm(copy, { recursive: true, force: true, maxRetries: 5 }));

/** Asks for a product from a process of its own, like every command and every test file. */
function asking(product: Product): { child: ChildProcess; file: Promise<string> } {
  const program = `import { ${product} } from './tools/build/products.ts'; console.log(await ${product}());`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let [printed, complaints] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const file = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`Asking for ${product} ended with ${String(code)}:\n${complaints}`);
    return printed.trim().split('\n').at(-1) ?? '';
  });
  file.catch(() => undefined);
  return { child, file };
}

/**
 * Unpacks a product.
 * @returns the description in its manifest: the only thing that these tests change
 */
async function opened(product: Product, file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'unpacked-'));
  try {
    if (product === 'zapierZip') await unzip(file, folder);
    else await mustRun('tar', ['-xzf', file, '--strip-components=1', '-C', folder], { cwd: folder });
    const main = product === 'zapierZip' ? 'dist/index.js' : 'dist/nodes/Scheduler/Scheduler.node.js';
    expect((await readFile(join(folder, main), 'utf8')).length).toBeGreaterThan(1_000);
    return (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { description: string }).description;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function describeAs(product: Product, description: string): Promise<void> {
  const file = join(copy, manifests[product]);
  const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
  // In one step, as editors do, so that readers get either the old or the new file.
  await writeFile(`${file}.next`, `${JSON.stringify({ ...manifest, description }, null, 2)}\n`);
  await rename(`${file}.next`, file);
}

/** From now on, each build writes a line to the log. */
async function leavingLines(): Promise<void> {
  const program = join(copy, 'tools', 'build', 'make.ts');
  const before = await readFile(program, 'utf8');
  const line = `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(log)}, 'made\\n');\n`;
  if (!before.startsWith(line)) await writeFile(program, line + before);
}
const lines = async (): Promise<number> => (await readFile(log, 'utf8').catch(() => '')).split('\n').length;

const entries = async (): Promise<string[]> => readdir(join(copy, '.local', 'built')).catch(() => []);
const workshop = async (product: string): Promise<string | undefined> =>
  (await entries()).find((entry) => entry.startsWith(`${product}.making-`));

// The archive first, while its sources are still those of the project.
describe.each<Product>(['zapierZip', 'n8nTarball'])('%s', (product) => {
  it('stays complete and unchanged for those who read it while others build the next one, and is built once', async () => {
    const first = await asking(product).file;
    const description = await opened(product, first);
    await leavingLines();
    await describeAs(product, 'second');
    const linesBefore = await lines();

    const others = [1, 2, 3].map(() => asking(product).file);
    let isOver = false;
    void Promise.allSettled(others).then(() => (isOver = true));
    // Byte by byte: unpacking it each time would keep the builds waiting for the processor.
    const bytes = await readFile(first);
    // Like real readers, with time for other work between two readings.
    for (; !isOver; await new Promise((done) => setTimeout(done, 20))) expect((await readFile(first)).equals(bytes)).toBe(true);
    expect(await opened(product, first)).toBe(description);

    const made = new Set(await Promise.all(others));
    expect(made.size).toBe(1);
    for (const file of made) expect(await opened(product, file)).toBe('second');
    expect((await lines()) - linesBefore).toBe(1);
  });
});

it('a source that is written during the build is in the result', async () => {
  await describeAs('n8nTarball', 'early');
  const { file } = asking('n8nTarball');
  const making = await until(() => workshop('n8n'));
  await until(async () =>
    (await readdir(join(copy, '.local', 'built', making, 'n8n')).catch(() => [])).find((entry) => entry === 'package.json'),
  );
  await describeAs('n8nTarball', 'late');
  expect(await opened('n8nTarball', await file)).toBe('late');
});

it('if it is killed in the middle, no partial result is used, the next one does not wait, and nothing is left over', async () => {
  await describeAs('n8nTarball', 'before the end');
  const whole = new Set((await entries()).filter((entry) => entry.startsWith('n8n-')));
  const { child } = asking('n8nTarball');
  const making = await until(() => workshop('n8n'));
  await until(async () =>
    (await readdir(join(copy, '.local', 'built', making, 'n8n')).catch(() => [])).find((entry) => entry === 'dist.partial'),
  );
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(new Set((await entries()).filter((entry) => entry.startsWith('n8n-')))).toEqual(whole);

  // A lock also counts as abandoned after a minute of silence. This one is never silent, so it is its dead owner that is noticed.
  const later = new Date(Date.now() + 60 * minutes);
  await utimes(join(copy, '.local', 'built', 'n8n.lock'), later, later);
  expect(await opened('n8nTarball', await asking('n8nTarball').file)).toBe('before the end');
  await describeAs('n8nTarball', 'after the end');
  await asking('n8nTarball').file;
  expect((await entries()).filter((entry) => entry.includes('making') || entry.includes('lock'))).toEqual([]);
});

it('npm run build puts it where people look for it, replacing the whole folder at once', async () => {
  const places = ['n8n/dist', 'zapier/dist', 'zapier/build', '.local/package', '.local/sdk-package'].map((place) => join(copy, place));
  for (const place of places) {
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'left-over'), '');
  }
  await mustRun(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', join(copy, 'tools', 'commands', 'build.ts')], {
    cwd: copy,
  });
  const [n8n, zapier, archives, tarballs, packages] = await Promise.all(places.map((place) => readdir(place)));
  expect(n8n?.sort()).toEqual(['adapter', 'credentials', 'icons', 'nodes']);
  expect(zapier).toEqual(['index.js']);
  expect(archives?.sort()).toEqual(['build.zip', 'source.zip']);
  expect(tarballs).toEqual([expect.stringMatching(/^n8n-nodes-.*\.tgz$/)]);
  expect(packages).toEqual([expect.stringMatching(/^[a-z].*\.tgz$/)]);
  expect(await readdir(join(copy, '.local', 'placing'))).toEqual([]);
});
