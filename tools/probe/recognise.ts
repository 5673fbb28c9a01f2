import * as z from 'zod/v4';
import { reader } from '../../shared/reading/index.ts';
import { refusal } from '../../shared/client/errors.ts';
import type { RecordKind, RecordOf } from '../../shared/records/fields.ts';
import { Booking, Contact, EventType, listOf, Subscription, User } from '../../sandbox/openapi/endpoints.ts';
import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { errorBody, errorCodes, listEnvelope, recordEnvelope } from '../../shared/assumptions.ts';
import { resources } from '../../shared/records/resources.ts';
import { asText, isObject } from '../../shared/values.ts';
import type { Findings, Gap } from './findings.ts';
import { type Came, itemsIn, pageOf, pathTo, within } from './settled.ts';
import { type Reply, shapeOf } from './wire.ts';

/** A record as it was received, without canonical names. */
export type ReceivedRecord = Record<string, unknown>;

const placeAt = (path: string | undefined): string =>
  path === undefined ? 'in another form' : path === '' ? 'at the root' : `under "${path}"`;

/** The record in an answer, and where it was (G2). `undefined` if the core finds none, which is noted. */
export function single(findings: Findings, kind: RecordKind, { body, request }: Reply): ReceivedRecord | undefined {
  const found = reader.find(kind, body)?.raw;
  if (found === undefined || reader.read(kind, { raw: found }) === undefined) {
    noteInexact(findings, kind, body);
    findings.differs('recordEnvelope', `${request} contains no ${resources[kind].label.toLowerCase()} with an id, but ${shapeOf(body)}`);
    return undefined;
  }
  findings.came.push({ kind, what: 'record', body });
  const path = pathTo(found, body);
  findings.judge('recordEnvelope', path === recordEnvelope.recordKey, `the record is ${placeAt(path)}`);
  return { ...found };
}

interface ListSeen {
  items: ReceivedRecord[];
  cursor: string | undefined;
}

/** The items and the cursor of a list, and where they were (G1). `undefined` if the core finds none, which is noted. */
export function list(findings: Findings, kind: RecordKind, { body, headers, request }: Reply): ListSeen | undefined {
  const came: Came = { kind, what: 'list', body, link: headers['link'] };
  const read = pageOf(came);
  if (read?.records.every(({ id }) => asText(id) !== '') !== true) {
    noteInexact(findings, kind, body);
    findings.differs('listEnvelope', `${request} contains no list of records with an id, but ${shapeOf(body)}`);
    return undefined;
  }
  findings.came.push(came);
  if (read.more === true && read.cursor === undefined)
    findings.differs('listEnvelope', `${request} says that there is more, but not where: ${shapeOf(body)}`);
  const usual = listEnvelope.itemsKey;
  const items = itemsIn(came);
  const path = items && pathTo(items, body);
  findings.judge('listEnvelope', path === usual, `the items are ${placeAt(path)}`);
  if (isObject(body)) validate(findings, listOf(z.looseObject({})), { ...body, [usual]: [] }, 'a list');
  return { items: items?.filter(isObject) ?? read.records.map((each) => ({ ...each })), cursor: read.cursor };
}

/** The schema of each record in the OpenAPI document. */
const RECORDS: Record<RecordKind, z.ZodType> = {
  user: User,
  booking: Booking,
  eventType: EventType,
  contact: Contact,
  subscription: Subscription,
};

/** Which parts of a record are as the OpenAPI document assumes (G3 to G7, G9, G28, G47), and the fields that it does not have. */
export function fields(findings: Findings, kind: RecordKind, raw: ReceivedRecord): void {
  const { label } = resources[kind];
  validate(findings, RECORDS[kind], raw, label.toLowerCase());
  for (const { row, key } of reader.rowsIn(kind, raw)) {
    const fact = row.fact.split('.').at(-1) ?? row.fact;
    if (key === fact) continue;
    findings.alsoRead(
      gapNumbered(row.gap) ?? `${kind}Record`,
      `${label.toLowerCase()}: \`${fact}\` is under \`${key.slice(0, 40)}\`, as in ${row.who}`,
    );
  }
}

/**
 * Validates what came against a schema of the OpenAPI document. An assumption whose part does not fit is noted with what is wrong there, and
 * every other one of the schema as assumed. No value is told.
 */
