import * as z from 'zod/v4';
import { Booking, Contact, EventType, Failure, listOf, Subscription, User } from '../../sandbox/openapi/endpoints.ts';
import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { deliveryBody, errorBody, errorCodes, listEnvelope, recordEnvelope } from '../../shared/assumptions.ts';
import { refusal } from '../../shared/client/errors.ts';
import { eventRows } from '../../shared/events.ts';
import { reader } from '../../shared/reading/index.ts';
import type { RecordKind, RecordOf } from '../../shared/records/fields.ts';
import { resources } from '../../shared/records/resources.ts';
import { asText, isObject } from '../../shared/values.ts';
import { verifyDelivery } from '../../shared/webhooks/delivery.ts';
import { nodeCrypto } from '../../shared/webhooks/nodeCrypto.ts';
import { differs, type Gap, isSuccess, type ReceivedRecord, type Reply, shapeOf } from './asking.ts';
import type { ReceivedRequest } from './receiver.ts';
import type { Findings } from './report.ts';
import { type Came, itemsIn, pageOf, pathTo, within } from './settled.ts';

/** Each kind's endpoint, and its schema in the OpenAPI document. */
const RECORDS: Record<RecordKind, readonly [path: string, schema: z.ZodType]> = {
  user: ['me', User],
  booking: ['bookings', Booking],
  eventType: ['event-types', EventType],
  contact: ['contacts', Contact],
  subscription: ['hooks', Subscription],
};

/** A record under its canonical names, as the core reads it, even inside a list's item. */
export const canonical = <Kind extends RecordKind>(kind: Kind, raw: ReceivedRecord): Partial<RecordOf[Kind]> =>
  reader.readListed(kind, raw) ?? {};

export const idOf = (kind: RecordKind, raw: ReceivedRecord | undefined): string => asText(raw && canonical(kind, raw).id);

/**
 * Compares a response with what the OpenAPI document assumes for its endpoint, and with the table of forms.
 *
 * @returns the same response with what the core finds in it
 */
