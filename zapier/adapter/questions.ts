import type { Bundle, PlainInputField, PlainOutputField, ZObject } from 'zapier-platform-core';
import { type Form, formFields, askingFields, questionsForForm, questionWords, sampleAnswer } from '../../shared/operations/index.ts';
import { answersField } from '../../shared/records/index.ts';
import { clientFor } from './connection.ts';
import { guarded } from './errors.ts';
import { formInput } from './fields.ts';
import { answerKeys } from './names.ts';

/** The group that contains the questions. */
const GROUP = 'questions';

/**
 * The chosen event type's questions as typed fields of a form with answers: their own group, which changes with the event type, and a field
 * for answers by key in case the questions cannot be read.
 *
 * @returns `undefined` for a form without answers
 */
export function questionFields(form: Form) {
  const asking = askingFields(form);
  const answers = formFields(form).find(({ key }) => key === asking?.answers);
  if (asking === undefined || answers === undefined) return undefined;
  const names = answerKeys(answers.key);

  const asked = async (z: ZObject, { inputData }: Bundle): Promise<Awaited<ReturnType<typeof questionsForForm>>> => {
    const type = inputData[asking.eventType];
    if (typeof type !== 'string' || type === '') return { questions: [] };
    // While a person edits a Zap, Zapier passes the placeholder of a field that is mapped from an earlier step.
    if (type.includes('{{')) return { questions: [], why: 'The event type comes from an earlier step.' };
    return questionsForForm(clientFor(z), type);
  };

  const inputs = guarded(async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> => {
    const { questions, why } = await asked(z, bundle);
    const note = `${why} No questions are shown. If it asks any, use "${questionWords.other.label}".`;
    return [
      ...(why === undefined ? [] : [{ key: `${GROUP}_note`, type: 'copy', helpText: note, group: GROUP } as const]),
      ...questions.map((question) => formInput({ ...question, key: names.encode(question.key), help: '' }, { group: GROUP })),
    ];
  });

  /** The answers as output fields, labelled with their questions, so that later steps show the question. */
  const outputs = guarded(
    async (z: ZObject, bundle: Bundle): Promise<PlainOutputField[]> =>
      (await asked(z, bundle)).questions.map(
        (question): PlainOutputField => ({
          key: `${answersField}__${question.key}`,
          label: question.label,
          sample: sampleAnswer(question) as NonNullable<PlainOutputField['sample']>,
        }),
      ),
  );

  return {
    group: { key: GROUP, label: questionWords.group },
    outputs,

    /** The form's own fields, then the questions, then the answers by key. */
    inForm: (own: readonly PlainInputField[]) => [
      ...own
        .filter(({ key }) => key !== answers.key)
        .map((field) => (field.key === asking.eventType ? { ...field, altersDynamicFields: true } : field)),
      inputs,
      formInput({ ...answers, ...questionWords.other }, { group: GROUP }),
    ],

    /** The answers in a filled-in form. They may include answers for an event type that was chosen earlier. */
    answersIn: names.decoded,
  };
}
