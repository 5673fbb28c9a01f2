import { DateTime } from 'luxon';
import { domainToASCII } from 'node:url';
import * as z from 'zod/v4';
import { ApiRefusal, type Detail } from './errors.ts';
import { EVENTS, type QuestionAnswer, type Question } from './records.ts';
import type { Forms } from './variants.ts';
import { isZone } from './zones.ts';

/** How many records a page of a list has (section 8). */
export const PAGE_SIZE = { usual: 25, max: 100 };

const NAME_MAX = 200;

const timezone = z.string().refine(isZone, 'must be an IANA timezone name, such as Europe/Madrid');
const email = z
  .string()
  .max(254, 'must be at most 254 characters')
  .refine((address) => z.email().safeParse(inAscii(address)).success, 'must be an email address');
const name = z.string().trim().min(1, 'must not be empty').max(NAME_MAX, `must be at most ${NAME_MAX} characters`);
const startTime = z
  .string()
  .refine((text) => !Number.isNaN(timeOf(text)), 'must be an ISO 8601 datetime with Z or an offset, such as 2027-03-01T09:00:00Z')
  .meta({ format: 'date-time' });
export const notes = z.string().max(2000, 'must be at most 2000 characters');
const locale = z.enum(['en', 'es', 'fr'], 'must be one of en, es, fr');
/** A client may send a numeric id (G3) back as a number. */
const id = z.union([z.string().min(1, 'must not be empty'), z.int()], 'must be an id').transform(String);

/** zod's own record would refuse the key `constructor` and drop `__proto__`. */
const answersByKey = z
  .unknown()
  .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be an object keyed by question')
  .transform((value) => value as Record<string, unknown>)
  .meta({ type: 'object' });

/** Section 2 of the public document. Unknown fields are refused, so that a misspelt one is noticed. */
export const BookingInput = z.strictObject({
  event_type_id: id.describe('Identifier of the booking type.'),
  start_time: startTime.describe('ISO 8601 datetime with UTC designator or offset.'),
  invitee_name: name.describe('Full name of the invitee.'),
  invitee_email: email.describe('Email address of the invitee.'),
  invitee_timezone: timezone.optional().describe("IANA timezone name. Defaults to the host's timezone."),
  notes: notes.optional().describe('Notes from the invitee.'),
  question_responses: answersByKey.optional().describe("Answers to the booking type's custom questions, keyed by question."),
  locale: locale.optional().describe("Language of the invitee's confirmation and reminders; en unless set."),
});
export type BookingInput = z.infer<typeof BookingInput>;

/** G8. The code that sends deliveries checks whether the address is allowed. */
export const SubscriptionInput = z.strictObject({
  url: z.string().max(2048, 'must be at most 2048 characters'),
  events: z
    .array(z.enum(EVENTS, `must be one of ${EVENTS.join(', ')}`), 'must be a list of event names')
    .min(1, 'must name at least one event')
    .refine((events) => new Set(events).size === events.length, 'must name each event once'),
});

/** The query of a list (section 4). Other parameters are ignored, as services do. */
export const ListQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, `must be a whole number from 1 to ${PAGE_SIZE.max}`)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= PAGE_SIZE.max, `must be from 1 to ${PAGE_SIZE.max}`)
    .default(PAGE_SIZE.usual),
  cursor: z.string().min(1, 'must not be empty').optional(),
  status: z.enum(['CONFIRMED', 'CANCELLED', 'PENDING'], 'must be one of CONFIRMED, CANCELLED, PENDING').optional(),
  email: z.string().trim().min(1, 'must not be empty').max(254, 'must be at most 254 characters').optional(),
});

/** Inputs of the host interface. */
export const HostBookingInput = BookingInput.partial();
export const RescheduleInput = z.strictObject({ start_time: startTime });
export const ContactInput = z
  .strictObject({ name, phone: z.string().max(40).nullable(), timezone, locale, notes: notes.nullable() })
  .partial();

