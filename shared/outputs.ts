import * as z from 'zod/v4';
import { inZone } from './wallClock.ts';
import { isObject } from './api/transport.ts';
import { DeliveryFields, schemas } from './api/schemas.ts';
import type { RecordKind, ServiceRecord } from './api/records.ts';

/** One field of a record, labelled; `children` are the fields of an object, or of a list's entries. */
export interface OutputField {
  key: string;
  label: string;
  /** `any`: whatever the service sent, such as an answer (G28). */
  type: 'string' | 'number' | 'boolean' | 'datetime' | 'object' | 'list' | 'any';
  children?: OutputField[];
}

interface OutputOptions {
  /** With the three fields that a delivery adds. */
  delivery?: boolean;
  /** With the fields that an operation adds. */
  adds?: z.ZodObject | undefined;
}

/** The labelled fields of a record, in order. */
export const outputFields = (kind: RecordKind, options: OutputOptions = {}): OutputField[] => fieldsOf(shapeOf(kind, options));

/** The JSON Schema of a record, without words that only zod's own tools read. */
export const jsonSchema = (kind: RecordKind, options: OutputOptions = {}): Record<string, unknown> =>
  z.toJSONSchema(z.looseObject(shapeOf(kind, options)), { unrepresentable: 'any' });

const shapeOf = (kind: RecordKind, { delivery = false, adds }: OutputOptions): z.ZodRawShape => ({ ...schemas[kind].shape, ...(delivery && DeliveryFields.shape), ...adds?.shape });

function fieldsOf(shape: z.ZodRawShape): OutputField[] {
  return Object.entries(shape).map(([key, inner]) => {
    const { title = key, format } = (inner as z.ZodType).meta() ?? {};
    const bare = unwrap(inner as z.ZodType);
    if (bare instanceof z.ZodArray) return { key, label: title, type: 'list', ...children(bare.element as z.ZodType) };
    if (bare instanceof z.ZodObject || bare instanceof z.ZodRecord) return { key, label: title, type: 'object', ...children(bare) };
    return { key, label: title, type: scalarType(bare, format) };
  });
}

function scalarType(schema: z.ZodType, format: unknown): OutputField['type'] {
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodUnknown) return 'any';
  return format === 'date-time' ? 'datetime' : 'string';
}

const unwrap = (schema: z.ZodType): z.ZodType => (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrap(schema.unwrap() as z.ZodType) : schema);

const children = (schema: z.ZodType) => (schema instanceof z.ZodObject ? { children: fieldsOf(schema.shape) } : {});

/**
 * A record made ready for people: a booking's times also on the invitee's clock, its answers also as a list, names also
 * in two parts. What cannot be told is left out; nothing that the service sent is changed.
 */
export function present(kind: RecordKind, record: ServiceRecord): ServiceRecord {
  if (kind === 'contact') return presentContact(record);
  return kind === 'booking' ? presentBooking(record) : record;
}

function presentBooking(record: ServiceRecord): ServiceRecord {
  const { start_time: start, end_time: end, invitee_timezone: zone, invitee_name: name, question_responses: responses } = record;
  const shownStart = inZone(start, zone);
  const shownEnd = inZone(end, zone);
  const shown = { ...record };
  if (shownStart !== undefined) shown['invitee_start_time'] = shownStart;
  if (shownEnd !== undefined) shown['invitee_end_time'] = shownEnd;
  if (typeof name === 'string') {
    const { first, last } = parts(name);
    shown['invitee_first_name'] = first;
    shown['invitee_last_name'] = last;
  }
  shown['answers'] = isObject(responses) ? Object.keys(responses).map((question) => ({ question, answer: responses[question] })) : [];
  return shown;
}

function presentContact(record: ServiceRecord): ServiceRecord {
  const { name } = record;
  const shown = { ...record };
  if (typeof name === 'string') {
    const { first, last } = parts(name);
    shown['first_name'] = first;
    shown['last_name'] = last;
  }
  return shown;
}

/** The first word, and the rest; a single word is a first name. */
function parts(name: string): { first: string; last: string } {
  const words = name.trim();
  const space = words.search(/\s/);
  return space < 0 ? { first: words, last: '' } : { first: words.slice(0, space), last: words.slice(space).trim() };
}
