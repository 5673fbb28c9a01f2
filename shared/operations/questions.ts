import { type Question, readQuestions } from '../reading/index.ts';
import { asText, inAscii, isBlank, isInexact, isObject, onlyOne, parsed, tidy, visible, yesOrNo } from '../values.ts';
import { type ErrorKind, ignoreRefusal, ServiceError } from '../serviceError.ts';
import type { Client } from '../client/client.ts';
import { generalAdvice } from '../generalAdvice.ts';
import { fetchOne } from '../client/fetchOne.ts';
import { inZone, instantOf, isoDay, startOfDay } from '../time/time.ts';
import { isDay } from '../time/zones.ts';
import { chosen, listed } from './choices.ts';
import type { AnswerInput, Choice, Control, Form } from './define.ts';

/** The texts of forms that show each question of an event type as a field. */
export const questionWords = {
  group: 'Questions of the Event Type',
  other: {
    label: 'Other Answers',
    help: 'Answers to questions that have no field of their own, for example because the event type comes from an earlier step. Enter each question as the event type asks it, with its answer. An answer in its own field takes precedence',
  },
  notShown: 'The questions of this event type cannot be read.',
} as const;

/** The questions of an event type; `undefined` if its record does not show whether it has any (G6). */
export async function questionsOf(client: Client, eventTypeId: string): Promise<Question[] | undefined> {
  const record = await fetchOne(client, 'eventType', eventTypeId);
  return Array.isArray(record.questions) ? readQuestions(record) : undefined;
}

/** Errors that will not pass: the form then opens without the event type's questions. */
const unreadable: readonly ErrorKind[] = ['notFound', 'invalid', 'scope', 'forbidden'];

/**
 * The questions of an event type for a form that also works without them, or else a sentence that says why it shows none: the event type is
 * deleted, the id is invalid, this connection may not read it, or its record does not show whether it has any (G6).
 *
 * @throws ServiceError if it may be readable a moment later
 */
export async function questionsForForm(client: Client, eventTypeId: string): Promise<{ questions: Question[]; why?: string }> {
  try {
    const questions = await questionsOf(client, visible(eventTypeId));
    return questions === undefined ? { questions: [], why: questionWords.notShown } : { questions };
  } catch (error) {
    if (error instanceof ServiceError && unreadable.includes(error.kind)) return { questions: [], why: error.sentence };
    throw error;
  }
}

/** The questions that each run has already read. They are discarded together with the run's client. */
const read = new WeakMap<Client, Map<string, Promise<Question[] | undefined>>>();

/**
 * The questions for checking answers before they are sent, read once for all items of a run. If the event type cannot be read for any
 * reason, they are unknown, and the service checks the answers.
 */
export function questionsRead(client: Client, eventTypeId: string): Promise<Question[] | undefined> {
  const asked = read.get(client) ?? new Map<string, Promise<Question[] | undefined>>();
  read.set(client, asked);
  const questions = asked.get(eventTypeId) ?? questionsOf(client, eventTypeId);
  asked.set(eventTypeId, questions);
  return questions.catch((error: unknown) => {
    // A failed reading says nothing about later items: the next one reads again.
    asked.delete(eventTypeId);
    return ignoreRefusal(error);
  });
}

/**
 * The two fields of a form that asks questions: the one for the answers, and the one for the event type. `undefined` for any other form.
 */
export function askingFields(input: Form): { answers: string; label: string; eventType: string } | undefined {
  const fields = Object.entries(input);
  const answers = fields.find(([, { control }]) => control === 'answers');
  const eventType = fields.find(([, { lookup }]) => lookup === 'eventTypes');
  return answers && eventType && { answers: answers[0], label: answers[1].label, eventType: eventType[0] };
}

/**
 * Answers that someone wrote under their questions' keys: an object, its JSON, or a list of questions and answers as in bookings here.
 * Empty ones are left out.
 *
 * @throws ServiceError `invalid` if the value is not an object
 */
