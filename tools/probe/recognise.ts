import { errorBody, type errorCodes, eventTypeRecord, listEnvelope, recordEnvelope } from '../../shared/assumptions.ts';
import { readPage } from '../../shared/client/envelope.ts';
import { type ErrorKind, refusal } from '../../shared/client/errors.ts';
import { type FieldRows, recordTables } from '../../shared/records/fields.ts';
import { type RecordKind, type RecordOf, inexactId, readRecord, readings, recordIn } from '../../shared/records/records.ts';
import { resources } from '../../shared/records/resources.ts';
import { asText, isObject } from '../../shared/values.ts';
import type { Findings, Gap } from './findings.ts';
import { type Reply, shapeOf } from './wire.ts';

const gapOf = (kind: RecordKind): Gap => `${kind}Record`;

/** A record as it was received, without canonical names. */
export type Raw = Record<string, unknown>;

/** The record in an answer, and where it was (G2). `undefined` if it fits none of the forms, which is noted. */
export function single(findings: Findings, kind: RecordKind, { body, request }: Reply): Raw | undefined {
  const holders: [string, unknown][] = isObject(body)
    ? [recordEnvelope.recordKey, ...readings[kind].names].map((key): [string, unknown] => [`under "${key}"`, body[key]])
    : [];
  const found = [...holders, ['at the root', body] as const].find(([, value]) => readRecord(kind, value) !== undefined, undefined);
  const deeper = found === undefined ? recordIn(kind, body) : undefined;
  if (deeper !== undefined) {
    findings.note('recordEnvelope', 'also read', `${request} has the ${readings[kind].names[0]} deeper inside: ${shapeOf(body)}`);
    return { ...deeper };
  }
  if (found === undefined || !isObject(found[1])) {
    noteInexact(findings, kind, [...holders.map(([, value]) => value), body]);
    findings.differs('recordEnvelope', `${request} contains no ${readings[kind].names[0]} with an id, but ${shapeOf(body)}`);
    return undefined;
  }
  findings.judge('recordEnvelope', found[0] === `under "${recordEnvelope.recordKey}"`, `the record is ${found[0]}`);
  return found[1];
}

interface ListSeen {
  items: Raw[];
  cursor: string | undefined;
  /** Whether the page says in any way that it is the last one. */
  ended: boolean;
}

/** The items and the cursor of a list, and where they were (G1). `undefined` if they fit none of the forms, which is noted. */
export function list(findings: Findings, kind: RecordKind, { body, headers, request }: Reply): ListSeen | undefined {
  const keys = [...listEnvelope.itemKeys, ...readings[kind].names];
  const key = isObject(body) ? keys.find((each) => Array.isArray(body[each])) : undefined;
  const items: unknown = Array.isArray(body) ? body : isObject(body) && key !== undefined ? body[key] : undefined;
  const read = readAsPage(kind, body, headers['link']);
  if (items === undefined && read !== undefined) {
    findings.note('listEnvelope', 'also read', `${request} has its list in another place: ${shapeOf(body)}`);
    return { items: read.records.map((each) => ({ ...each })), cursor: read.cursor, ended: read.saysEnd };
  }
  if (!Array.isArray(items) || !items.every((item) => readRecord(kind, item) !== undefined)) {
    noteInexact(findings, kind, Array.isArray(items) ? items : []);
    findings.differs(
      'listEnvelope',
      `${request} contains no list of records with an id, but ${shapeOf(Array.isArray(items) ? items.find((item) => readRecord(kind, item) === undefined) : body)}`,
    );
    return undefined;
  }
  findings.judge(
    'listEnvelope',
    key === listEnvelope.itemKeys[0],
    key === undefined ? 'the list is the whole body' : `the items are under "${key}"`,
  );
  const seen = cursorIn(findings, body);
  const cursor = read?.cursor;
  if (cursor !== undefined && seen.cursor === undefined)
    findings.alsoRead('listEnvelope', 'the next cursor is under another key, or in an address');
  return { items: items.filter(isObject), ...seen, cursor };
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

function cursorIn(findings: Findings, body: unknown): Pick<ListSeen, 'cursor' | 'ended'> {
  if (!isObject(body)) return { cursor: undefined, ended: false };
  const places: [string, unknown][] = [
    ['at the top', body],
    ...Object.entries(body).map(([place, holder]): [string, unknown] => [`in "${place}"`, holder]),
  ];
  for (const [place, holder] of places) {
    if (!isObject(holder)) continue;
    const more = Object.keys(holder).find((each) => listEnvelope.moreKey.test(each) && typeof holder[each] === 'boolean');
    if (more !== undefined) findings.alsoRead('listEnvelope', `"${more}" is ${place}`);
    const key = listEnvelope.cursorKeys.find((each) => Object.hasOwn(holder, each));
    if (key === undefined) continue;
    const value = holder[key];
    const usual = key === listEnvelope.cursorKeys[0] && place === 'at the top';
    if (typeof value === 'string' && value !== '') {
      findings.judge('listEnvelope', usual, `the next cursor is "${key}" ${place}`);
      return { cursor: value, ended: false };
    }
    if (value === null || value === false || value === '') {
      findings.judge('listEnvelope', usual && value === null, `the last page has ${JSON.stringify(value)} as "${key}" ${place}`);
      return { cursor: undefined, ended: true };
    }
  }
  return { cursor: undefined, ended: false };
}

/** Which assumed fields a record has and which others (G4 to G7, G9), and the type of its ids (G3). */
export function fields(findings: Findings, kind: RecordKind, raw: Raw): void {
  const gap = gapOf(kind);
  const thing = resources[kind].label.toLowerCase();
  const rows: FieldRows = recordTables[kind].fields;
  const sent = Object.entries(rows).filter(([, { isMade }]) => isMade !== true);
  const wanted = sent.map(([name]) => name);
  const instead = sent.flatMap(([name, { alsoAt = [] }]) =>
    raw[name] !== undefined
      ? []
      : alsoAt.filter((path) => valueAt(raw, path) !== undefined).map((path) => ({ name, path: path.join('.') })),
  );
  const absent = wanted.filter((name) => raw[name] === undefined && !instead.some((each) => each.name === name));
  if (instead.length === 0 && absent.length === 0) findings.note(gap, 'as assumed', `${thing}: every assumed field`);
  for (const { name, path } of instead) findings.alsoRead(gap, `${thing}: \`${name}\` came as \`${path}\``);
  if (absent.length > 0) findings.alsoRead(gap, `${thing}: without ${absent.map((name) => `\`${name}\``).join(', ')}`);
  const unknown = Object.keys(raw).filter((name) => !wanted.includes(name) && !instead.some(({ path }) => path.split('.')[0] === name));
  if (unknown.length > 0)
    findings.alsoRead(
      gap,
      `${thing}: more than the assumed fields: ${unknown
        .slice(0, 12)
        .map((name) => `\`${name.slice(0, 40)}\``)
        .join(', ')}`,
    );
  for (const [name, { type, alsoAt = [] }] of sent)
    if (type === 'id')
      noteId(
        findings,
        [[name], ...alsoAt].map((path) => valueAt(raw, path)).find((id) => id !== undefined),
      );
}

function noteId(findings: Findings, id: unknown): void {
  if (typeof id === 'string') findings.note('ids', 'as assumed', 'ids are strings');
  else if (typeof id === 'number') findings.alsoRead('ids', 'ids are numbers');
}

function noteInexact(findings: Findings, kind: RecordKind, values: readonly unknown[]): void {
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
