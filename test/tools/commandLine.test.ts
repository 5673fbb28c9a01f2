import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { address, namesIn, readCommandLine, Misuse, whole } from '../../tools/commandLine/command.ts';
import { root } from '../../tools/root.cjs';
import { brand } from '../../shared/brand.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/**
 * Each npm command, found where npm finds it, so that a new one has to meet the same rules. Jest and Stryker describe their options in their own way.
 */
const commands = Object.entries(scripts).map(([name, line]) => ({ name, typed: name === 'start' ? 'npm start' : `npm run ${name}`, line }));
const ours = commands.filter(({ line }) => !line.includes(' node_modules/'));

const run = (line: string, args: readonly string[]) => {
  const [program = '', ...words] = line.split(' ');
  const started = program === 'node' ? process.execPath : program;
  const { status, stdout, stderr } = spawnSync(started, [...words, ...args], { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
};

it('every command goes through the script that installs what it needs', () => {
  expect(commands.filter(({ line }) => !line.startsWith('node tools/run.mjs '))).toEqual([]);
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
    stderr:
      '--client-secret does not exist, because others can read secrets on the command line. Set it in the environment; see --help. `npm run probe -- --help` shows how to use it.\n',
  });
});

it.each([
  [['--onec'], 'There is no option --onec. There is --port, --once, --at, --part.'],
  [['--port'], '--port needs a value.'],
  [['--port', '--once'], '--port needs a value.'],
  [['--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536".'],
  [['--at', 'here'], '--at takes an address with http:// or https://.'],
  [['--part', 'one,three'], 'There is no part "three". There are: one, two.'],
  [['once'], 'Write options like this: npm run thing -- --option value.'],
])('%j is refused in a sentence', (args, sentence) => {
  const command = {
    name: 'npm run thing',
    does: 'does a thing.',
    options: {
      port: { type: 'string', value: '<number>', says: 'Where it listens.', default: '80' },
      once: { type: 'boolean', says: 'Once.' },
      at: { type: 'string', value: '<address>', says: 'Where.' },
      part: { type: 'string', multiple: true, value: '<name>', says: 'Only this.' },
    },
    examples: [['npm run thing', 'The thing.']],
  } as const;
  const read = () => {
    const { port, at, part } = readCommandLine(command, args).values;
    return [whole(port, '--port', 0, 65_535), address(at, 'at'), namesIn(part, ['one', 'two'], 'part')];
  };
  expect(read).toThrow(new Misuse(sentence));
});

describe('what cannot be used is reported in a sentence with its place, and no advice goes in circles', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'refusals-'));
    writeFileSync(join(folder, 'file'), 'Dear diary, this is no database at all.');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const notOurs =
    'is not a data file of the sandbox, or is damaged. Move it away to start with fresh data, or name another file with --data.';
  it.each([
    ['a data file that is not one', 'file', `file ${notOurs}\n`],
    ['a folder where a data file should be', '', ' (EISDIR). Name another place with --data.\n'],
    ['a file where a folder should be', 'file/data.sqlite', ' (EEXIST). Name another place with --data.\n'],
  ])('%s', (_, data, sentence) => {
    const { status, stderr } = run(scripts['sandbox'] ?? '', ['--port', '0', '--data', resolve(folder, data)]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^[^\n]+\n$/) as unknown });
    expect(stderr).toContain(sentence);
  });

  it.each([
    [
      'breaks a rule',
      JSON.stringify({ ...brand, baseUrl: 'https://scheduling.example/v1' }),
      /^brand\.json cannot be used: "baseUrl" must be a URL that ends in \/api\/v1, such as https:\/\/example\.com\/api\/v1\.\n$/,
    ],
    [
      'is not valid JSON',
      '{name',
      /^\S+brand\.json is not JSON: Expected property name .*\. Correct it and run the same command again\.\n$/,
    ],
  ])('a brand.json that %s', (_, text, sentence) => {
    writeFileSync(join(folder, 'brand.json'), text);
    mkdirSync(join(folder, 'shared'));
    copyFileSync(join(root, 'shared', 'brand.ts'), join(folder, 'shared', 'brand.ts'));
    const { status, stdout, stderr } = run('node tools/run.mjs', [join(folder, 'shared', 'brand.ts')]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(sentence);
  });

  it('split-n8n into a folder of the project, which it would write over', () => {
    const { status, stderr } = run(scripts['split-n8n'] ?? '', ['--to', 'n8n/nodes']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('belongs to this project')]);
    expect(stderr).toContain('npm run split-n8n -- --to .local/n8n-repository');
  });
});
