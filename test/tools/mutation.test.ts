import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { about, outdated, shares, unnoticed, type Report } from '../../tools/check/mutation/report.ts';
import { Suite } from '../../tools/check/mutation/suite.ts';

describe('the runner of tests in one process', () => {
  let folder: string;
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  const given = { bail: false, patience: 60_000 };

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'suite-')));
    await mkdir(join(folder, 'test'));
    await write('package.json', '{}');
    await write('count.ts', 'let count: number = 0;\nexport const next = (): number => (count += 1);\n');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('says which tests fail, in which order they ran, and why', async () => {
    await write(
      'test/one.test.ts',
      `import { next } from '../count.ts';
       describe('a', () => { it('passes', () => expect(next()).toBe(1)); it.each([2])('fails %i', (it) => expect(next()).toBe(it + 1)); });
       it('waits', async () => { await new Promise((done) => setTimeout(done, 10)); expect(next()).toBe(3); });`,
    );
    const outcomes = await new Suite(folder).run(join(folder, 'test/one.test.ts'), given);
    expect(outcomes.map(({ name, failure }) => [name, failure === undefined])).toEqual([
      ['a passes', true],
      ['a fails 2', false],
      ['waits', true],
    ]);
    expect(outcomes[1]?.failure).toContain('Expected: 3');
  });

  it('loads the sources anew each time, so that nothing is left of the run before', async () => {
    await write('test/one.test.ts', `import { next } from '../count.ts'; it('begins', () => expect(next()).toBe(1));`);
    const suite = new Suite(folder);
    for (const round of [1, 2, 3]) {
      const [outcome] = await suite.run(join(folder, 'test/one.test.ts'), given);
      expect([round, outcome?.failure]).toEqual([round, undefined]);
    }
  });

  it('runs only the chosen tests, and none after a failure', async () => {
    await write('test/one.test.ts', `for (const name of ['a', 'b', 'c']) it(name, () => { if (name === 'b') throw new Error(name); });`);
    const suite = new Suite(folder);
    const names = async (choice: object): Promise<string[]> =>
      (await suite.run(join(folder, 'test/one.test.ts'), { ...given, ...choice })).map(({ name }) => name);
    expect(await names({})).toEqual(['a', 'b', 'c']);
    expect(await names({ bail: true })).toEqual(['a', 'b']);
    expect(await names({ only: new Set(['a', 'c']) })).toEqual(['a', 'c']);
  });

  it.each([
    ['a file that does not load', `import '../gone.ts'; it('a', () => undefined);`],
    ['a hook that fails', `beforeAll(() => { throw new Error('no'); }); it('a', () => undefined);`],
    ['a test that hangs', `it('a', () => new Promise(() => undefined));`],
    ['a test that ends the program', `it('a', () => process.exit(0));`],
  ])('%s is a failure', async (_, text) => {
    await write('test/one.test.ts', text);
    const outcomes = await new Suite(folder).run(join(folder, 'test/one.test.ts'), { ...given, patience: 200 });
    expect(outcomes.map(({ failure }) => typeof failure)).toEqual(['string']);
  });
});

describe('the count', () => {
  const accepted = [
    { why: 'they are equal', changes: { 'shared/runs.ts': [['a   || b', 'a && b'] as const] } },
    { why: 'it is gone', changes: { 'shared/runs.ts': [['gone()', ''] as const], 'zapier/app.ts': [['other()', ''] as const] } },
  ];
  const source = 'const c =\n  a || b;\nrest();\n';
  const at = (line: number, from: number, to: number) => ({ start: { line, column: from }, end: { line, column: to } });
  const report: Report = {
    files: {
      'shared/runs.ts': {
        source,
        mutants: [
          { status: 'Survived', replacement: 'a && b', location: at(2, 3, 9) },
          { status: 'NoCoverage', replacement: ';', location: at(3, 1, 8) },
          { status: 'Killed', replacement: '', location: at(3, 1, 8) },
          { status: 'Timeout', replacement: 'true', location: at(2, 3, 9) },
          { status: 'Ignored', replacement: '""', location: at(2, 3, 9) },
        ],
      },
      'shared/time.ts': { source, mutants: [{ status: 'Killed', replacement: '', location: at(3, 1, 8) }] },
    },
  };

  it('shows what nobody noticed as it stands in the source, with the reason if there is one', () => {
    expect(unnoticed(report, accepted)).toEqual([
      { file: 'shared/runs.ts', line: 2, code: 'a || b', instead: 'a && b', why: 'they are equal' },
      { file: 'shared/runs.ts', line: 3, code: 'rest();', instead: ';' },
    ]);
  });

  it('names reasons for what is no longer there, but only in sources that were counted', () => {
    expect(outdated(accepted, unnoticed(report, accepted), report)).toEqual(['shared/runs.ts: gone() → ']);
  });

  it('is about the sources that were asked for, and not about others with a similar name', () => {
    const named = (...sources: string[]): string[] => Object.keys(about(report, sources).files);
    expect(named()).toEqual(['shared/runs.ts', 'shared/time.ts']);
    expect(named('shared')).toEqual(['shared/runs.ts', 'shared/time.ts']);
    expect(named('shared/time.ts', 'zapier')).toEqual(['shared/time.ts']);
    expect(named('share')).toEqual([]);
  });

  it('counts each folder, and each file that decides about a write or a delivery by itself', () => {
    expect(shares(report)).toEqual([
      { name: 'shared', noticed: 3, all: 5, wanted: 90 },
      { name: 'shared/runs.ts', noticed: 2, all: 4, wanted: 97 },
    ]);
  });
});
