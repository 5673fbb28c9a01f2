import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { FORMS } from '../../sandbox/variants.ts';
import { rows as table } from '../../shared/reading/index.ts';
import { around, factOf, gapOf, placesIn, reading, type Came, type Settled } from './settled.ts';
import { guideOf, guides } from './settledGuides.ts';

/** A row of the table as it is written, one per line. */
const line = /^ {2}row\('(?<gap>G\d+)', '(?<fact>[^']*)', '(?<at>[^']*)', '[^']*', '(?<who>[^']*)'(?:, [^\n]*)?\),\n/gm;

type Row = Record<'gap' | 'fact' | 'at' | 'who', string>;

/** A service's responses, as in `test/forms/`. */
interface ServiceAnswers {
  service: string;
  kinds: Partial<Record<'list' | 'eventTypes' | 'contacts', unknown[]>> &
    Partial<Record<'get' | 'create', { body?: unknown }>> & { deliveries?: { body: unknown }[] };
}

const cameFrom = ({ list = [], eventTypes = [], contacts = [], get, create, deliveries = [] }: ServiceAnswers['kinds']): Came[] => [
  ...list.map((body): Came => ({ kind: 'booking', what: 'list', body })),
  ...eventTypes.map((body): Came => ({ kind: 'eventType', what: 'list', body })),
  ...contacts.map((body): Came => ({ kind: 'contact', what: 'list', body })),
  ...[get, create].flatMap((each): Came[] => (each === undefined ? [] : [{ kind: 'booking', what: 'record', body: each.body }])),
  ...deliveries.map(({ body }): Came => {
    const read = typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : body;
    return { kind: 'booking', what: 'delivery', body: read };
  }),
];

/**
 * Deletes the other rows of settled facts, and everything that only they need: the sandbox's values, the responses of services with such a
 * form, and the tests named after the gap. Facts around records get the place that was seen, everywhere. Our own records' names stay,
 * because the samples, the stored data and the sandbox use them.
 *
 * @param folder of the project
 * @returns how many rows are gone, the services whose responses are no longer read, and what must be settled by hand: facts around records
 *   without a single place, such as a bare list
 */
export async function settle(folder: string, given: Settled) {
  const left = Object.keys(given).filter((name) => name in around && (given[name]?.at ?? '') === '');
  const settled: Settled = Object.fromEntries(Object.entries(given).filter(([name]) => !left.includes(name)));
  const gaps = [...new Set(Object.keys(settled).map(gapOf))];
  const isGone = ({ gap, fact, at, who }: Row): boolean => {
    const name = `${gap} ${fact}`;
    const isOwn = who.startsWith('own') && !(name in around);
    return !isOwn && settled[name]?.rows.includes(at) === false;
  };
  const kept = table.filter((row) => !isGone(row));
  const edit = async (file: string, change: (text: string) => string): Promise<void> => {
    const filepath = join(folder, file);
    const before = await readFile(filepath, 'utf8');
    const after = change(before);
    // Documents and data keep the lines that they have.
    const isSource = file.endsWith('.ts');
    if (after !== before)
      await writeFile(filepath, isSource ? await format(after, { ...(await resolveConfig(filepath)), filepath }) : after);
  };

  await edit('shared/reading/rows.ts', (text) => text.replaceAll(line, (whole, ...found) => (isGone(found.at(-1) as Row) ? '' : whole)));

  await edit('shared/assumptions.ts', (before) => {
    let text = before;
    for (const [name, { assumed }] of Object.entries(around)) {
      const [holder, key] = assumed;
      const at = settled[name]?.at;
      if (at !== undefined) text = text.replace(new RegExp(`(const ${holder} = \\{.*?\\b${key}: )'[^']*'`), `$1'${at}'`);
    }
    return text;
  });

  await edit('shared/assumptions.json', (before) => {
    const statements = JSON.parse(before) as Record<string, { number: string; assumed: string; alsoRead?: string }>;
    for (const statement of Object.values(statements)) {
      const facts = Object.entries(settled).filter(([name]) => gapOf(name) === statement.number);
      if (facts.length === 0) continue;
      const places = facts.map(([name, seen]) => `\`${factOf(name)}\` at ${placesIn(seen)}`).join('; ');
      const says = `as the service was seen to answer, and with no other row of \`reading/rows.ts\`: ${places}`;
      if (facts.some(([name]) => name in around)) {
        statement.assumed = says;
        delete statement.alsoRead;
      } else statement.alsoRead = says;
    }
    return `${JSON.stringify(statements, null, 2)}\n`;
  });

  await edit('sandbox/variants.ts', (before) => {
    let text = before.replace(/(const SETTLED: readonly string\[\] = \[)([^\]]*)\]/, (_, start: string, earlier: string) => {
      const all = new Set([...(earlier.match(/\w+/g) ?? []), ...gaps]);
      return `${start}${[...all].map((gap) => `'${gap}'`).join(', ')}]`;
    });
    for (const [name, form] of Object.entries(FORMS)) {
      const seen = 'fact' in form ? settled[`${form.gap} ${form.fact}`] : undefined;
      if (seen === undefined) continue;
      const [first] = form.values;
      const isPlace = new RegExp(`^ {2}${name}: place\\(`, 'm').test(text);
      const value = isPlace ? (seen.at ?? first) : first;
      text = text.replace(new RegExp(`(^ {2}${name}: (?:place|choice)\\([^]*?)'${form.values.join(' \\| ')}'`, 'm'), `$1'${value}'`);
    }
    return text;
  });

  for (const file of guides) await edit(file, (text) => guideOf(text, settled));

  for (const file of await readdir(join(folder, 'test'), { recursive: true }))
    if (gaps.some((gap) => file.endsWith(`.${gap}.test.ts`))) await rm(join(folder, 'test', file));

  const gone: string[] = [];
  for (const file of await readdir(join(folder, 'test/forms'))) {
    const { service, kinds } = JSON.parse(await readFile(join(folder, 'test/forms', file), 'utf8')) as ServiceAnswers;
    const came = cameFrom(kinds);
    if (reading(table, came) === reading(kept, came)) continue;
    await rm(join(folder, 'test/forms', file));
    gone.push(service);
    const entry = new RegExp(`^ {2}"${file.replace('.json', '')}": \\{\\n[^]*?^ {2}\\},?\\n`, 'm');
    await edit('sandbox/services.json', (text) => text.replace(entry, '').replace(/,\n\}\n$/, '\n}\n'));
  }
  return { rows: table.length - kept.length, services: gone, left };
}
