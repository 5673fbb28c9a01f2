import { join } from 'node:path';
import { root } from '../../tools/root.cjs';
import type { Limits } from '../../sandbox/limits.ts';
import { deliver, mostAMinute } from './deliveries.ts';
import { shareTheLimit } from './limit.ts';

const KINDS: Record<Limits['kind'], string> = { fixed: 'fixed window', sliding: 'sliding window', bucket: 'token bucket' };

const row = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;
const table = (headings: string[], rows: (string | number)[][]): string =>
  [row(headings), row(headings.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');
const number = (value: number): string => String(Math.round(value / 10) * 10);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** How processes that know nothing of each other share one account's limit. */
export async function sharingTable(): Promise<string> {
  const rows: string[][] = [];
  for (const [workers, executions] of [
    [1, 1],
    [1, 10],
    [2, 1],
    [3, 1],
    [3, 10],
    [8, 10],
  ] as const) {
    const cells: string[] = [];
    for (const kind of Object.keys(KINDS) as Limits['kind'][]) {
      const { perMinute, lost, refused } = await shareTheLimit({ workers, executions, kind });
      cells.push(number(perMinute), String(lost), percent(refused));
    }
    rows.push([`${workers} x ${executions}`, ...cells]);
  }
  const headings = Object.values(KINDS).flatMap((kind) => [`${kind}: items a minute`, 'lost', 'sent again after 429']);
  return table(['Workers x executions at a time', ...headings], rows);
}

/** Bulk items a minute, for growing numbers of accounts and workers. */
export async function bulkTable(): Promise<string> {
  const workers = [1, 3, 6];
  const rows: string[][] = [];
  for (const accounts of [1, 2, 4, 8]) {
    const cells: string[] = [];
    for (const each of workers)
      cells.push(number((await shareTheLimit({ workers: each, executions: 1, accounts, kind: 'fixed' })).perMinute));
    rows.push([String(accounts), ...cells, String(accounts * 1000)]);
  }
  return table(['Accounts', ...workers.map((each) => (each === 1 ? '1 worker' : `${each} workers`)), 'What the service allows'], rows);
}

/**
 * Measured with `npm run start:queue -- --once --deliveries`, as docs/scale.md explains: milliseconds of a core for a delivery and for its
 * execution.
 */
export const cost = { processorMs: 66, workerMs: 62 };
const A_MINUTE_EACH = 100;

/** Deliveries a minute, for growing numbers of accounts, webhook processors and workers. */
export async function deliveriesTable(): Promise<string> {
  const plants = [
    [1, 1],
    [2, 3],
    [4, 4],
    [8, 8],
  ].map(([processors = 0, workers = 0]) => ({ processors, workers, cost }));
  const rows: string[][] = [['on paper, at most', '', ...plants.map((plant) => number(mostAMinute(plant)))]];
  for (const accounts of [2, 5, 8, 10, 15, 30, 60]) {
    const deliveriesAMinute = accounts * A_MINUTE_EACH;
    const cells: string[] = [];
    for (const plant of plants) {
      // Far beyond its capacity there is nothing more to learn.
      if (deliveriesAMinute > 1.3 * mostAMinute(plant)) cells.push('too many');
      else {
        const { perMinute, seconds, sentAgain } = await deliver({ ...plant, deliveriesAMinute });
        cells.push(
          `${number(perMinute)} (${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s${sentAgain > 0 ? `, ${percent(sentAgain)} sent again` : ''})`,
        );
      }
    }
    rows.push([String(accounts), number(deliveriesAMinute), ...cells]);
  }
  const headings = plants.map(({ processors, workers }) => `${processors} + ${workers}`);
  return table(['Accounts', 'Deliveries a minute', ...headings], rows);
}

export const scalePage = join(root, 'docs', 'scale.md');

/** The page with its simulated tables as they are computed now. */
export async function withTables(page: string): Promise<string> {
  const tables = { sharing: await sharingTable(), bulk: await bulkTable(), deliveries: await deliveriesTable() };
  return Object.entries(tables).reduce(
    (text, [name, content]) => text.replace(new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`), `$1${content}\n$2`),
    page,
  );
}
