import type { Bundle, PlainInputField, PlainOutputField, ZObject } from 'zapier-platform-core';
import type { Client } from '../../shared/api/client.ts';
import { isObject } from '../../shared/values.ts';
import type { FormField } from '../../shared/form.ts';
import { checkedAnswers, questionWords, readableQuestions, type Question } from '../../shared/questions.ts';
import { clientFor } from './connection.ts';
import { guarded } from './errors.ts';
import { formInput } from './fields.ts';
import { answerKeys } from './names.ts';

/** The group in which the questions stand. */
const GROUP = 'questions';

/**
 * The chosen event type's own questions as typed fields of a form that takes answers: a group of their own, which changes with the event
 * type, and a field for answers by key where the questions cannot be read.
 *
 * @returns nothing for a form that takes no answers
 */
export function questionFields(fields: readonly FormField[]) {
  const answers = fields.find(({ control }) => control === 'answers');
  const eventType = fields.find(({ lookup }) => lookup === 'eventTypes');
  if (answers === undefined || eventType === undefined) return undefined;
  const names = answerKeys(answers.key);

  const chosen = (inputData: Readonly<Record<string, unknown>>): string | undefined => {
    const value = inputData[eventType.key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };

  const asked = async (z: ZObject, { inputData }: Bundle): Promise<Question[]> => {
    const type = chosen(inputData);
    return type === undefined ? [] : ((await readableQuestions(clientFor(z), type)) ?? []);
  };

  const inputs = guarded(async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> =>
    (await asked(z, bundle)).map((question) => formInput({ ...question, key: names.encode(question.key), help: '' }, { group: GROUP })),
  );

  /** The answers under their questions' words, so that a later step shows what was asked. */
  const outputs = guarded(async (z: ZObject, bundle: Bundle): Promise<PlainOutputField[]> =>
    (await asked(z, bundle)).map(({ key, label }) => ({ key: `${answers.key}__${key}`, label })),
  );

  return {
    group: { key: GROUP, label: questionWords.group },
    outputs,

    /** The form with the questions after its own fields, and the answers by key after them. */
    inForm: (own: readonly PlainInputField[]) => [
      ...own.filter(({ key }) => key !== answers.key).map((field) => (field.key === eventType.key ? { ...field, altersDynamicFields: true } : field)),
      inputs,
      formInput({ ...answers, ...questionWords.other }, { group: GROUP }),
    ],

    /**
     * The answers of a filled-in form, typed as the service takes them. Those to questions of an event type that was chosen earlier are left
     * out; those by key to questions that the account cannot read are passed on as they are.
     *
     * @throws ServiceError naming each question that is missing or wrongly answered
     */
    answered: async (client: Client, inputData: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> => {
      const type = chosen(inputData);
      if (type === undefined) return {};
      const byKey = inputData[answers.key];
      const given = { inFields: names.decoded(inputData), ...(isObject(byKey) && { byKey }) };
      return { [answers.key]: checkedAnswers(given, await readableQuestions(client, type)) };
    },
  };
}
