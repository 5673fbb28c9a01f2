import { collectionName } from '../../../n8n/adapter/properties.ts';
import type { Operation } from '../../../shared/operations/define.ts';
import { formFields } from '../../../shared/operations/form.ts';
import type { Asked } from '../platform.ts';

/** Parameter names as n8n spells them. Workflows and the golden files contain them. */
const spelled = (documented: string): string => documented.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A form as the panel of n8n's node stores it: required fields separately, the others in a collection, and ids as typed into a list. */
export function panelOf(operation: Operation, { fields, answers, isSimplified = false }: Asked): Record<string, unknown> {
  const asked = formFields(operation.input).filter(({ key, control }) => control !== 'answers' && fields[key] !== undefined);
  const entry = ({ key, lookup }: (typeof asked)[number]) =>
    [spelled(key), lookup === undefined ? fields[key] : { __rl: true, mode: 'id', value: fields[key] }] as const;
  const takesAnswers = formFields(operation.input).find(({ control }) => control === 'answers');
  return {
    resource: operation.resource,
    operation: operation.name,
    ...Object.fromEntries(asked.filter(({ required }) => required).map(entry)),
    [collectionName(operation)]: Object.fromEntries(asked.filter(({ required }) => !required).map(entry)),
    ...(operation.yields === 'many' && { returnAll: true }),
    ...(takesAnswers !== undefined && {
      [`${spelled(takesAnswers.key)}Mode`]: 'fields',
      [spelled(takesAnswers.key)]: { mappingMode: 'defineBelow', value: answers ?? null },
    }),
    simplify: isSimplified,
  };
}

/** What n8n shows of an error: its title, and the text below it. */
export const shownWords = ({ message, description }: { message: string; description?: string | null | undefined }): string =>
  [message, description].filter((part) => typeof part === 'string' && part !== '').join(' ');
