import { errorBody, type errorCodes, eventTypeRecord, listEnvelope, recordEnvelope } from '../../shared/assumptions.ts';
import { readPage } from '../../shared/client/envelope.ts';
import { type ErrorKind, refusal } from '../../shared/client/errors.ts';
import { type FieldOf, type FieldRow, type FieldRows, recordTables } from '../../shared/records/fields.ts';
import { type RecordKind, type RecordOf, inexactId, readRecord, readings, recordIn } from '../../shared/records/records.ts';
import { resources } from '../../shared/records/resources.ts';
import { asText, isObject } from '../../shared/values.ts';
import type { Findings, Gap } from './findings.ts';
import { rowToAdd } from './rowToAdd.ts';
import { type Reply, shapeOf } from './wire.ts';

const gapOf = (kind: RecordKind): Gap => `${kind}Record`;

/** A record as it was received, without canonical names. */
export type Raw = Record<string, unknown>;

/** Every value of an answer with its path, from the outside to the inside. A list of one may be a record, as for the core. */
function placesIn(value: unknown, path = '', depth = 2): [path: string, value: unknown][] {
  const inside = Array.isArray(value) && value.length === 1 ? ([['0', value[0]]] as const) : isObject(value) ? Object.entries(value) : [];
  const deeper = depth > 0 ? inside : [];
  return [[path, value], ...deeper.flatMap(([key, each]) => placesIn(each, path === '' ? key : `${path}.${key}`, depth - 1))];
}

const placeAt = (path: string | undefined): string =>
  path === undefined ? 'in another form' : path === '' ? 'at the root' : `under "${path}"`;

/** The record in an answer, and where it was (G2). `undefined` if the core finds none, which is noted. */
export function single(findings: Findings, kind: RecordKind, { body, request }: Reply): Raw | undefined {
  const record = recordIn(kind, body);
  if (record === undefined) {
    noteInexact(findings, kind, body);
    findings.differs('recordEnvelope', `${request} contains no ${readings[kind].names[0]} with an id, but ${shapeOf(body)}`);
    return undefined;
  }
  const [path, raw] = placesIn(body).find(([, value]) => readRecord(kind, value)?.id === record.id) ?? [];
  findings.judge('recordEnvelope', path === recordEnvelope.recordKey, `the record is ${placeAt(path)}`);
  return isObject(raw) ? raw : { ...record };
}

interface ListSeen {
  items: Raw[];
  cursor: string | undefined;
  /** Whether the page says in any way that it is the last one. */
  ended: boolean;
}

/** The items and the cursor of a list, and where they were (G1). `undefined` if the core finds none, which is noted. */
export function list(findings: Findings, kind: RecordKind, { body, headers, request }: Reply): ListSeen | undefined {
  const read = readAsPage(kind, body, headers['link']);
  if (read === undefined) {
    noteInexact(findings, kind, body);
    findings.differs('listEnvelope', `${request} contains no list of records with an id, but ${shapeOf(body)}`);
    return undefined;
  }
  const ids = read.records.map(({ id }) => id).join();
  const usual = listEnvelope.itemKeys[0] ?? '';
  const places = placesIn(body).sort(([one], [other]) => Number(other === usual) - Number(one === usual));
  const [path, items] =
    places.find(([, each]) => Array.isArray(each) && each.map((item) => readRecord(kind, item)?.id).join() === ids) ?? [];
  findings.judge('listEnvelope', path === usual, `the items are ${placeAt(path)}`);
  noteCursor(findings, body, read.cursor);
  return {
    items: Array.isArray(items) ? items.filter(isObject) : read.records.map((each) => ({ ...each })),
    cursor: read.cursor,
    ended: read.saysEnd,
  };
}

/** A page as the core reads it; `undefined` if it fits no form, or its records have no ids. */
function readAsPage(kind: RecordKind, body: unknown, link: string | undefined) {
  try {
    const page = readPage({ path: [], record: kind, resourceName: 'records', scope: 'any' }, body, link, undefined);
    return page.records.every(({ id }) => asText(id) !== '') ? page : undefined;
  } catch {
    return undefined;
  }
}

