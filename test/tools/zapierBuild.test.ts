import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { zapierFolder } from '../../tools/build/products.ts';
import { unzip, zipOf } from '../../tools/build/zip.ts';
import { root } from '../../tools/root.cjs';

jest.setTimeout(15 * 60_000);

describe('the archives', () => {
  let folder: string;
  let archives: string;
  beforeAll(async () => {
    archives = join(await zapierFolder(), 'build');
    folder = await mkdtemp(join(tmpdir(), 'zapier-archives-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

  it.each(['build.zip', 'source.zip'])('%s is the same in every build: packed again, its files make the same bytes', async (archive) => {
    const files = await unzip(join(archives, archive), join(folder, archive));
    const entries = files.sort().map(async (name) => ({ name, content: await readFile(join(folder, archive, name)) }));
    expect((await readFile(join(archives, archive))).equals(zipOf(await Promise.all(entries)))).toBe(true);
  });

  it('build.zip has the packages of the lock file, and nothing from elsewhere', async () => {
    const files = await unzip(join(archives, 'build.zip'), join(folder, 'app'));
    expect(files).toEqual(expect.arrayContaining(['zapierwrapper.js', 'dist/index.js', 'definition.json', 'package.json']));
    expect(files.filter((file) => /^\.|[\\/]\.\.|^(?!node_modules\/|dist\/)[^/]+\//.test(file))).toEqual([]);
    const { packages } = JSON.parse(await readFile(join(root, 'zapier', 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    for (const file of files.filter((each) => /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+package\.json$/.test(each))) {
      const { version } = JSON.parse(await readFile(join(folder, 'app', file), 'utf8')) as { version: string };
      expect([file, version.replace(/^v/, '')]).toEqual([file, packages[posix.dirname(file)]?.version]);
    }
  });

  it('source.zip contains everything that they import', async () => {
    const files = await unzip(join(archives, 'source.zip'), join(folder, 'sources'));
    expect(files).toContain('zapier/app.ts');
    for (const file of files.filter((each) => each.endsWith('.ts')))
      for (const [, target = ''] of (await readFile(join(folder, 'sources', file), 'utf8')).matchAll(/from '(\.[^']+)'/g))
        expect([file, target, files.includes(posix.join(posix.dirname(file), target))]).toEqual([file, target, true]);
  });
});