export function answersByKey(raw: unknown, label: string): Record<string, unknown> | undefined {
  const given = typeof raw === 'string' ? parsed(raw.trim(), keepDigits) : raw;
  // Some languages write an empty object as an empty list.
  if (isBlank(given)) return undefined;
  const asked = Array.isArray(given) ? given.map((each: unknown) => (isObject(each) ? each['question'] : undefined)) : [];
  // If one question had two answers, one of them would be lost.
  const isListed = Array.isArray(given) && asked.every((each, at) => each !== undefined && asked.indexOf(each) === at);
  const value: unknown = isListed ? Object.fromEntries(given.map(({ question, answer }) => [question, answer])) : given;
  if (!isObject(value)) {
    throw new ServiceError('invalid', {
      message: `"${label}" is not ${typeof given === 'string' && /^[{[]/.test(given) ? 'valid JSON' : 'an object'}.`,
      advice: 'Enter the key or the text of each question with its answer, such as {"company": "Analytical Engines"}.',
    });
  }
  return Object.fromEntries(Object.entries(value).filter(([, answer]) => !isBlank(answer)));
}

/**
 * Keeps a whole number as text if it has more digits than a number can hold. Node.js before version 21 does not show how a number was
 * written, so there it is rounded.
 */
function keepDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '') ? source : value;
}

/**
 * Answers in the form that the service expects (G28): numbers and yes/no in their own type, several choices as a list. Empty answers are
 * left out, and so are keys without a question, because they belong to a previously chosen event type.
 *
 * @param zones in which an instant may be the beginning of the day that is meant
 * @throws ServiceError `invalid` that names each missing or wrongly answered question by its label
 */
export function answersFrom(
  values: Readonly<Record<string, unknown>>,
  questions: readonly Question[],
  zones: readonly unknown[] = [],
): Record<string, unknown> {
  const complaints: { field: string; label: string; message: string }[] = [];
  const answers: [string, unknown][] = [];
  for (const question of questions) {
    const raw = Object.hasOwn(values, question.key) ? values[question.key] : undefined;
    const value = question.control === 'choices' ? listed(raw, question.choices) : question.isFree ? raw : onlyOne(raw);
    const complain = (message: string) => complaints.push({ field: `question_responses.${question.key}`, label: question.label, message });
    if (isBlank(value)) {
      if (question.required) complain(`is required for this event type${optionsText(question.choices)}`);
      continue;
    }
    if (isInexact(value)) {
      complain('is answered with a number that cannot be kept exactly: enter it as text');
      continue;
    }
    const kind = kinds[question.control] ?? text;
    const typed = question.isFree && kind === text ? undefined : kind.read(value, question.choices, zones);
    const answer = typed ?? (question.isFree ? asGiven(value, question.choices) : undefined);
    if (answer === undefined) complain(`takes ${kind.takes(question.choices)}`);
    else answers.push([question.key, answer]);
  }
  if (complaints.length > 0) {
    throw new ServiceError('invalid', {
      message: complaints.map(({ label, message }) => `The question "${tidy(label)}" ${message}.`).join(' '),
      advice: complaints.length > 1 ? generalAdvice.answerThem : generalAdvice.answerIt,
      fields: complaints,
    });
  }
  return Object.fromEntries(answers);
}

/** The options of a question, unless there are too many to read. */
const optionsText = (choices: readonly Choice[]): string =>
  choices.length === 0 || choices.length > 10 ? '' : ` (options: ${choices.map(({ label }) => `"${tidy(label)}"`).join(', ')})`;

export const hasAnswers = ({ inFields = {}, byKey = {} }: AnswerInput): boolean =>
  [...Object.values(inFields), ...Object.values(byKey)].some((answer) => !isBlank(answer));

/** Normalizes text for comparison: `team_size` equals "Team size". */
const plain = (words: string): string =>
  words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');

/** The key of a question that someone identified by its key or its text; the given name itself if it matches several questions or none. */
function keyNamed(name: string, questions: readonly Question[]): string {
  if (questions.some(({ key }) => key === name)) return name;
  const named = questions.filter(({ key, label }) => plain(name) !== '' && [plain(key), plain(label)].includes(plain(name)));
  return (named.length === 1 ? named[0]?.key : undefined) ?? name;
}