/** Where a page says how the list continues. */
function noteCursor(findings: Findings, body: unknown, cursor: string | undefined): void {
  const said = placesIn(body, '', 1).flatMap(([path, holder]) =>
    Object.entries(isObject(holder) ? holder : {}).map(([key, value]) => ({ key, value, path })),
  );
  const placed = (key: string, path: string): string => `"${key}" ${path === '' ? 'at the top' : `in "${path}"`}`;
  const more = said.find(({ key, value }) => listEnvelope.moreKey.test(key) && typeof value === 'boolean');
  if (more !== undefined) findings.alsoRead('listEnvelope', `the page has ${placed(more.key, more.path)}`);
  const isEnd = (value: unknown): boolean => value === null || value === false || value === '';
  const found = said.find(({ key, value }) => listEnvelope.cursorKeys.includes(key) && (isEnd(value) || typeof value === 'string'));
  if (cursor !== undefined && (found === undefined || isEnd(found.value))) {
    findings.alsoRead('listEnvelope', 'the next cursor is under another key, or in an address');
  } else if (found !== undefined) {
    const { key, value, path } = found;
    const isUsual = key === listEnvelope.cursorKeys[0] && path === '' && value !== false && value !== '';
    const what = isEnd(value) ? `the last page has ${JSON.stringify(value)} as` : 'the next cursor is';
    findings.judge('listEnvelope', isUsual, `${what} ${placed(key, path)}`);
  }
}

/** The fields of a booking that are an assumption of their own. */
const links: ReadonlySet<string> = new Set<FieldOf<'booking'>>(['reschedule_url', 'cancel_url', 'booking_url']);

/** Which assumed fields a record has and which others (G4 to G7, G9, G47), and the type of its ids (G3). */
export function fields(findings: Findings, kind: RecordKind, raw: Raw): void {
  const rows: FieldRows = recordTables[kind].fields;
  const sent = Object.entries(rows).filter(([, { isMade }]) => isMade !== true);
  const isLink = ([name]: [string, unknown]): boolean => kind === 'booking' && links.has(name);
  const thing = resources[kind].label.toLowerCase();
  const elsewhere = [
    ...known(
      findings,
      gapOf(kind),
      thing,
      sent.filter((row) => !isLink(row)),
      raw,
    ),
    ...(kind === 'booking' ? known(findings, 'bookingLinks', thing, sent.filter(isLink), raw) : []),
  ];
  const unknown = Object.keys(raw).filter((name) => !Object.hasOwn(rows, name) && !elsewhere.some((path) => path[0] === name));
  if (unknown.length > 0) {
    const toAdd = unknown.slice(0, 12).map((name) => `\n           ${rowToAdd(name.slice(0, 40), raw[name])}`);
    findings.alsoRead(
      gapOf(kind),
      `${thing}: more than the assumed fields. They are passed on without a label. To add to \`${kind}\` in shared/records/fields.ts:${toAdd.join('')}`,
    );
  }
  for (const [name, { type, alsoAt = [] }] of sent)
    if (type === 'id')
      noteId(
        findings,
        [[name], ...alsoAt].map((path) => valueAt(raw, path)).find((id) => id !== undefined),
      );
}

/** Notes which fields of an assumption a record has. Returns the other places in which it has some. */
function known(findings: Findings, gap: Gap, thing: string, sent: readonly [string, FieldRow][], raw: Raw): (readonly string[])[] {
  const instead = sent.flatMap(([name, { alsoAt = [] }]) =>
    raw[name] !== undefined ? [] : alsoAt.filter((path) => valueAt(raw, path) !== undefined).map((path) => ({ name, path })),
  );
  const absent = sent.map(([name]) => name).filter((name) => raw[name] === undefined && !instead.some((each) => each.name === name));
  if (instead.length === 0 && absent.length === 0) findings.note(gap, 'as assumed', `${thing}: every assumed field`);
  for (const { name, path } of instead) findings.alsoRead(gap, `${thing}: \`${name}\` came as \`${path.join('.')}\``);
  if (absent.length > 0) findings.alsoRead(gap, `${thing}: without ${absent.map((name) => `\`${name}\``).join(', ')}`);
  return instead.map(({ path }) => path);
}

function noteId(findings: Findings, id: unknown): void {
  if (typeof id === 'string') findings.note('ids', 'as assumed', 'ids are strings');
  else if (typeof id === 'number') findings.alsoRead('ids', 'ids are numbers');
}

function noteInexact(findings: Findings, kind: RecordKind, body: unknown): void {
  const values = placesIn(body).flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : [value]));
  const field = values.map((value) => inexactId(kind, value)).find((inexact) => inexact !== undefined);
  if (field !== undefined) findings.differs('ids', `\`${field}\` is a number beyond 2^53, which JSON does not keep exactly`);
}

