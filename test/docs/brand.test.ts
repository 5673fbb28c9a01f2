import { execFile } from 'node:child_process';
import { glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { brand, type Brand } from '../../shared/brand.ts';
import { rebrand, written } from '../../tools/build/brand/replace.ts';
import { mustRun } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import { unzip } from '../../tools/build/zip.ts';
import { addAnOperation, removeTheOperation, suites } from '../contract/addAnOperation.ts';
import { copyOfSources } from '../support/copyOfSources.ts';

const run = promisify(execFile);
jest.setTimeout(30 * 60_000);

const made = (name: string, slug: string, more: Partial<Brand> = {}): Brand => ({
  name,
  slug,
  baseUrl: `https://api.${slug}.example/api/v1`,
  headerPrefix: `X-${slug}`,
  docsUrl: `https://${slug}.example/entwickler`,
  oauth: {},
  ...more,
});

/** The name with every character that means something in a shell, in YAML, HTML, Markdown or JSON, or that is no ASCII. */
const other = made('O\'Neil\'s "Quick" Café Meet: <x> & Co', 'quick-meet', {
  email: 'hello@quick-meet.example',
  repository: 'https://github.com/quick/meet',
  owner: 'Quick & Meet <Ltd>',
  privacyUrl: 'https://quick-meet.example/legal?page=privacy',
  supportUrl: 'https://quick-meet.example/legal',
  mcpUrl: 'https://assistants.quick-meet.example/mcp',
  oauth: { publicClientId: 'for-everybody' },
});
/** Names that are ordinary words of these documents, or have a character that means something somewhere. */
const natural = [
  made('Book Easy', 'book-easy'),
  made('Bookings', 'bookings', { headerPrefix: 'X-Service', docsUrl: 'https://bookings.example' }),
  made('Cal Friends', 'cal-friends', {
    repository: 'https://git.cal-friends.example/all.git',
    owner: 'Cal',
    oauth: { authorizeUrl: 'https://login.cal-friends.example/start' },
  }),
  made('Time & Place', 'time-place', { baseUrl: 'https://time-place.example:8443/scheduling/api/v1' }),
  made('Café Termin', 'cafe-termin'),
];

it('all names one after another, and the first again, leave every file that people write as it was', async () => {
  let files = 0;
  for await (const file of glob(written, { cwd: root, exclude: ['**/node_modules'] })) {
    const before = await readFile(join(root, file), 'utf8');
    const names = [brand, ...natural, other, brand];
    expect([file, names.slice(1).reduce((text, to, at) => rebrand(text, names[at] ?? brand, to), before)]).toEqual([file, before]);
    files += 1;
  }
  expect(files).toBeGreaterThan(40);
});

describe('a checkout with one more operation and event, in the places that CONTRIBUTING names, under another name', () => {
  let copy: string;
  let first: Map<string, string>;
  let said: string;
  const brandAs = async (wanted: Brand): Promise<string> => {
    await writeFile(join(copy, 'brand.json'), `${JSON.stringify(wanted, null, 2)}\n`);
    return mustRun('npm', ['run', 'brand'], { cwd: copy });
  };

  beforeAll(async () => {
    copy = await copyOfSources();
    first = await contents();
    await addAnOperation(copy);
    said = await brandAs(other);
  });
  afterAll(() => rm(copy, { recursive: true, force: true, maxRetries: 3 }));

  /** The places in a folder where the old name still stands, in words and in the identifiers made from it. */
  async function traces(folder: string): Promise<string[]> {
    const [first = brand.name] = brand.name.split(' ');
    const old = new RegExp([first, brand.slug, brand.headerPrefix].join('|'), 'i');
    const found: string[] = [];
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      // The golden files keep their own name.
      if (!entry.isFile() || /\/(node_modules|__golden__)\//.test(file) || ['.zip', '.tgz'].includes(extname(file))) continue;
      // The letters of a picture may spell any short name.
      const words = (await readFile(file, 'utf8')).replace(/base64,[\w+/=]+/g, '');
      if (old.test(entry.name) || old.test(words)) found.push(file.slice(folder.length + 1));
    }
    return found;
  }

  /** The content of every file of the copy, by its path, apart from the brand itself, what keeps it, and what a build places. */
  async function contents(): Promise<Map<string, string>> {
    const entries = (await readdir(copy, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const files = entries
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => !/\/(\.local|dist)\/|^\/zapier\/build\/|^\/[^/]+\/LICENSE$|\/(brand|applied)\.json$/.test(file.slice(copy.length)));
    return new Map(await Promise.all(files.map(async (file): Promise<[string, string]> => [file, await readFile(file, 'utf8')])));
  }

  /** Unpacks everything that is released under a name. */
  async function unpacked({ slug }: Brand): Promise<string> {
    await mustRun('npm', ['run', 'build'], { cwd: copy });
    const shipped = join(copy, '.local', 'shipped');
    for (const start of [
      `package/n8n-nodes-${slug}-`,
      `mcp-package/${slug}-mcp-`,
      `hosted-package/${slug}-mcp-server-`,
      `sdk-package/${slug}-`,
      `sandbox-package/${slug}-sandbox-`,
    ]) {
      const folder = join(copy, '.local', dirname(start));
      const tarball = (await readdir(folder)).find((name) => name.startsWith(basename(start)) && name.endsWith('.tgz')) ?? '';
      await mkdir(join(shipped, start), { recursive: true });
      await run('tar', ['-xzf', join(folder, tarball), '-C', join(shipped, start)]);
    }
    await unzip(join(copy, 'zapier', 'build', 'build.zip'), join(shipped, 'zapier'));
    await unzip(join(copy, 'zapier', 'build', 'source.zip'), join(shipped, 'sources'));
    await unzip(join(copy, '.local', 'mcp-package', `${slug}-mcp.mcpb`), join(shipped, 'bundle'));
    return shipped;
  }

  const differing = (one: Map<string, string>, two: Map<string, string>): string[] =>
    [...new Set([...one.keys(), ...two.keys()])].filter((file) => one.get(file) !== two.get(file));

  it('has no trace of the old one, and says what is left to do', async () => {
    expect(said).toContain('Left for you:');
    expect(said).not.toContain('made up');
    expect(await traces(copy)).toEqual([]);
    // What stood for the reader's own service is gone, also as a word.
    expect(await readFile(join(copy, 'README.md'), 'utf8')).not.toContain('placeholder');
  });

  it('holds the addresses and the owner wherever they are read, and asks nobody for a client id', async () => {
    const parsed = async (...path: string[]): Promise<unknown> => JSON.parse(await readFile(join(copy, ...path), 'utf8'));
    for (const of of ['n8n', 'mcp', 'hosted', 'sdk', 'sandbox'])
      expect(await parsed(of, 'package.json')).toMatchObject({
        author: { email: other.email },
        repository: { url: `${other.repository}.git` },
        bugs: { url: other.supportUrl },
      });
    expect(await parsed('mcp', 'manifest.json')).toMatchObject({ support: other.supportUrl, privacy_policies: [other.privacyUrl] });
    expect(await parsed('mcp', 'server.json')).toMatchObject({ name: 'io.github.quick/quick-meet-mcp' });
    expect(await parsed('mcp', 'package.json')).toMatchObject({ mcpName: 'io.github.quick/quick-meet-mcp' });
    expect(await parsed('hosted', 'server.json')).toMatchObject({
      name: 'io.github.quick/quick-meet-mcp-server',
      remotes: [{ url: other.mcpUrl }],
    });
    const texts = await Promise.all(
      ['LICENSE', 'SECURITY.md', 'mcp/README.md', 'docs/use/agents.md', 'docs/use/code.md'].map((file) =>
        readFile(join(copy, file), 'utf8'),
      ),
    );
    expect(texts[0]).toMatch(/^Copyright \(c\) \d{4} Quick & Meet <Ltd>$/m);
    expect(texts[1]).toContain(`Write to ${other.email}.`);
    expect(texts[2]).toContain(`[privacy policy](${other.privacyUrl})`);
    for (const text of texts.slice(2)) expect(text).not.toMatch(/client id and secret/);
    expect(texts[3]).toContain('claude plugin marketplace add https://github.com/quick/meet.git');
  });

  it('names the pictures as to be taken, and is not refused for them', async () => {
    expect(await mustRun('npm', ['run', 'check', '--', 'pictures'], { cwd: copy, env: { NODE_ENV: '' } })).toMatch(
      /To be taken under the new name:\n +UPDATE_SCREENS=1 npm test -- /,
    );
  });

  it('what other programs read holds the name as they need it: the header of the skill, JSON, HTML', async () => {
    const skill = await readFile(join(copy, 'mcp', 'skill', 'SKILL.md'), 'utf8');
    expect(parse(skill.split('---\n')[1] ?? '')).toMatchObject({
      description: expect.stringContaining(`the tools of ${other.name}.`) as unknown,
    });
    expect(JSON.parse(await readFile(join(copy, 'mcp', 'manifest.json'), 'utf8'))).toMatchObject({ display_name: other.name });
    for (const of of ['n8n', 'mcp', 'hosted', 'sdk', 'sandbox'])
      expect(JSON.parse(await readFile(join(copy, of, 'package.json'), 'utf8'))).toMatchObject({
        description: expect.stringContaining(other.name.replaceAll(/[<>]/g, '')) as unknown,
      });
    expect(await readFile(join(copy, 'docs', 'use', 'n8n.md'), 'utf8')).toContain('Meet: \\<x\\> & Co<!--/name-->');
  });

  it('passes every check that reads the name or the operation', async () => {
    const sources = join(copy, 'tsconfig.added.json');
    await writeFile(sources, JSON.stringify({ extends: './tsconfig.json', include: ['shared', 'zapier', 'n8n', 'mcp', 'sdk', 'sandbox'] }));
    await mustRun(process.execPath, ['node_modules/typescript-7/bin/tsc', '--pretty', 'false', '--project', sources], { cwd: copy });
    await rm(sources);
    await mustRun('npm', ['run', 'check', '--', 'literals', 'schema'], { cwd: copy, env: { NODE_ENV: '' } });
  });

  it('every platform keeps the contract, with the operation and the event', async () => {
    // What becomes of a lost write is decided by the one write that all operations share.
    const env = { CONTRACT_PART: 'annotate|ANNOTATED|^write:(?:healthy|answer-lost)|^delivery:(?:genuine|booked)' };
    const quick = 'test/contract/quick/(?:mcp|n8n|sdk|zapier)\\.';
    const args = ['node_modules/jest/bin/jest.js', '-i', '--verbose', quick, ...suites];
    const held = await mustRun(process.execPath, args, { cwd: copy, env });
    expect(held).toContain('✓ booking.annotate:every-field:as-the-core');
    expect(held).toContain('✓ delivery:genuine(BOOKING_ANNOTATED):an-item-as-the-core-opens-it');
  });

  it('nothing that is built holds the old name', async () => {
    const shipped = await unpacked(other);
    expect(await traces(shipped)).toEqual([]);
    const bundle = JSON.parse(await readFile(join(shipped, 'bundle', 'manifest.json'), 'utf8')) as object;
    expect(bundle).toMatchObject({ long_description: expect.stringMatching(/^The first question opens a page/) as unknown });
    expect(JSON.stringify(bundle)).not.toMatch(/client_id|Enter the client/);
  });

  it('can be named again: under its first name, without the operation, no word has changed', async () => {
    await removeTheOperation(copy);
    await brandAs(brand);
    expect(differing(first, await contents())).toEqual([]);
  });
});
