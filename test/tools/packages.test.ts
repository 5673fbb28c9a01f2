import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { builtPackage, builtFolder } from '../../tools/build/products.ts';
import { unzip, zipOf } from '../../tools/build/zip.ts';
import { root } from '../../tools/root.cjs';

jest.setTimeout(15 * 60_000);

let folder: string;
let archives: string;
/** The files of each archive of the Zapier app. They are unpacked into folders of the same names. */
const files: Record<string, string[]> = {};
const read = (...path: string[]): Promise<string> => readFile(join(folder, ...path), 'utf8');

beforeAll(async () => {
  archives = join(await builtFolder('zapier'), 'build');
  folder = await mkdtemp(join(tmpdir(), 'packages-'));
  execFileSync('tar', ['-xzf', (await builtPackage('n8n')).tarball, '-C', folder]);
  for (const name of ['build.zip', 'source.zip']) files[name] = (await unzip(join(archives, name), join(folder, name))).sort();
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

const secret = /whsec_[A-Za-z0-9_-]{20}|\b(?:at|rt|cs)_[A-Za-z0-9_-]{20}|BEGIN [A-Z ]*PRIVATE KEY/;

it('no package holds a secret, a path of this machine, or a file that its users do not need', async () => {
  for (const part of ['package', 'build.zip']) {
    const entries = (await readdir(join(folder, part), { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile() && !entry.parentPath.includes('node_modules'),
    );
    expect(entries.length).toBeGreaterThan(3);
    for (const { name, parentPath } of entries) {
      const file = join(parentPath, name);
      expect(file.slice(folder.length)).not.toMatch(/\.env|\.pem|id_rsa|\.sqlite|sandbox|soak/);
      const content = await readFile(file, 'latin1');
      expect([file, secret.exec(content)?.[0], content.includes(`${root}/`)]).toEqual([file, undefined, false]);
    }
  }
});

it.each(['build.zip', 'source.zip'])('%s is the same in every build: packed again, its files make the same bytes', async (archive) => {
  const again = await zipOf(join(folder, archive), files[archive] ?? []);
  expect((await readFile(join(archives, archive))).equals(again)).toBe(true);
});

it('build.zip has the packages of the lock file, and nothing from elsewhere', async () => {
  const held = files['build.zip'] ?? [];
  expect(held).toEqual(expect.arrayContaining(['zapierwrapper.js', 'dist/index.js', 'definition.json', 'package.json']));
  expect(held.filter((file) => /^\.|[\\/]\.\.|^(?!node_modules\/|dist\/)[^/]+\//.test(file))).toEqual([]);
  const { packages } = JSON.parse(await readFile(join(root, 'zapier', 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  for (const file of held.filter((each) => /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+package\.json$/.test(each))) {
    const { version } = JSON.parse(await read('build.zip', file)) as { version: string };
    expect([file, version.replace(/^v/, '')]).toEqual([file, packages[posix.dirname(file)]?.version]);
  }
});

it('source.zip contains everything that its files import', async () => {
  const held = files['source.zip'] ?? [];
  expect(held).toContain('zapier/app.ts');
  for (const file of held.filter((each) => each.endsWith('.ts')))
    for (const [, target = ''] of (await read('source.zip', file)).matchAll(/from '(\.[^']+)'/g))
      expect([file, target, held.includes(posix.join(posix.dirname(file), target))]).toEqual([file, target, true]);
});
