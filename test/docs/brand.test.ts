import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { rebrand, type Worn } from '../../tools/build/brand/replace.ts';
import { root } from '../../tools/root.cjs';
import { unzip } from '../../tools/rigs/zapier/unzip.ts';
import { brand } from '../../shared/brand.ts';
import { npmRun } from '../support/npmRun.ts';

const run = promisify(execFile);
jest.setTimeout(30 * 60_000);

const other = {
  name: 'Termin & Zeit',
  slug: 'termin-zeit',
  baseUrl: 'https://api.termin-zeit.example/api/v1',
  headerPrefix: 'X-TerminZeit',
  docsUrl: 'https://termin-zeit.example/entwickler',
  oauth: {},
};

describe('replacing', () => {
  const from: Worn = {
    name: 'Old Name',
    slug: 'old-name',
    baseUrl: 'https://old-name.example/api/v1',
    headerPrefix: 'X-Old',
    docsUrl: 'https://old-name.example/developers',
  };
  const to: Worn = {
    name: 'New "N" Name',
    slug: 'new',
    baseUrl: 'https://api.new.example/v/api/v1',
    headerPrefix: 'X-Old-New',
    docsUrl: 'https://docs.new.example',
  };
  const replaced = (text: string, quoted = false): string => rebrand(text, from, to, { quoted });

  it('reaches every form: name, slug, identifier, headers in both spellings, addresses', () => {
    expect(replaced('Old Name, n8n-nodes-old-name, oldNameOAuth2Api, X-Old-Event, x-old-event')).toBe(
      'New "N" Name, n8n-nodes-new, newOAuth2Api, X-Old-New-Event, x-old-new-event',
    );
    expect(
      replaced('https://old-name.example/api/v1/me https://old-name.example/developers https://old-name.example/oauth a@old-name.example'),
    ).toBe('https://api.new.example/v/api/v1/me https://docs.new.example https://api.new.example/oauth a@api.new.example');
  });

  it('escapes a name in JSON', () => {
    expect(JSON.parse(replaced('{"name":"Old Name account"}', true))).toEqual({ name: 'New "N" Name account' });
  });

  it('leaves words alone that only begin with it', () => {
    expect(replaced('Old Names, told-name, X-Older')).toBe('Old Names, told-name, X-Older');
  });

  it('there and back again leaves everything as it was', () => {
    const text = 'Old Name old-name oldNameOAuth2Api X-Old https://old-name.example/api/v1 https://old-name.example/developers';
    expect(rebrand(replaced(text), to, from, { quoted: false })).toBe(text);
  });
});

describe('a checkout under another name', () => {
  let copy: string;
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'rebranded-'));
    const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
    for (const file of stdout.trim().split('\n')) {
      await mkdir(dirname(join(copy, file)), { recursive: true });
      // Files that are moved while this runs are listed but may not exist.
      await cp(join(root, file), join(copy, file)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    await writeFile(join(copy, 'brand.json'), JSON.stringify(other, null, 2));
    await npmRun(copy, 'brand');
  });
  afterAll(() => rm(copy, { recursive: true, force: true, maxRetries: 3 }));

  /** The places in a folder where the old name still stands, in words and in the identifiers made from it. */
  async function traces(folder: string): Promise<string[]> {
    const words = brand.name.split(' ');
    const old = new RegExp([words[0] ?? brand.name, brand.slug, brand.headerPrefix].join('|'), 'i');
    const found: string[] = [];
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (!entry.isFile() || file.includes('/node_modules/') || ['.zip', '.tgz'].includes(extname(file))) continue;
      if (old.test(entry.name) || old.test(await readFile(file, 'utf8'))) found.push(file.slice(folder.length + 1));
    }
    return found;
  }

  it('leaves no trace of the old one in any file', async () => {
    expect(await traces(copy)).toEqual([]);
  });

  /** The content of every file of the copy, by its path. */
  async function contents(): Promise<Map<string, string>> {
    const entries = (await readdir(copy, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const files = entries.map(({ parentPath, name }) => join(parentPath, name));
    return new Map(await Promise.all(files.map(async (file): Promise<[string, string]> => [file, await readFile(file, 'base64')])));
  }

  it('a second time changes nothing, so its generated documents are the ones that its sources make', async () => {
    const before = await contents();
    const { stdout } = await npmRun(copy, 'brand');
    expect(stdout).toContain('Every file already has the name Termin & Zeit');
    expect(stdout).toMatch(/ok +[\d.]+ s {2}the generated documents/);
    const after = await contents();
    const files = [...new Set([...before.keys(), ...after.keys()])];
    expect(files.filter((file) => before.get(file) !== after.get(file))).toEqual([]);
  });

  it('its pictures and golden definitions are the ones that its sources make', async () => {
    await npmRun(copy, 'check', ['pictures']);
    const files = ['golden', 'definition', 'test/n8n/package', 'test/docs/generated', 'test/docs/guides', 'test/docs/make'];
    await npmRun(copy, 'test', ['--ci', ...files]);
  });

  it('the main job runs under that name on the real n8n and the built Zapier app, and nothing shipped holds the old one', async () => {
    const { stdout } = await npmRun(copy, 'start', ['--once']);
    expect(stdout).toContain('main job: ok');
    expect(stdout).toContain(other.name);
    const shipped = join(copy, '.local', 'shipped');
    await mkdir(shipped, { recursive: true });
    const print =
      "import { n8nTarball, zapierZip } from './tools/build/products.ts'; console.log(JSON.stringify([await n8nTarball(), await zapierZip()]));";
    const [tarball = '', zip = ''] = JSON.parse(
      (await run(process.execPath, ['--input-type=module', '--eval', print], { cwd: copy })).stdout,
    ) as string[];
    expect(tarball).toContain(`n8n-nodes-${other.slug}-`);
    await run('tar', ['-xzf', tarball, '-C', shipped]);
    await unzip(zip, join(shipped, 'zapier'));
    const n8nFiles = await readdir(join(shipped, 'package'), { recursive: true });
    expect(n8nFiles).toContain('dist/nodes/Scheduler/Scheduler.node.js');
    expect(await traces(shipped)).toEqual([]);
    expect(await readFile(join(shipped, 'package', 'package.json'), 'utf8')).toContain(`n8n-nodes-${other.slug}`);
  });
});
