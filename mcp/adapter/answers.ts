import { inputRequired, inputResponse, type ElicitRequestFormParams, type InputRequiredResult } from '@modelcontextprotocol/server';
import { ServiceError } from '../../shared/client/index.ts';
import { answersByKey, askingFields, readableQuestions, type Operation, type Question } from '../../shared/operations/index.ts';
import type { Caller } from './call.ts';

/** The name under which the person's answers come back. */
const answersForm = 'answers';

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