function validate(findings: Findings, schema: z.ZodType, value: unknown, thing: string): void {
  const issues = strict(schema).safeParse(value).error?.issues ?? [];
  const failed = new Set<Gap>();
  for (const issue of issues) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const gap = gapAt(schema, [...issue.path, ...unknown.slice(0, 1)]);
    if (gap === undefined) continue;
    failed.add(gap);
    const place = issue.path.filter((part) => typeof part === 'string').join('.');
    const names = unknown.map((name) => `\`${name.slice(0, 40)}\``).join(', ');
    const what = names === '' ? `${place === '' ? '' : `\`${place}\`: `}${issue.message}` : `more than assumed: ${names}`;
    findings.alsoRead(gap, `${thing}: ${what}`);
  }
  for (const gap of gapsOf(schema))
    if (!failed.has(gap)) findings.note(gap, 'as assumed', `${thing}: as the OpenAPI document describes it`);
}

/** The parts of a schema by their names; those of a list have none. */
const partsOf = (schema: z.ZodType): Record<string, z.ZodType> => (schema instanceof z.ZodObject ? schema.shape : {});
const partAt = (schema: z.ZodType, key: PropertyKey): z.ZodType | undefined =>
  schema instanceof z.ZodArray ? (schema.element as z.ZodType) : partsOf(schema)[String(key)];

/** The same schema, refusing properties that it does not name. */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType));
  if (!(schema instanceof z.ZodObject)) return schema;
  return z.strictObject(Object.fromEntries(Object.entries(partsOf(schema)).map(([key, part]) => [key, strict(part)])));
}

const gapNumbered = (number: unknown): Gap | undefined =>
  (Object.keys(assumptions) as Gap[]).find((gap) => assumptions[gap].number === number);

const gapOf = (schema: z.ZodType): Gap | undefined => gapNumbered(schema.meta()?.['x-assumption'] ?? schema.meta()?.['x-seen']);

/** The gap that decides about a place: the innermost one that is marked. A whole record that is missing is a matter of what is around it. */
function gapAt(schema: z.ZodType, [key, ...rest]: readonly PropertyKey[], around?: Gap): Gap | undefined {
  const own = gapOf(schema) ?? around;
  const part = key === undefined ? undefined : partAt(schema, key);
  return part === undefined || (rest.length === 0 && part instanceof z.ZodObject) ? own : gapAt(part, rest, own);
}

function gapsOf(schema: z.ZodType): Gap[] {
  const parts = schema instanceof z.ZodArray ? [schema.element as z.ZodType] : Object.values(partsOf(schema));
  return [gapOf(schema), ...parts.flatMap(gapsOf)].filter((gap) => gap !== undefined);
}

function noteInexact(findings: Findings, kind: RecordKind, body: unknown): void {
  const field = within(body)
    .map((value) => reader.inexactId(kind, value))
    .find((inexact) => inexact !== undefined);
  if (field !== undefined) findings.differs('ids', `\`${field}\` is a number beyond 2^53, which JSON does not keep exactly`);
}

/** A record under its canonical names, as the core reads it. */
export const canonical = <Kind extends RecordKind>(kind: Kind, raw: ReceivedRecord): Partial<RecordOf[Kind]> =>
  reader.read(kind, { raw }) ?? {};

/**
 * Checks the body of a refusal (G17) and how the core understands it (G18).
 *
 * @param code that it should have, and so the kind as which it should be understood
 */
export function judgeRefusal(findings: Findings, reply: Reply, code: keyof typeof errorCodes.codes, expected = 400): void {
  const { body, status, request } = reply;
  if (status >= 200 && status < 300) {
    findings.differs('errorCodes', `${request} should have been refused with ${code} but was answered with ${status}`);
    return;
  }
  if (!isObject(body)) {
    findings.alsoRead('errorBody', `a refusal came with ${shapeOf(body)}`);
  } else {
    const { error, code: own, message, [errorBody.detailsKey]: details } = body;
    const named = typeof error === 'string' && typeof own === 'string';
    findings.judge('errorBody', named, 'a refusal has `error` and `code`', `a refusal came with ${shapeOf(body)}`);
    if (typeof message === 'string') findings.alsoRead('errorBody', 'a refusal has a `message`');
    if (code === 'VALIDATION_ERROR') {
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
  const { kind, code: came = 'none' } = refusal(reply, { resourceName: 'booking', scope: 'any' }, Date.now());
  const what = `${request.split('?')[0] ?? request}: ${status} with the code ${came}`;
  const isUnderstood = kind === errorCodes.codes[code];
  if (isUnderstood) findings.judge('errorCodes', came === code && status === expected, what, `${what}, which is also understood`);
  else if (status >= 500) findings.differs('errorCodes', `${what} instead of ${code}`);
  else findings.alsoRead('errorCodes', `${what} instead of ${code}: the status decides, so people read it as "${kind}"`);
}
