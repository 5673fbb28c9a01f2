import { inputRequired, inputResponse, type ElicitRequestFormParams, type InputRequiredResult } from '@modelcontextprotocol/server';
import { ServiceError } from '../../shared/client/index.ts';
import { askingFields, readableQuestions, type Operation, type Question } from '../../shared/operations/index.ts';
import { isObject } from '../../shared/values.ts';
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
  return { ...fields, [asking.answers]: { ...answersIn(fields, asking.answers), ...said.content } };
}

/**
 * A form with the required questions that a refused call left unanswered, and with the wrongly answered ones, for a client that can show it
 * to its person. `undefined` if the refusal is about something else, or the person has seen the form: then the refusal is the answer.
 */
export async function askForAnswers(
  { input }: Operation,
  fields: Fields,
  refused: unknown,
  { account, canAsk, context }: Caller,
): Promise<InputRequiredResult | undefined> {
  const asking = askingFields(input);
  const wasAsked = inputResponse(context.mcpReq.inputResponses, answersForm).kind === 'elicit';
  if (asking === undefined || !canAsk || wasAsked || !(refused instanceof ServiceError) || refused.kind !== 'invalid') return undefined;
  const eventType = fields[asking.eventType];
  if (typeof eventType !== 'string') return undefined;
  const questions = await account.call(context.mcpReq.signal, (client) => readableQuestions(client, eventType));
  const answers = answersIn(fields, asking.answers);
  const wrong = new Set(refused.fields.map(({ field }) => field));
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

const answersIn = (fields: Fields, key: string): Fields => {
  const answers = fields[key];
  return isObject(answers) ? answers : {};
};

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