/**
 * @throws {ApiRefusal} VALIDATION_ERROR that lists every wrong field
 */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  throw refusalOf(result.error.issues.flatMap(detailsOf));
}

/** A refusal that lists every wrong field of a request. */
function refusalOf(details: Detail[]): ApiRefusal {
  return new ApiRefusal('VALIDATION_ERROR', details.map(({ field, message }) => `${field}: ${message}`).join('; '), { details });
}

function detailsOf(issue: z.core.$ZodIssue): Detail[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: [...issue.path, key].join('.'), message: 'is not a field of this request' }));
  const field = issue.path.join('.') || 'body';
  const missing = issue.input === undefined && issue.path.length > 0;
  return [{ field, message: missing ? 'is required' : issue.message }];
}

const PHONE = /^\+?[0-9][0-9 ().-]{4,30}$/;
const ANSWERS: Record<Exclude<Question['type'], 'select' | 'multiselect'>, z.ZodType<QuestionAnswer>> = {
  text: z.string('must be a text').max(500, 'must be at most 500 characters'),
  textarea: z.string('must be a text').max(5000, 'must be at most 5000 characters'),
  number: z.number('must be a number'),
  boolean: z.boolean('must be true or false'),
  phone: z.string('must be a phone number').regex(PHONE, 'must be a phone number'),
  email,
  date: z.iso.date('must be a date, such as 2027-03-01'),
};

/**
 * Checks answers, keyed by question, against the types of their questions (G6, G28).
 *
 * @param questions the event type's questions, with the keys and options that the client saw
 * @param choices whether an answer to a choice must be one of its options
 * @throws {ApiRefusal} VALIDATION_ERROR that names every question with a wrong answer
 */
export function parseAnswers(questions: Question[], given: Record<string, unknown>, choices: Forms['choices']) {
  const unknown = Object.keys(given).filter((key) => !questions.some((question) => question.key === key));
  const wrong: Detail[] = unknown.map((key) => ({ field: `question_responses.${key}`, message: 'is not a question of this event type' }));
  const answers = questions.flatMap((question): [string, QuestionAnswer][] => {
    const refuse = (message: string): [] => {
      wrong.push({ field: `question_responses.${question.key}`, message });
      return [];
    };
    const value = Object.hasOwn(given, question.key) ? given[question.key] : undefined;
    if (isEmpty(value)) return question.required ? refuse(`is required ("${question.label}")`) : [];
    const parsed = answerSchema(question, choices).safeParse(value);
    return parsed.success ? [[question.key, parsed.data]] : refuse(parsed.error.issues[0]?.message ?? 'is not valid');
  });
  if (wrong.length > 0) throw refusalOf(wrong);
  return Object.fromEntries(answers);
}

function answerSchema({ type, options }: Question, choices: Forms['choices']): z.ZodType<QuestionAnswer> {
  const quoted = options.map((each) => `"${each}"`).join(', ');
  const option = choices === 'any' ? z.string('must be a text') : z.enum(options as [string, ...string[]], `must be one of ${quoted}`);
  if (type === 'select') return option;
  if (type === 'multiselect') return z.array(option, `must be a list of ${quoted}`);
  return ANSWERS[type];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * Parses an ISO 8601 datetime with `Z` or an offset, in any notation (`+02:00`, `+0200`, `+02`, `t`, `z`), to milliseconds since the epoch;
 * NaN for anything else.
 */
export function timeOf(text: string): number {
  const iso = text.toUpperCase();
  return iso.includes('T') && /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(iso) ? DateTime.fromISO(iso).toMillis() : NaN;
}

/** A JSON body without its null fields, which is how many clients send optional fields that are not set. */
export function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** An email address with its domain in ASCII form, as in the domain name system. */
export function inAscii(address: string): string {
  const [local = '', domain = '', ...rest] = address.split('@');
  return [local, domainToASCII(domain) || domain, ...rest].join('@');
}
