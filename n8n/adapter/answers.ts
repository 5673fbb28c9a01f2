import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../shared/define.ts';
import { formFields, type FormField } from '../../shared/form.ts';
import { descriptionOf } from './fields.ts';
import { parameterName, questionsMethod } from './names.ts';

/** How the answers are given: as one field for each question, or as JSON. */
export const answersMode = (field: Pick<FormField, 'key'>): string => `${parameterName(field.key)}Mode`;
/** Where answers as JSON stand. */
export const answersJson = (field: Pick<FormField, 'key'>): string => `${parameterName(field.key)}Json`;

/** The field that decides which questions are asked: the required one with a list. */
export const answersSource = (operation: Operation): FormField | undefined =>
  formFields(operation.input).find(({ required, lookup }) => required && lookup !== undefined);

/**
 * The answers to an event type's own questions, as typed fields that follow the chosen event type, or as JSON for agents
 * and for event types that an expression chooses.
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
        { name: 'Using Fields Below', value: 'fields', description: 'One field for each question of the chosen event type' },
        {
          name: 'Using JSON',
          value: 'json',
          description: 'An object keyed by question, for agents and for an event type chosen by an expression',
        },
      ],
      default: 'fields',
      description: descriptionOf(field),
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
          noFieldsError: 'This event type asks no questions',
        },
      },
      displayOptions: { show: { [answersMode(field)]: ['fields'] } },
    },
    {
      displayName: `${field.label} (JSON)`,
      name: answersJson(field),
      type: 'json',
      default: '{}',
      description: descriptionOf(field),
      displayOptions: { show: { [answersMode(field)]: ['json'] } },
    },
  ];
}