export function held(findings: Findings, reply: Reply): Reply {
  const [method = '', name = '', more] = reply.ask.what.split(/ ?\//);
  const kind = (Object.keys(RECORDS) as RecordKind[]).find((each) => RECORDS[each][0] === name);
  const { refused, trial = false, elsewhere } = reply.ask;
  if (refused !== undefined) judgeRefusal(findings, reply, refused);
  if (reply.ask.delivery !== undefined && reply.delivery !== undefined) delivered(findings, reply.delivery, reply.ask.delivery.secret);
  if (kind === undefined || elsewhere !== undefined || method === 'DELETE' || (method === 'GET' && refused !== undefined)) return reply;
  if (method === 'GET' && kind !== 'user' && more === undefined) {
    const isHidden = trial !== false ? !isSuccess(reply) : reply.status === 403;
    return isHidden ? reply : { ...reply, ...list(findings, kind, reply) };
  }
  return isSuccess(reply) ? { ...reply, record: single(findings, kind, reply) } : reply;
}

const placeAt = (path: string | undefined): string =>
  path === undefined ? 'in another form' : path === '' ? 'at the root' : `under "${path}"`;

/** The record in a response; notes where it was (G2). `undefined` if the core finds none, which is noted unless G12 allows it. */
function single(findings: Findings, kind: RecordKind, { ask, body, request }: Reply): ReceivedRecord | undefined {
  const found = reader.find(kind, body)?.raw;
  if (found === undefined || reader.read(kind, { raw: found }) === undefined) {
    noteInexact(findings, kind, body);
    if (kind !== 'booking' || ask.what.startsWith('GET'))
      findings.say(
        differs('recordEnvelope', `${request} contains no ${resources[kind].label.toLowerCase()} with an id, but ${shapeOf(body)}`),
      );
    return undefined;
  }
  const path = pathTo(found, body);
  findings.came.push({ kind, what: 'record', body, at: { envelope: path } });
  findings.say(['recordEnvelope', path === recordEnvelope.recordKey, `the record is ${placeAt(path)}`]);
  fields(findings, kind, found);
  return { ...found };
}

/** The items and the cursor of a list; notes where they were (G1). Empty if the core finds no list, which is noted. */
function list(findings: Findings, kind: RecordKind, { body, headers, request }: Reply): Pick<Reply, 'items' | 'cursor'> {
  const came: Came = { kind, what: 'list', body, link: headers['link'] };
  const read = pageOf(came);
  if (read?.records.every(({ id }) => asText(id) !== '') !== true) {
    noteInexact(findings, kind, body);
    findings.say(differs('listEnvelope', `${request} contains no list of records with an id, but ${shapeOf(body)}`));
    return {};
  }
  const { more, cursor } = read;
  if (more === true && cursor === undefined)
    findings.say(differs('listEnvelope', `${request} says that there is more, but not where: ${shapeOf(body)}`));
  const usual = listEnvelope.itemsKey;
  const items = itemsIn(came);
  const path = items && pathTo(items, body);
  findings.came.push({ ...came, at: { ...(items && { items: path }), ...(cursor !== undefined && { cursor: pathTo(cursor, body) }) } });
  findings.say(['listEnvelope', path === usual, `the items are ${placeAt(path)}`]);
  if (isObject(body)) validate(findings, listOf(z.looseObject({})), { ...body, [usual]: [] }, 'a list');
  const records = items?.filter(isObject) ?? read.records.map((each) => ({ ...each }));
  for (const raw of records.slice(0, 10)) fields(findings, kind, raw);
  return { items: records, cursor };
}

/** Notes which parts of a record are as the OpenAPI document assumes (G3 to G7, G9, G28, G47), and which further fields it has. */
export function fields(findings: Findings, kind: RecordKind, raw: ReceivedRecord): void {
  const label = resources[kind].label.toLowerCase();
  validate(findings, RECORDS[kind][1], raw, label);
  for (const { row, key } of reader.rowsIn(kind, raw)) {
    const fact = row.fact.split('.').at(-1) ?? row.fact;
    const words = `${label}: \`${fact}\` is under \`${key.slice(0, 40)}\`, as in ${row.who}`;
    if (key !== fact) findings.say([gapNumbered(row.gap) ?? `${kind}Record`, false, words]);
  }
}

/**
 * Validates a value against a schema of the OpenAPI document. Notes an assumption as wrong, with the reason, if its part does not fit, and
 * every other one that was checked as right. No value is shown.
 */
function validate(findings: Findings, schema: z.ZodType, value: unknown, thing: string): void {
  const looked = [...misfits(schema, value, '')];
  const failed = new Set(looked.flatMap(([gap, what]) => (what === undefined ? [] : gap)));
  for (const [gap, what] of looked) {
    if (gap === undefined) continue;
    if (what !== undefined) findings.say([gap, false, `${thing}: ${what}`]);
    else if (!failed.has(gap)) findings.say([gap, true, `${thing}: as the OpenAPI document describes it`]);
  }
}

/** Yields the assumptions of a schema, and what does not fit. Each misfit belongs to the innermost assumption marked around its place. */
function* misfits(schema: z.ZodType, value: unknown, place: string, around?: Gap): Generator<[Gap | undefined, string?]> {
  const gap = gapNumbered(schema.meta()?.['x-assumption'] ?? schema.meta()?.['x-seen']) ?? around;
  const at = (key: string) => (place === '' ? key : `${place}.${key}`);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    for (const each of value) yield* misfits(schema.element as z.ZodType, each, place, gap);
  else if (schema instanceof z.ZodObject && isObject(value)) {
    yield [gap];
    const unknown = Object.keys(value).filter((key) => !(key in schema.shape));
    if (unknown.length > 0) yield [gap, `more than assumed: ${unknown.map((key) => `\`${at(key).slice(0, 40)}\``).join(', ')}`];
    for (const [key, part] of Object.entries(schema.shape)) yield* misfits(part as z.ZodType, value[key], at(key), gap);
  } else {
    const issues = schema.safeParse(value).error?.issues ?? [];
    // A missing record concerns the assumption about what is around it.
    for (const { message } of issues)
      yield [schema instanceof z.ZodObject ? around : gap, `${place === '' ? '' : `\`${place}\`: `}${message}`];
    if (issues.length === 0) yield [gap];
  }
}

const gapNumbered = (number: unknown): Gap | undefined =>
  (Object.keys(assumptions) as Gap[]).find((gap) => assumptions[gap].number === number);

function noteInexact(findings: Findings, kind: RecordKind, body: unknown): void {
  const field = within(body)
    .map((value) => reader.inexactId(kind, value))
    .find((inexact) => inexact !== undefined);
  if (field !== undefined) findings.say(differs('ids', `\`${field}\` is a number beyond 2^53, which JSON does not keep exactly`));
}

