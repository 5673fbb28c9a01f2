import type { INodeProperties } from 'n8n-workflow';
import { type Operation, formFields, type FormField } from '../../shared/operations/index.ts';
import { ServiceError } from '../../shared/client/index.ts';
import { asText, isBlank, isObject, quoteValue, tidy, yesOrNo } from '../../shared/values.ts';
import { descriptionOf } from './fields.ts';
import { parameterName, questionsMethod } from './names.ts';

/** The parameter for how the answers are entered: as one field for each question, or as JSON. */
export const answersMode = (field: Pick<FormField, 'key'>): string => `${parameterName(field.key)}Mode`;
/** The parameter for answers as JSON. */
export const answersJson = (field: Pick<FormField, 'key'>): string => `${parameterName(field.key)}Json`;

/**
 * The field for one choice of a question that takes several. Saved workflows contain it. Encoded, because n8n finds it by a path in which
 * quotes and brackets have a meaning.
 */
export const choiceKey = (question: string, value: string): string => `${question}::${encodeURIComponent(value)}`;

/**
 * The answers in the fields. The choices that are switched on become a list: the answer to their question.
 *
 * @param panel the panel of the questions as the workflow stores it. It says which fields are switches; without it, their values decide
 * @throws ServiceError `invalid` if a switch holds something other than yes or no
 */
export function answersOf(fields: Readonly<Record<string, unknown>>, panel: unknown = {}): Record<string, unknown> {
  const schema: unknown = isObject(panel) ? panel['schema'] : undefined;
  const shown = new Map((Array.isArray(schema) ? schema : []).filter(isObject).map((field) => [field['id'], field]));
  const answers: [string, unknown][] = [];
  const chosen = new Map<string, string[]>();
  for (const [key, value] of Object.entries(fields)) {
    const [choice, field, isOn] = [choiceIn(key), shown.get(key), yesOrNo(value)];
    const isSwitch = field === undefined ? isOn !== undefined : field['type'] === 'boolean';
    if (choice === undefined || !isSwitch) answers.push([key, value]);
    else if (isOn === true) chosen.set(choice.question, [...(chosen.get(choice.question) ?? []), choice.value]);
    else if (isOn === undefined && !isBlank(value))
      throw new ServiceError('invalid', {
        message: `The choice "${tidy(asText(field?.['displayName']) || key)}" takes yes or no: it is ${quoteValue(value)}.`,
        advice: 'Correct it, and run this again.',
      });
  }
  return Object.fromEntries([...answers, ...chosen]);
}

function choiceIn(key: string): { question: string; value: string } | undefined {
  const parts = /^(.+)::([^:]+)$/s.exec(key);
  if (parts === null) return undefined;
  const [, question = '', value = ''] = parts;
  return { question, value: decoded(value) };
}

/** A key that was not made by a panel is used as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The field whose value decides which questions are shown: the event type. */
export const answersSource = (operation: Operation): FormField | undefined =>
  formFields(operation.input).find(({ lookup }) => lookup === 'eventTypes');

/**
 * The properties for the answers to an event type's questions: typed fields that follow the chosen event type, or JSON, for agents and for
 * event types chosen by an expression.
 */
export function answersProperties(field: FormField, operation: Operation): INodeProperties[] {
  const source = answersSource(operation);
  const dependsOn = source === undefined ? [] : [`${parameterName(source.key)}.value`];
  return [
    {
      displayName: `Specify ${field.label}`,
      name: answersMode(field),
      type: 'options',
      options: [
        {
          name: 'Using Fields Below',
          value: 'fields',
          // n8n cuts off labels that are wider than the panel and offers no other way to read them.
          description: 'One field for each question of the chosen event type. To read a long question, drag the edge of this panel.',
        },
        {
          name: 'Using JSON',
          value: 'json',
          description:
            'An object with the key or the text of each question and its answer, for agents and for an event type chosen by an expression',
        },
      ],
      default: 'fields',
      description: 'Whether each answer has a field, or all are in one JSON object',
    },
    {
      displayName: field.label,
      name: parameterName(field.key),
      type: 'resourceMapper',
      noDataExpression: true,
      default: { mappingMode: 'defineBelow', value: null },
      typeOptions: {
        loadOptionsDependsOn: dependsOn,
        resourceMapper: {
          resourceMapperMethod: questionsMethod,
          mode: 'add',
          fieldWords: { singular: 'question', plural: 'questions' },
          valuesLabel: field.label,
          addAllFields: true,
          supportAutoMap: false,
        },
      },
      displayOptions: { show: { [answersMode(field)]: ['fields'] } },
    },
    {
      displayName: `${field.label} (JSON)`,
      name: answersJson(field),
      type: 'json',
      default: '{}',
      description: descriptionOf(field.help),
      displayOptions: { show: { [answersMode(field)]: ['json'] } },
    },
  ];
}
