import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address, flag, list, oneOf, readCommandLine, whole } from '../../tools/commandLine/command.ts';
import { root } from '../../tools/root.cjs';
import { copyOfSources } from '../support/copyOfSources.ts';

jest.setTimeout(120_000);

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/**
 * Each npm command, found where npm finds it, so that a new one has to meet the same rules. Jest and Stryker describe their options in their own way.
 */
const commands = Object.entries(scripts).map(([name, line]) => ({ name, typed: name === 'start' ? 'npm start' : `npm run ${name}`, line }));
const ours = commands.filter(({ line }) => !line.includes(' node_modules/'));

const run = (line: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
  const [program = '', ...words] = line.split(' ');
  const { status, stdout, stderr } = spawnSync(program === 'node' ? process.execPath : program, [...words, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { status, stdout, stderr };
};

it.each(commands)('$typed goes through the script that installs what it needs', ({ line }) => {
  expect(line).toMatch(/^node tools\/run\.mjs /);
});

it.each(ours)('$typed shows its options and an example on --help', ({ typed, line }) => {
  const help = run(line, ['--help']);
  expect(help).toMatchObject({ status: 0, stderr: '' });
  expect(help.stdout.startsWith(`${typed}: `)).toBe(true);
  expect(help.stdout).toContain(`\nExamples:\n  ${typed}`);
});

it('an option that a command does not know is refused with a pointer to its help, and its value, which may be a secret, is not printed', () => {
  expect(run(scripts['probe'] ?? '', ['--base', 'http://127.0.0.1:9/api/v1', '--client-secret', 's3cr3t'])).toEqual({
    status: 2,
    stdout: '',
    stderr: "Unknown option '--client-secret'. `npm run probe -- --help` shows how to use it.\n",
  });
});

describe('a command line', () => {
  const command = {
    name: 'npm run thing',
    does: 'does a thing.',
    options: {
      port: whole('<number>', 'Where it listens.', { to: 65_535, usual: 80 }),
      once: flag('Once.'),
      at: address('<address>', 'Where.'),
      part: oneOf('<name>', 'Only this.', ['one', 'two'] as const, 'part'),
      name: list('<name>', 'A name.'),
    },
    examples: [['npm run thing', 'The thing.']],
  } as const;

  it('is read as declared, with defaults for what is left out', () => {
    expect(readCommandLine(command, [])?.values).toEqual({ port: 80, once: false, at: undefined, part: [], name: [] });
    const typed = ['--port=0', '--once', '--part', 'one,two', '--name', 'a', '--name', 'b', '--at', 'http://here'];
    expect(readCommandLine(command, typed)?.values).toEqual({
      port: 0,
      once: true,
      at: 'http://here',
      part: ['one', 'two'],
      name: ['a', 'b'],
    });
  });

  it.each([
    [['--onec'], "Unknown option '--onec'. Did you mean '--once'? "],
    [['--port', '--once'], '--port needs a value, such as --port <number>. '],
    [['--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536". '],
    [['--at', 'here'], '--at takes a URL that begins with http:// or https://, not "here". '],
    [['--part', 'three'], 'There is no part "three". There are: one, two. '],
    [['once'], '"once" is not understood. Write options like this: npm run thing -- --option value. '],
  ])('%j is refused in a sentence that points to the help', (args, sentence) => {
    expect(() => readCommandLine(command, args)).toThrow(`${sentence}\`npm run thing -- --help\` shows how to use it.`);
  });
});

describe('what cannot be used is reported in a sentence with its place, and no advice goes in circles', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'refusals-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const sandbox = (data: string) => run(scripts['sandbox'] ?? '', ['--port', '0', '--data', data]);
  const oneLine = expect.stringMatching(/^[^\n]+\n$/) as unknown;

  it('a data file that is not one', () => {
    const file = join(folder, 'data.sqlite');
    writeFileSync(file, 'Dear diary, this is no database at all.');
    const { status, stderr } = sandbox(file);
    expect({ status, stderr }).toEqual({ status: 1, stderr: oneLine });
    expect(stderr).toContain(
      `${file} is not a data file of the sandbox, or is damaged. Move it away to start with fresh data, or name another file with --data.`,
    );
  });

  it('a folder where a data file should be, and a file where a folder should be', () => {
    expect(sandbox(folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${folder} (EISDIR). Name another place with --data.`) as unknown,
    });
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(sandbox(join(file, 'data.sqlite'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${file} is a file, and a folder is needed there.`) as unknown,
    });
  });

  // If Node has to create the whole of such a path at once, it never returns.
  (process.platform === 'linux' ? it : it.skip)('a folder in which the system makes none', () => {
    const sentence = 'The folder /proc/nope cannot be made (ENOENT). Name another place with --data.';
    expect(sandbox('/proc/nope/data.sqlite')).toMatchObject({ status: 1, stderr: `${sentence}\n` });
    const { status, stderr } = run(scripts['start'] ?? '', ['--once', '--data', '/proc/nope']);
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining(sentence) as unknown });
  });

  it('split-n8n into a folder of the project, which it would write over', () => {
    const { status, stderr } = run(scripts['split-n8n'] ?? '', ['--to', 'n8n/nodes']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('belongs to this project')]);
    expect(stderr).toContain('npm run split-n8n -- --to .local/n8n-repository');
  });
});

describe('npm run brand on a brand.json that cannot be used', () => {
  let folder = '';
  beforeAll(async () => void (folder = await copyOfSources()));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const brandWith = (text: string) => {
    writeFileSync(join(folder, 'brand.json'), text);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/run.mjs', 'tools/commands/brand.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  it('names the rule that the base URL has to follow, without a stack', () => {
    const brand = JSON.parse(readFileSync(join(root, 'brand.json'), 'utf8')) as object;
    expect(brandWith(JSON.stringify({ ...brand, baseUrl: 'https://scheduling.example/v1' }))).toEqual({
      status: 1,
      stdout: '',
      stderr: 'brand.json cannot be used: "baseUrl" must be a URL that ends in /api/v1, such as https://example.com/api/v1.\n',
    });
  });

  it('says where the file is not valid JSON, without a stack', () => {
    const { status, stdout, stderr } = brandWith('{name');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\S+brand\.json is not JSON: Expected property name .*\. Correct it and run the same command again\.\n$/);
  });
});