/** Notes where a delivery has its record, how it names its event (G13), and whether its signature is valid, which is documented. */
function delivered(findings: Findings, { body: rawBody, headers, json }: ReceivedRequest, secret: string): void {
  const events = eventRows.map(({ name }) => name);
  const opened = verifyDelivery({ rawBody, headers }, { secret, events, subscriptionId: 'probe', now: 0 }, nodeCrypto);
  if (opened.state !== 'accepted') return findings.say(differs('deliveryBody', `a delivery was not accepted: ${opened.message}`));
  findings.say(['secretEncoding', true, 'deliveries are signed with the secret as it came']);
  const body = isObject(json) ? json : {};
  const found = reader.find('booking', body)?.raw;
  if (found !== undefined) findings.came.push({ kind: 'booking', what: 'delivery', body, at: { envelope: pathTo(found, body) } });
  const key = Object.keys(body).find((each) => body[each] === found);
  const place =
    found === body ? 'the record is the body itself' : key === undefined ? 'the record is deeper' : `the record is under "${key}"`;
  findings.say(['deliveryBody', key === deliveryBody.recordKey, place]);
  const named = body[deliveryBody.eventKey];
  const otherwise =
    named === undefined ? 'only the header names the event' : `the body names the event ${JSON.stringify(named).slice(0, 60)}`;
  findings.say(['deliveryBody', named === opened.event, 'the body names the event', otherwise]);
}

/** The statuses of refusals that are not 400. */
const STATUS: Partial<Record<keyof typeof errorCodes.codes, number>> = { NOT_FOUND: 404, INVALID_TOKEN: 401 };

/**
 * Checks the body of a refusal (G17) and how the core understands it (G18).
 *
 * @param code that it should have, which implies the kind of error that the core should read
 */
function judgeRefusal(findings: Findings, reply: Reply, code: keyof typeof errorCodes.codes): void {
  const { body, status, request } = reply;
  if (isSuccess(reply) && code === 'SLOT_UNAVAILABLE')
    return findings.say(['errorCodes', false, 'a booked time can be booked again, so its error code was not seen']);
  if (isSuccess(reply))
    return findings.say(differs('errorCodes', `${request} should have been refused with ${code} but was answered with ${status}`));
  const { error, code: own, message, [errorBody.detailsKey]: details } = isObject(body) ? body : {};
  const isNamed = typeof error === 'string' && typeof own === 'string';
  findings.say(['errorBody', isNamed, 'a refusal has `error` and `code`', `a refusal came with ${shapeOf(body)}`]);
  if (typeof message === 'string') findings.say(['errorBody', false, 'a refusal has a `message`']);
  if (isObject(body) && code === 'VALIDATION_ERROR') {
    const isListed = details !== undefined && Failure.shape.details.safeParse(details).success;
    const otherwise = 'a validation error names no fields in `details`';
    findings.say(['errorBody', isListed, 'a validation error has `details` with `field` and `message`', otherwise]);
  }
  const { kind, code: came = 'none' } = refusal(reply, { resourceName: 'booking', scope: 'any' }, Date.now());
  const what = `${request.split('?')[0] ?? request}: ${status} with the code ${came}`;
  const isAssumed = came === code && status === (STATUS[code] ?? 400);
  if (kind === errorCodes.codes[code]) findings.say(['errorCodes', isAssumed, what, `${what}, which is also understood`]);
  else if (status >= 500) findings.say(differs('errorCodes', `${what} instead of ${code}`));
  else findings.say(['errorCodes', false, `${what} instead of ${code}: the status decides, so people read it as "${kind}"`]);
}
