import { ServiceError } from '../serviceError.ts';
import type { Answering } from './define.ts';
import { withId } from './eventType.ts';
import { answersByKey, askingFields, checkedAnswers, hasAnswers, questionsRead } from './questions.ts';

/**
 * Reads and checks the answers for operations whose form asks an event type's questions. In its own file, so that applications without such
 * an operation do not send it to browsers.
 */
export const answering: Answering = {
  split(form, { fields, answers: inFields }) {
    const asking = askingFields(form);
    if (asking === undefined) return { fields, answers: {} };
    const { [asking.answers]: written, ...others } = fields;
    const byKey = answersByKey(written, asking.label);
    return { fields: others, answers: { ...(inFields && { inFields }), ...(byKey && { byKey }) } };
  },

  async checked(client, form, input, answers, platformZone) {
    const asking = hasAnswers(answers) ? askingFields(form) : undefined;
    if (asking === undefined) return { whole: input };
    const questions = await questionsRead(client, String(input[asking.eventType]));
    const zones = [...Object.entries(form).flatMap(([key, { control }]) => (control === 'timeZone' ? [input[key]] : [])), platformZone];
    return { whole: { ...input, [asking.answers]: checkedAnswers(answers, questions, zones) }, questions };
  },

  async explained(client, form, input, answers, error) {
    const asking = askingFields(form);
    if (asking === undefined || !(error instanceof ServiceError)) return error;
    const isAbout = (key: string): boolean => error.fields.some(({ field }) => field.split('.')[0] === key);
    const typed = String(input[asking.eventType]);
    const named = isAbout(asking.eventType) || error.kind === 'notFound' ? await withId(client, typed, error) : error;
    if (named !== error || error.kind !== 'invalid' || !isAbout(asking.answers)) return named;
    try {
      checkedAnswers(answers, await questionsRead(client, typed));
    } catch (complaint) {
      if (complaint instanceof ServiceError && complaint.kind === 'invalid') return complaint;
      if (!(complaint instanceof ServiceError)) throw complaint;
    }
    return error;
  },
};
