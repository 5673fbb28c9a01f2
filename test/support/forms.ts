import { root } from '../../tools/root.cjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reader, type Reader } from '../../shared/reading/reader.ts';
import { readPage } from '../../shared/reading/listEnvelope.ts';
import { rows, type FormRow } from '../../shared/reading/rows.ts';
import type { RecordKind, ServiceRecord } from '../../shared/records/fields.ts';
import { present } from '../../shared/records/outputs.ts';
import { instantOf } from '../../shared/time/time.ts';

/**
 * The responses of real scheduling services, one file each. Structure, names, types and formats are theirs; every value is made up.
 * `expected` is what a user should see: any one of several texts is right, and null is not checked.
 */
interface Service {
  service: string;
  kinds: {
    list?: unknown[];
    get?: { body: unknown };
    create?: { body?: unknown };
    eventTypes?: unknown[];
    contacts?: unknown[];
    deliveries?: { event: string; body: unknown }[];
  };
  expected: {
    list?: Expected[];
    get?: Expected;
    create?: Expected;
    eventTypes?: Expected[];
    contacts?: Expected[];
    deliveries?: Expected[];
  };
}

type Expected = Readonly<Record<string, unknown>>;

const folder = join(root, 'test', 'forms');
export const services = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Service);

/** The table without the rows that only this service has. */
export const rowsWithout = (service: string): FormRow[] => rows.filter(({ who }) => who.split(/[,:] /).some((each) => each !== service));

/** The canonical field of each fact. */
const facts: { readonly [Kind in RecordKind]?: Readonly<Record<string, string>> } = {
  booking: {
    ...{ id: 'id', status: 'status', start: 'start_time', end: 'end_time', name: 'invitee_name', email: 'invitee_email' },
    ...{ zone: 'invitee_timezone', eventTypeId: 'event_type_id', eventTypeName: 'event_type_name', created: 'created_at' },
    ...{
      join: 'meeting_url',
      cancelLink: 'cancel_url',
      rescheduleLink: 'reschedule_url',
      answers: 'answers',
      previous: 'previous_start_time',
    },
  },
  eventType: { id: 'id', name: 'name', duration: 'duration_minutes' },
  contact: { id: 'id', name: 'name', email: 'email', phone: 'phone', zone: 'timezone' },
};

/** A record in a response, as it was sent, and what should be read from it. */
export interface Sent {
  service: string;
  where: string;
  kind: RecordKind;
  body: unknown;
  /** Its index, if the response is a list. */
  at?: number;
  expected: Expected;
}

/** Every record in the services' responses, each page of a list split into its records. */
export const sent: readonly Sent[] = services.flatMap(({ service, kinds, expected }) => {
  const pages = (kind: RecordKind, where: string, those: unknown[] = [], wanted: Expected[] = []): Sent[] => {
    let before = 0;
    return those.flatMap((body) => {
      const { length } = recordsOf(reader, kind, body);
      const found = Array.from({ length }, (_, at) => ({ service, where, kind, body, at, expected: wanted[before + at] ?? {} }));
      before += length;
      return found;
    });
  };
  const one = (where: string, body: unknown, wanted: Expected | undefined, kind: RecordKind = 'booking'): Sent[] =>
    body === undefined || wanted === undefined ? [] : [{ service, where, kind, body, expected: wanted }];
  return [
    ...pages('booking', 'list', kinds.list, expected.list),
    ...pages('eventType', 'event types', kinds.eventTypes, expected.eventTypes),
    ...pages('contact', 'contacts', kinds.contacts, expected.contacts),
    ...one('get', kinds.get?.body, expected.get),
    ...one('create', kinds.create?.body, expected.create),
    ...(kinds.deliveries ?? []).flatMap(({ event, body }, at) =>
      one(`delivery ${event}`, typeof body === 'string' ? Object.fromEntries(new URLSearchParams(body)) : body, expected.deliveries?.[at]),
    ),
  ];
});

function recordsOf(by: Reader, kind: RecordKind, body: unknown): ServiceRecord[] {
  const listing = { path: ['x'], record: kind, scope: 'any', resourceName: 'x' } as const;
  return readPage(listing, body, undefined, undefined, by).records.map((record) => ({ ...record }));
}

/** What a reader reads from a response; `undefined` if it refuses it. */
export function told(by: Reader, { kind, body, at }: Pick<Sent, 'kind' | 'body' | 'at'>): ServiceRecord | undefined {
  try {
    const record = at === undefined ? by.read(kind, by.find(kind, body)) : recordsOf(by, kind, body)[at];
    return record && present(kind, { ...record });
  } catch {
    return undefined;
  }
}

type Verdict = 'right' | 'missing' | 'wrong';

const isShown = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
const clock = (text: unknown): string => String(text).replace(' ', 'T').slice(0, 16);

function verdictOf(fact: string, got: unknown, want: unknown): Verdict | undefined {
  if (want === null || want === undefined) return undefined;
  if (!isShown(got)) return 'missing';
  const any = [want].flat().map(String);
  if (fact === 'answers') {
    const wanted = want as [question: string, answer: unknown][];
    const given = got as { question: string; answer: unknown }[];
    const answersTo = (question: string) => given.filter((each) => each.question === question).map(({ answer }) => String(answer));
    if (wanted.every(([question, answer]) => answersTo(question).includes(String(answer)))) return 'right';
    return wanted.some(([question, answer]) => answersTo(question).some((each) => each !== String(answer))) ? 'wrong' : 'missing';
  }
  const isTime = ['start', 'end', 'created', 'previous'].includes(fact);
  const isSameTime = (each: string) => (Number.isNaN(instantOf(each)) ? clock(got) === clock(each) : instantOf(got) === instantOf(each));
  return any.some((each) => (isTime ? isSameTime(each) : each.toLowerCase() === String(got).toLowerCase())) ? 'right' : 'wrong';
}

/** Compares what was read from a record with what should be, fact by fact. */
export const judged = (
  kind: RecordKind,
  record: ServiceRecord | undefined,
  expected: Expected,
): { fact: string; got: unknown; want: unknown; verdict: Verdict }[] =>
  Object.entries(facts[kind] ?? {}).flatMap(([fact, name]) => {
    const verdict = verdictOf(fact, record?.[name], expected[fact]);
    return verdict === undefined ? [] : [{ fact: name, got: record?.[name], want: expected[fact], verdict }];
  });

/** The facts that were read from a record, limited to those that are checked. */
export const factsTold = (kind: RecordKind, record: ServiceRecord | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.values(facts[kind] ?? {}).flatMap((name) => (isShown(record?.[name]) ? [[name, record?.[name]]] : [])));