/**
 * Checks answers against the questions; `undefined` if none is left. A person may write a question's text instead of its key. A key without
 * a question is sent if someone wrote it, so that the service can refuse it, and left out if it comes from a field. If the questions are
 * unknown, all answers are sent unchanged, because only the service can check them.
 *
 * @throws ServiceError as {@link answersFrom}
 */
export function checkedAnswers(
  { inFields = {}, byKey: byName = {} }: AnswerInput,
  questions: readonly Question[] | undefined,
  zones: readonly unknown[] = [],
): Record<string, unknown> | undefined {
  const known = new Set(questions?.map(({ key }) => key));
  const named = Object.entries(byName).map(([name, answer]) => ({ name, key: keyNamed(name, questions ?? []), answer }));
  // If both a question's key and its text are given, the key wins.
  const own = named.filter(({ name, key }) => name === key || !Object.hasOwn(byName, key));
  const byKey = Object.fromEntries(own.map(({ key, answer }) => [key, answer]));
  const unknown = Object.fromEntries(Object.entries(byKey).filter(([key]) => !known.has(key)));
  const filled = Object.fromEntries(Object.entries(inFields).filter(([, answer]) => !isBlank(answer)));
  const raw = { ...byKey, ...filled };
  const answers = questions === undefined ? raw : { ...unknown, ...answersFrom(raw, questions, zones) };
  return Object.keys(answers).length > 0 ? answers : undefined;
}

interface Kind {
  /** The value in the question's own type, or `undefined` if that is impossible. */
  read(value: unknown, choices: readonly Choice[], zones: readonly unknown[]): unknown;
  takes(choices: readonly Choice[]): string;
}

const text: Kind = {
  read: (value) => (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined),
  takes: () => 'text',
};

/** Returns any answer as it is given, except that a choice's label becomes its value. */
const asGiven = (value: unknown, choices: readonly Choice[]): unknown =>
  Array.isArray(value) ? value.map((each) => chosen(choices, each)) : chosen(choices, value);

const isScalar = (value: unknown): boolean => text.read(value, [], []) !== undefined;

/** The day that begins at an instant in a zone, if the instant is a day's beginning. */
function dayBegunAt(text: string, zone: unknown): string | undefined {
  const day = inZone(text, zone)?.slice(0, 10);
  const start = day === undefined ? undefined : startOfDay(day, asText(zone));
  return start !== undefined && 'instant' in start && instantOf(start.instant) === instantOf(text) ? day : undefined;
}

/** How to read answers of each kind other than text. */
const kinds: Partial<Record<Control, Kind>> = {
  number: {
    read: (value) => {
      if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
      const digits = typeof value === 'string' ? inAscii(value) : '';
      if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(digits)) return undefined;
      return isExact(digits) ? Number(digits) : digits;
    },
    takes: () => 'a number',
  },
  boolean: { read: yesOrNo, takes: () => 'yes or no' },
  date: {
    read: (value, _, zones) => {
      const written = isoDay(inAscii(String(value)));
      // Web pages write a chosen day as the instant at which it begins there, which may be on another day in UTC.
      const begun = zones.map((zone) => dayBegunAt(written, zone)).find((day) => day !== undefined);
      // Otherwise the day as written. Platforms may add a time after it.
      const day = begun ?? /^(\d{4}-\d{2}-\d{2})(?:[T ]\d\d?:\d{2}\S*)?$/.exec(written)?.[1];
      return day !== undefined && isDay(...(day.split('-').map(Number) as [number, number, number])) ? day : undefined;
    },
    takes: () => 'a date such as 2030-01-31',
  },
  // The service may allow a choice that it does not list, such as "Other", so the service decides.
  choice: { read: (value, choices) => (isScalar(value) ? chosen(choices, value) : undefined), takes: () => 'a choice' },
  choices: {
    read: (value, choices) => {
      const entries = listed(value, choices);
      return entries.every(isScalar) ? entries.map((entry) => chosen(choices, entry)) : undefined;
    },
    takes: () => 'choices',
  },
};

/** Whether a number keeps all its digits: false beyond 2^53, and for identifiers such as `007`. */
const isExact = (text: string): boolean => !/^\s*[+-]?0\d/.test(text) && text.replace(/[eE].*|\D/g, '').replace(/^0+/, '').length <= 15;
