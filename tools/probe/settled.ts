import { createReader, readPage, type Reader, type FormRow, rows as table } from '../../shared/reading/index.ts';
import type { RecordKind } from '../../shared/records/fields.ts';
import { isObject } from '../../shared/values.ts';

/** A response as it came (a page of a list or one record), or a delivery. */
export interface Came {
  kind: RecordKind;
  what: 'list' | 'record' | 'delivery';
  body: unknown;
  link?: string | undefined;
  /** The places of the facts around records, such as `meta.next`: '' for the top, `undefined` for another form. */
  at?: Partial<Record<'items' | 'cursor' | 'envelope', string | undefined>>;
}

/** Where the service has a fact: the rows of `reading/rows.ts` that its responses need, and the place of a fact around records. */
interface SettledForm {
  rows: readonly string[];
  at?: string;
}

/** Keyed by the gap's number and the fact, such as `G1 list.items`. */
export type Settled = Readonly<Record<string, SettledForm>>;

export const gapOf = (name: string): string => name.split(' ')[0] ?? '';
export const factOf = (name: string): string => name.split(' ')[1] ?? '';

/** Whether the settled facts name rows of the current table. For unknown ones, all rows of the fact would be deleted. */
export const isOfTable = (settled: Readonly<Record<string, Partial<SettledForm>>>): boolean =>
  Object.entries(settled).every(([name, { rows }]) =>
    rows?.every((at) => table.some((row) => `${row.gap} ${row.fact}` === name && row.at === at)),
  );

/** A place that no response has. */
const nowhere = '-';

/**
 * The rows of the table that the responses need: without any of the others, every response is read in the same way. A fact that no response
 * shows is not settled, because the service may still show it.
 */
export function settledBy(answers: readonly Came[]): Settled {
  const came = [...new Map(answers.map((each) => [`${each.kind} ${each.what} ${namesIn(each.body)}`, each])).values()];
  const usual = reading(table, came);
  const settled: Record<string, SettledForm> = {};
  let kept = [...table];
  for (const group of new Set(table.map(nameOf))) {
    const own = table.filter((row) => nameOf(row) === group);
    const hidden = kept.map((row) => (own.includes(row) ? { ...row, at: nowhere } : row));
    if (reading(hidden, came) === usual) continue;
    for (const row of [...own].reverse()) {
      const without = kept.filter((each) => each !== row);
      if (without.some((each) => own.includes(each)) && reading(without, came) === usual) kept = without;
    }
    const rows = own.filter((row) => kept.includes(row)).map(({ at }) => at);
    const at = placeOf(group, came);
    settled[group] = { rows, ...(at !== undefined && { at }) };
  }
  return settled;
}

/** The facts around records: which responses have them, and where the assumed place is written, apart from the sandbox. */
export const around: Readonly<
  Record<string, { answer: Came['what']; part: keyof NonNullable<Came['at']>; assumed: readonly [name: string, key: string] }>
> = {
  'G1 list.items': { answer: 'list', part: 'items', assumed: ['listEnvelope', 'itemsKey'] },
  'G1 list.cursor': { answer: 'list', part: 'cursor', assumed: ['listEnvelope', 'cursorKey'] },
  'G2 envelope': { answer: 'record', part: 'envelope', assumed: ['recordEnvelope', 'recordKey'] },
  'G13 envelope': { answer: 'delivery', part: 'envelope', assumed: ['deliveryBody', 'recordKey'] },
};

/** The place of such a fact in all responses; `undefined` if they differ or have it in another form. */
function placeOf(fact: string, came: readonly Came[]): string | undefined {
  const { answer, part = 'envelope' } = around[fact] ?? {};
  const places = came.flatMap(({ what, at = {} }) => (what === answer && part in at ? [at[part]] : []));
  return new Set(places).size === 1 ? places[0] : undefined;
}

const usualReader = createReader(table);

/** Every object and list in a body, from the outside in. */
export const within = (value: unknown): object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(within)] : [];

/** The list in a page whose items have the ids that were read. */
export function itemsIn(each: Came): unknown[] | undefined {
  const ids = String(pageOf(each)?.records.map(({ id }) => id));
  const hasIds = (list: unknown[]) => String(list.map((item) => usualReader.readListed(each.kind, item)?.id)) === ids;
  return within(each.body)
    .filter((list): list is unknown[] => Array.isArray(list))
    .find(hasIds);
}

/** The path to a value in a body; '' if it is the body, `undefined` if it is not in it. A list of one may be a record. */
export function pathTo(value: unknown, body: unknown): string | undefined {
  if (body === value) return '';
  if (!isObject(body) && !(Array.isArray(body) && body.length === 1)) return undefined;
  for (const [key, each] of Object.entries(body)) {
    const inside = pathTo(value, each);
    if (inside !== undefined) return inside === '' ? key : `${key}.${inside}`;
  }
  return undefined;
}

/** The names in a response: the same rows read responses with the same names. */
const namesIn = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? [
        ...new Set(
          Object.entries(value).map(([key, each]) => `${Array.isArray(value) ? '' : key}${each === null ? '-' : ''}{${namesIn(each)}}`),
        ),
      ].join()
    : typeof value;

const nameOf = ({ gap, fact }: FormRow): string => `${gap} ${fact}`;

/** Everything that a table reads in all responses, for comparison with another table. */
export function reading(rows: readonly FormRow[], came: readonly Came[]): string {
  const by = createReader(rows);
  return JSON.stringify(
    came.flatMap((each) =>
      each.what === 'list' ? [readList(by, each), readList(by, { ...each, body: emptied(each.body) })] : readRecord(by, each),
    ),
  );
}

/** The same page without its records: only its name identifies the list. */
const emptied = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_, value: unknown) => (Array.isArray(value) ? [] : value)) as unknown;

/** A page as it is read; `undefined` if it fits no form. */
export function pageOf({ kind, body, link }: Came, by = usualReader) {
  try {
    return readPage({ path: [], record: kind, resourceName: 'records', scope: 'any' }, body, link, undefined, by);
  } catch {
    return undefined;
  }
}

function readList(by: Reader, each: Came): unknown {
  const { records = [], body: _body, ...page } = pageOf(each, by) ?? {};
  return [page, records.map((record) => [by.factsOf(each.kind, { ...record }), record])];
}

function readRecord(by: Reader, { kind, body }: Came): unknown {
  const held = by.find(kind, body);
  return [held && [by.factsOf(kind, held.raw), by.read(kind, held)]];
}

/** One line for each settled fact, with the place where the service has it. */
export const settledText = (settled: Settled): string =>
  Object.entries(settled)
    .map(([name, seen]) => `  ${gapOf(name).padEnd(4)} ${factOf(name)}: ${placesIn(seen)}`)
    .join('\n');

export const placesIn = ({ rows, at }: SettledForm): string =>
  (at === undefined ? rows : [at]).map((each) => (each === '' ? 'the top' : `\`${each}\``)).join(' or ');
