import * as z from 'zod/v4';
import { inZone } from './time.ts';
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
export const outputFields = (kind: RecordKind, options: OutputOptions = {}): OutputField[] => fieldsOf(schemaOf(kind, options));

/** The JSON Schema of a record, without words that only zod's own tools read. */
export const jsonSchema = (kind: RecordKind, options: OutputOptions = {}): Record<string, unknown> =>
  z.toJSONSchema(schemaOf(kind, options), { unrepresentable: 'any' });

function schemaOf(kind: RecordKind, { delivery = false, adds }: OutputOptions): z.ZodObject {
  const schema: z.ZodObject = schemas[kind];
  return schema.extend({ ...(delivery && DeliveryFields.shape), ...adds?.shape });
}

function fieldsOf(schema: z.ZodObject): OutputField[] {
  return Object.entries(schema.shape).map(([key, inner]) => {
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

const children = (schema: z.ZodType) => (schema instanceof z.ZodObject ? { children: fieldsOf(schema) } : {});

/**
 * A record made ready for people: a booking's times also on the invitee's clock, its answers also as a list, names also
 * in two parts. What cannot be told is left out; nothing that the service sent is changed.
 */
export function present(kind: RecordKind, record: ServiceRecord): ServiceRecord {
  if (kind === 'contact') return { ...record, ...names('', record['name']) };
  if (kind !== 'booking') return record;
  const { invitee_timezone: zone, question_responses: responses } = record;
  const [start, end] = [inZone(record['start_time'], zone), inZone(record['end_time'], zone)];
  return {
    ...record,
    ...(start !== undefined && { invitee_start_time: start }),
    ...(end !== undefined && { invitee_end_time: end }),
    ...names('invitee_', record['invitee_name']),
    answers: isObject(responses) ? Object.entries(responses).map(([question, answer]) => ({ question, answer })) : [],
  };
}

/** The first word, and the rest; a single word is a first name. */
function names(prefix: string, whole: unknown): ServiceRecord {
  if (typeof whole !== 'string') return {};
  const words = whole.trim();
  const space = words.search(/\s/);
  return space < 0
    ? { [`${prefix}first_name`]: words, [`${prefix}last_name`]: '' }
    : { [`${prefix}first_name`]: words.slice(0, space), [`${prefix}last_name`]: words.slice(space).trim() };
}
