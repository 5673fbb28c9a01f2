import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FORMS } from '../../sandbox/variants.ts';
import { rows as table } from '../../shared/reading/index.ts';
import { placesIn, readAlike, type Came, type Settled } from './settled.ts';

/** What was settled: how many forms are gone, and the services whose answers are no longer read. */
interface Gone {
  rows: number;
  services: string[];
  /** What is around records in a way that has no place, such as a bare list, or several: it is settled by hand. */
  left: string[];
}

/** A row of the table as it is written, one a line. */
const line = /^ {2}row\('(G\d+)', '([^']*)', '([^']*)', '[^']*', '([^']*)'(?:, [^\n]*)?\),\n/gm;

/** The answers of a service, as `test/forms/` has them. */
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
  ...deliveries.map(
    ({ body }): Came => ({
      ...{ kind: 'booking', what: 'delivery' },
      body: typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : body,
    }),
  ),
];

/** Where the canonical place of what is around records is written, as well as in the sandbox. */
const canonical: Readonly<Record<string, readonly [name: string, key: string]>> = {
  'G1 list.items': ['listEnvelope', 'itemsKey'],
  'G1 list.cursor': ['listEnvelope', 'cursorKey'],
  'G2 envelope': ['recordEnvelope', 'recordKey'],
  'G13 envelope': ['deliveryBody', 'recordKey'],
};
/** Where people read how lists continue. */
const guides = ['docs/guides/generic-clients.md', 'docs/templates/http-request.json'];

/**
 * Deletes the other rows of what is settled, and all that only they need: the values of the sandbox, the answers of services that have such a
 * form, the tests that are named after the gap. What is around records then has the place that was seen, everywhere. The names of our own
 * records stay: the samples, what is stored, and the sandbox have them.
 *
 * @param folder of the project
 */
export async function settle(folder: string, given: Settled): Promise<Gone> {
  const left = Object.entries(given).flatMap(([gap, facts]) =>
    Object.keys(facts)
      .filter((fact) => canonical[`${gap} ${fact}`] !== undefined && (facts[fact]?.at ?? '') === '')
      .map((fact) => `${gap} ${fact}`),
  );
  const settled = Object.fromEntries(
    Object.entries(given).map(([gap, facts]) => [
      gap,
      Object.fromEntries(Object.entries(facts).filter(([fact]) => !left.includes(`${gap} ${fact}`))),
    ]),
  ) as Settled;
  const gaps = Object.keys(settled);
  const seenOf = (gap: string, fact: string) => settled[gap]?.[fact];
  const isGone = (gap: string, fact: string, at: string, who: string): boolean => {
    const seen = seenOf(gap, fact);
    const isOwn = who.startsWith('own') && canonical[`${gap} ${fact}`] === undefined;
    return seen !== undefined && !isOwn && !seen.rows.includes(at);
  };
  const kept = table.filter(({ gap, fact, at, who }) => !isGone(gap, fact, at, who));
  const edit = async (file: string, change: (text: string) => string): Promise<void> => {
    const before = await readFile(join(folder, file), 'utf8');
    const after = change(before);
    if (after !== before) await writeFile(join(folder, file), after);
  };

  await edit('shared/reading/rows.ts', (text) =>
    text.replaceAll(line, (whole, ...[gap, fact, at, who]: string[]) => (isGone(gap ?? '', fact ?? '', at ?? '', who ?? '') ? '' : whole)),
  );

  await edit('shared/assumptions.ts', (before) => {
    let text = before;
    for (const [name, [holder, key]] of Object.entries(canonical)) {
      const [gap = '', fact = ''] = name.split(' ');
      const at = seenOf(gap, fact)?.at;
      if (at !== undefined) text = text.replace(new RegExp(`(const ${holder} = \\{.*?\\b${key}: )'[^']*'`), `$1'${at}'`);
    }
    return text;
  });

  await edit('shared/assumptions.json', (before) => {
    const statements = JSON.parse(before) as Record<string, { number: string; assumed: string; alsoRead?: string }>;
    for (const statement of Object.values(statements)) {
      const facts = settled[statement.number];
      if (facts === undefined) continue;
      if (Object.keys(facts).some((fact) => canonical[`${statement.number} ${fact}`] !== undefined)) {
        statement.assumed = saysSettled(facts);
        delete statement.alsoRead;
      } else statement.alsoRead = saysSettled(facts);
    }
    return `${JSON.stringify(statements, null, 2)}\n`;
  });

  await edit('sandbox/variants.ts', (before) => {
    let text = before.replace(
      /(const SETTLED: readonly string\[\] = \[)([^\]]*)\]/,
      (_, start: string, earlier: string) =>
        `${start}${[...new Set([...(earlier.match(/\w+/g) ?? []), ...gaps])].map((gap) => `'${gap}'`).join(', ')}]`,
    );
    for (const [name, form] of Object.entries(FORMS)) {
      const seen = 'fact' in form ? seenOf(form.gap, form.fact) : undefined;
      if (seen === undefined) continue;
      const [first] = form.values;
      const isPlace = new RegExp(`^ {2}${name}: place\\(`, 'm').test(text);
      const value = isPlace ? (seen.at ?? first) : first;
      text = text.replace(new RegExp(`(^ {2}${name}: (?:place|choice)\\([^]*?)'${form.values.join(' \\| ')}'`, 'm'), `$1'${value}'`);
    }
    return text;
  });

  const cursor = seenOf('G1', 'list.cursor')?.at;
  if (cursor !== undefined) for (const file of guides) await edit(file, (text) => text.replaceAll(FORMS.cursor.values[0], cursor));

  for (const file of await readdir(join(folder, 'test'), { recursive: true }))
    if (gaps.some((gap) => file.endsWith(`.${gap}.test.ts`))) await rm(join(folder, 'test', file));

  const gone: string[] = [];
  for (const file of await readdir(join(folder, 'test/forms'))) {
    const { service, kinds } = JSON.parse(await readFile(join(folder, 'test/forms', file), 'utf8')) as ServiceAnswers;
    if (readAlike(table, kept, cameFrom(kinds))) continue;
    await rm(join(folder, 'test/forms', file));
    gone.push(service);
    const entry = new RegExp(`^ {2}"${file.replace('.json', '')}": \\{\\n[^]*?^ {2}\\},?\\n`, 'm');
    await edit('sandbox/services.json', (text) => text.replace(entry, '').replace(/,\n\}\n$/, '\n}\n'));
  }
  return { rows: table.length - kept.length, services: gone, left };
}

const saysSettled = (facts: Settled[string]): string =>
  `as the service was seen to answer, and no other form of \`reading/rows.ts\`: ${Object.entries(facts)
    .map(([fact, seen]) => `\`${fact}\` at ${placesIn(seen)}`)
    .join('; ')}`;
