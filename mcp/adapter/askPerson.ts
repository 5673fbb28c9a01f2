import { inputRequired, inputResponse, type ElicitRequestFormParams, type InputRequiredResult } from '@modelcontextprotocol/server';
import { ServiceError } from '../../shared/client/index.ts';
import { answersByKey, askingFields, readableQuestions, type Operation, type Question } from '../../shared/operations/index.ts';
import { wordFor, type ServiceRecord } from '../../shared/records/index.ts';
import { describeBooking, isOver } from '../../shared/time/index.ts';
import type { CallContext, Caller } from './call.ts';
import { added, idArgument } from './tools.ts';

/** The names under which the person's answers come back: their consent, and the form of the event type's questions. */
const [question, answersForm] = ['agreed', 'answers'] as const;

/** What the person said to a permanent operation. */
export type Consent = 'given' | 'to be asked' | 'refused' | 'missing';

/**
 * Whether a person agreed. If the client can ask the person, only their answer counts, and not the arguments of the model. With any other
 * client, there is only the argument. The client vouches for what its person said; this server cannot check it.
 *
 * @param canAsk whether the client can ask its person
 */
export function consentTo(
  { effect }: Operation,
  args: Readonly<Record<string, unknown>>,
  canAsk: boolean,
  { mcpReq }: CallContext,
): Consent {
  if (effect !== 'destructive') return 'given';
  if (!canAsk) return args[added.confirm] === true ? 'given' : 'missing';
  const answer = inputResponse(mcpReq.inputResponses, question);
  if (answer.kind !== 'elicit') return 'to be asked';
  return answer.action === 'accept' ? 'given' : 'refused';
}

/**
 * @param record the record that it is about, if it can be shown; otherwise what was passed in
 * @param given the arguments of the call
 * @param now milliseconds since the epoch
 */
export const askConsent = (operation: Operation, record: ServiceRecord, given: ServiceRecord, now: number): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [question]: inputRequired.elicit({
        message: questionOf(operation, record, given, now),
        requestedSchema: { type: 'object', properties: {} },
      }),
    },
  });

/** What a person reads before they decide. */
function questionOf({ action, description, resource }: Operation, record: ServiceRecord, given: ServiceRecord, now: number): string {
  const key = idArgument(resource);
  const about = describeBooking(record);
  const others = Object.entries(given).filter(([name]) => name !== key);
  const lines = [
    `${action} the ${wordFor(resource)} ${about ?? shortened(given[key])}?`,
    ...others.map(([name, value]) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}: ${shortened(value)}`),
    ...(isOver(record, now) ? ['It is already over.'] : []),
    `${about === undefined ? `${description}. ` : ''}This cannot be undone.`,
  ];
  return visible(lines.join('\n'));
}

const shortened = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? '';

/** Characters that nobody sees could turn the order of the others round. */
const visible = (text: string): string => text.replace(/\p{Cf}/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** @param isPast whether it is about something that is over */
export const notConfirmed = (tool: string, isPast: boolean): ServiceError =>
  new ServiceError('invalid', {
    message: `${tool} cannot be undone and was not confirmed, so nothing was changed.${isPast ? ' This booking is already over.' : ''}`,
    advice: `Ask the person. If they agree, call this again with "${added.confirm}": true.`,
    fields: [{ field: added.confirm, message: 'is required' }],
  });

export const declined = (): ServiceError =>
  new ServiceError('invalid', {
    message: 'The person did not agree: nothing was changed.',
    advice: 'Ask what they want instead.',
  });

type Fields = Readonly<Record<string, unknown>>;
type FormField = ElicitRequestFormParams['requestedSchema']['properties'][string];

/** The arguments of a call, with what the person has answered to the questions of the event type, if they were asked. */
export function withAnswers({ input }: Operation, fields: Fields, { context }: Caller): Fields {
  const asking = askingFields(input);
  const said = inputResponse(context.mcpReq.inputResponses, answersForm);
  if (asking === undefined || said.kind !== 'elicit' || said.action !== 'accept') return fields;
  return { ...fields, [asking.answers]: { ...answersByKey(fields[asking.answers], asking.label), ...said.content } };
}

/**
 * A form with the required questions that a refused call left unanswered, and with the wrongly answered ones, for a client that can show it
 * to its person. `undefined` if the refusal is about something else, or the person has filled in the form: then the refusal is the answer.
 *
 * @throws ServiceError if the person did not fill in the form
 */
export async function askForAnswers(
  { input }: Operation,
  fields: Fields,
  refused: unknown,
  { account, canAsk, context }: Caller,
): Promise<InputRequiredResult | undefined> {
  const asking = askingFields(input);
  if (asking === undefined || !canAsk || !(refused instanceof ServiceError) || refused.kind !== 'invalid') return undefined;
  const eventType = fields[asking.eventType];
  const wrong = new Set(refused.fields.map(({ field }) => field));
  const isAboutAnswers = [...wrong].some((field) => field.split('.')[0] === asking.answers);
  if (typeof eventType !== 'string' || !isAboutAnswers) return undefined;
  const said = inputResponse(context.mcpReq.inputResponses, answersForm);
  if (said.kind === 'elicit') {
    if (said.action === 'accept') return undefined;
    const advice = 'The person did not fill in the form: ask them before you call this again.';
    throw new ServiceError('invalid', { ...refused, message: refused.message, advice });
  }
  const questions = await account.call(context.mcpReq.signal, (client) => readableQuestions(client, eventType));
  const answers = answersByKey(fields[asking.answers], asking.label) ?? {};
  const open = (questions ?? []).filter(
    ({ key, required }) => (required && !Object.hasOwn(answers, key)) || wrong.has(`${asking.answers}.${key}`),
  );
  if (open.length === 0) return undefined;
  return inputRequired({
    inputRequests: {
      [answersForm]: inputRequired.elicit({
        message: refused.message,
        requestedSchema: {
          type: 'object',
          properties: Object.fromEntries(open.map((question) => [question.key, formField(question)])),
          required: open.filter(({ required }) => required).map(({ key }) => key),
        },
      }),
    },
  });
}

/** Forms know only a few types. What a text must look like is left to the service. */
function formField({ label: title, control, choices }: Question): FormField {
  const options = choices.map(({ value, label }) => ({ const: value, title: label }));
  switch (control) {
    case 'number':
    case 'boolean':
      return { type: control, title };
    case 'choice':
      return { type: 'string', title, oneOf: options };
    case 'choices':
      return { type: 'array', title, items: { anyOf: options } };
    case 'email':
    case 'date':
      return { type: 'string', title, format: control };
    default:
      return { type: 'string', title };
  }
}
