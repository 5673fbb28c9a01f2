import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asMarkdown, writeInto } from '../../bench/harness/document.ts';
import { compareBlocks, compareTotals, costsOfPaths, joined } from '../../bench/harness/compare.ts';
import { atLeast, atMost, exactly, line, within } from '../../bench/harness/lines.ts';
import { table, withRows } from '../../bench/harness/report.ts';
import { resultOf } from '../../bench/harness/resultOf.ts';
import { growth, median, quantile, shuffled } from '../../bench/harness/statistics.ts';
import { seeded } from '../../tools/rigs/simulation/random.ts';

it('computes the median, the quartiles and the growth of figures', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(quantile([0, 10, 20, 30, 40], 0.25)).toBe(10);
  expect(() => median([])).toThrow('There is no value');
  expect(growth([1, 10, 100].map((size) => [size, size * 7]))).toBeCloseTo(1);
  expect(growth([1, 10, 100].map((size) => [size, size ** 2]))).toBeCloseTo(2);
});

it('shuffles the same way for the same seed, and loses nothing', () => {
  const items = Array.from({ length: 20 }, (_, index) => index);
  expect(shuffled(items, seeded(1))).toEqual(shuffled(items, seeded(1)));
  expect(shuffled(items, seeded(1))).not.toEqual(items);
  expect([...shuffled(items, seeded(2))].sort((a, b) => a - b)).toEqual(items);
});

it('compares every candidate with every other, awaits those that return promises, and rejects unknown names', async () => {
  const counts = { sync: 0, async: 0 };
  const comparison = await compareBlocks(
    [
      { name: 'sync', run: () => (counts.sync += 1) },
      {
        name: 'async',
        run: async () => {
          await Promise.resolve();
          counts.async += 1;
        },
      },
    ],
    { rounds: 3 },
  );
  expect(counts.sync).toBeGreaterThan(6);
  expect(counts.async).toBeGreaterThan(6);
  expect(comparison.ratio('sync', 'sync').ratio).toBe(1);
  expect(() => comparison.cost('nobody')).toThrow('Nothing named nobody was compared.');
});

it('runs whole paths as often as there are rounds, and before them to warm up', async () => {
  let runs = 0;
  await costsOfPaths([{ name: 'path', run: () => (runs += 1) }], { rounds: 4, warmUp: 2 });
  expect(runs).toBe(6);
});

it('runs a path in a row as often as it is told to, and shows what one run costs', async () => {
  const spent = jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 4_000, system: 2_000 });
  const order: string[] = [];
  const comparison = compareTotals(
    await costsOfPaths(
      [
        { name: 'one', run: () => order.push('one') },
        { name: 'other', run: () => order.push('other') },
      ],
      { rounds: 2, runs: 3, warmUp: 1 },
    ),
  );
  expect(order).toHaveLength(18);
  for (let first = 0; first < order.length; first += 3) expect(new Set(order.slice(first, first + 3)).size).toBe(1);
  expect(comparison.cost('one')).toBe(2);
  spent.mockRestore();
});

it('joins the rounds of several processes, each compared with its own', () => {
  const comparison = compareTotals(
    joined([
      { ours: [2, 3], peer: [1, 1] },
      { ours: [40], peer: [10] },
    ]),
  );
  expect(comparison.cost('ours')).toBe(15);
  expect(comparison.ratio('ours', 'peer')).toEqual({ ratio: 45 / 12, spread: [2.5, 3.5] });
});