const valueAt = (raw: Raw, path: readonly string[]): unknown =>
  path.reduce<unknown>((holder, key) => (isObject(holder) ? holder[key] : undefined), raw);

/** How an event type asks its questions (G6). */
export function questions(findings: Findings, raw: Raw): void {
  const { questions: asked } = readRecord('eventType', raw) ?? {};
  for (const question of (Array.isArray(asked) ? asked : []).filter(isObject)) {
    const key = eventTypeRecord.questionKeys.find((name) => typeof question[name] === 'string' || typeof question[name] === 'number');
    const noKey = `a question has none of the keys ${eventTypeRecord.questionKeys.join(', ')}; it has ${shapeOf(question)}`;
    if (key === undefined) findings.differs('eventTypeRecord', noKey);
    else findings.judge('eventTypeRecord', key === eventTypeRecord.questionKeys[0], `the key of a question is in \`${key}\``);
    const { type, options } = question;
    if (typeof type !== 'string' || !Object.hasOwn(eventTypeRecord.questionTypes, type))
      findings.alsoRead('eventTypeRecord', `a question has the type ${JSON.stringify(type)}, which is treated as text`);
    if (Array.isArray(options) && options.length > 0)
      findings.judge(
        'eventTypeRecord',
        options.every((option) => typeof option === 'string'),
        'options are strings',
        'options are objects',
      );
  }
}

/** A record under its canonical names, as the core reads it. */
export const canonical = <Kind extends RecordKind>(kind: Kind, raw: Raw): Partial<RecordOf[Kind]> => readRecord(kind, raw) ?? {};

/** A refusal that was provoked, and how the core should understand it. */
export interface Expected {
  kind: ErrorKind;
  status: number;
  code: keyof typeof errorCodes.codes;
}

/** Checks the body of a refusal (G17) and how the core understands it (G18). */
export function judgeRefusal(findings: Findings, reply: Reply, expected: Expected): void {
  const { body, status, request } = reply;
  if (status >= 200 && status < 300) {
    findings.differs('errorCodes', `${request} should have been refused with ${expected.code} but was answered with ${status}`);
    return;
  }
  if (!isObject(body)) {
    findings.alsoRead('errorBody', `a refusal came with ${shapeOf(body)}`);
  } else {
    const { error, code, message, [errorBody.detailsKey]: details } = body;
    const named = typeof error === 'string' && typeof code === 'string';
    findings.judge('errorBody', named, 'a refusal has `error` and `code`', `a refusal came with ${shapeOf(body)}`);
    if (typeof message === 'string') findings.alsoRead('errorBody', 'a refusal has a `message`');
    if (expected.kind === 'invalid') {
      const listed =
        Array.isArray(details) &&
        details.every((each) => isObject(each) && typeof each['field'] === 'string' && typeof each['message'] === 'string');
      findings.judge(
        'errorBody',
        listed,
        'a validation error has `details` with `field` and `message`',
        'a validation error names no fields in `details`',
      );
    }
  }
  const { kind, code = 'none' } = refusal(reply, { resourceName: 'booking', scope: 'any' }, Date.now());
  const what = `${request.split('?')[0] ?? request}: ${status} with the code ${code}`;
  if (kind === expected.kind && code === expected.code && status === expected.status) findings.note('errorCodes', 'as assumed', what);
  else if (kind === expected.kind) findings.alsoRead('errorCodes', `${what}, which is also understood`);
  else if (expected.status < 500 && status < 500)
    findings.alsoRead('errorCodes', `${what} instead of ${expected.code}: the status decides, so people read it as "${kind}"`);
  else findings.differs('errorCodes', `${what} instead of ${expected.code}`);
}