describe('a line', () => {
  const judged = { what: 'something', ours: '1 us', against: 'peer: 2 us' };

  it('says whether its target is met, and says nothing if it has no target', () => {
    expect(line({ ...judged, figure: 1.15, target: atMost(1.15) })).toMatchObject({ figure: '1.15x', target: 'at most 1.15x', met: true });
    expect(line({ ...judged, figure: 97.9, unit: '%', target: atLeast(98, '%') })).toMatchObject({ target: 'at least 98 %', met: false });
    expect(line({ ...judged, figure: 2, unit: 'calls', target: exactly(1, 'calls') }).met).toBe(false);
    expect(line({ ...judged, figure: 1.05, target: within(0.95, 1.05) }).met).toBe(true);
    expect(line({ ...judged, figure: 3 })).toMatchObject({ target: 'none', met: undefined });
  });

  it('explains a target that cannot be met, but only if it is not met', () => {
    const target = atMost(1);
    expect(line({ ...judged, figure: 2, target, limit: 'Nothing can.' })).toMatchObject({ met: false, beyond: true, note: 'Nothing can.' });
    expect(line({ ...judged, figure: 1, target, limit: 'Nothing can.' })).not.toHaveProperty('note');
    expect(line({ ...judged, figure: 2, target })).not.toHaveProperty('beyond');
  });

  it('is in the table with its note below it', () => {
    const shown = table([
      { row: 'row', title: 'Title', seconds: 2, lines: [line({ ...judged, figure: 2, target: atMost(1), note: 'A word.' })] },
    ]);
    expect(shown).toContain('Title  [row, 2 s]');
    expect(shown).toMatch(/something +1 us +peer: 2 us +2x +at most 1x +NOT MET\n +A word\./);
  });
});

describe('the document', () => {
  const machine = { processor: 'P', cores: 2, memoryGB: 8, node: 'v24', platform: 'linux x64', loadBefore: 1, loadAfter: 2 };
  const lines = [1, 2].map((figure) =>
    line({ what: 'a | b', ours: 'x', against: 'y', figure, target: atMost(1), note: 'The same words.' }),
  );

  const taken = { at: '2030-01-02T08:00:00.000Z', machine };
  const results = { ...taken, rows: [{ row: 'row', title: 'Title', seconds: 1, lines }] };

  it('prints a note once for all lines that share it, and no cell that breaks its table', () => {
    const text = asMarkdown(results);
    expect(text.match(/The same words/g)).toHaveLength(1);
    expect(text).toContain('| a \\| b (1) | x | y | 1x | at most 1x | met |');
    expect(text).toContain('| 2x | at most 1x | not met |');
  });

  it('replaces a row that was measured again, and says when and where that was', () => {
    const anew = { row: 'row', title: 'Anew', seconds: 1, lines };
    const another = { row: 'other', title: 'Another', seconds: 1, lines };
    const merged = withRows({ ...results, rows: [...results.rows, another] }, [anew], { at: '2031-03-04T08:00:00.000Z', machine });
    expect(merged.rows.map(({ title }) => title)).toEqual(['Anew', 'Another']);
    const text = asMarkdown(merged);
    expect(text.indexOf('Taken 2030-01-02')).toBeLessThan(text.indexOf('### Anew'));
    expect(text.slice(text.indexOf('### Anew'), text.indexOf('### Another'))).toContain('Taken 2031-03-04');
    expect(text.slice(text.indexOf('### Another'))).not.toContain('Taken');
  });

  it('puts a new row after the others', () => {
    const anew = { row: 'new', title: 'New', seconds: 1, lines };
    expect(withRows(results, [anew], taken).rows.map(({ row }) => row)).toEqual(['row', 'new']);
  });

  it('replaces the results between its marks every time, and refuses a document without them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-document-'));
    const file = join(folder, 'document.md');
    await writeFile(file, 'Before.\n<!-- results: written by npm run bench -->\nold\n<!-- end of results -->\nAfter.\n');
    await writeInto(file, 'first');
    await writeInto(file, 'second');
    expect(await readFile(file, 'utf8')).toBe(
      'Before.\n<!-- results: written by npm run bench -->\n\nsecond\n\n<!-- end of results -->\nAfter.\n',
    );
    await writeFile(file, 'No marks.');
    await expect(writeInto(file, 'third')).rejects.toThrow('has no place for the results');
    await rm(folder, { recursive: true });
  });
});

describe('a process that measures', () => {
  const started = () => Object.assign(new EventEmitter(), { stderr: new EventEmitter() });

  it('returns the one result that it sends', async () => {
    const child = started();
    const result = resultOf(child as unknown as ChildProcess, 'The task');
    child.emit('message', { ours: [1] });
    child.emit('exit', 0);
    expect(await result).toEqual({ ours: [1] });
  });

  it('is reported as failed, with what it printed, if it ends without one', async () => {
    const child = started();
    const result = resultOf(child as unknown as ChildProcess, 'The task');
    child.stderr.emit('data', Buffer.from('Boom'));
    child.emit('exit', 3);
    await expect(result).rejects.toThrow('The task ended with 3 before it had a result.\nBoom');
  });
});
