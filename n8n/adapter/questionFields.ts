import type { FieldType, ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { operations } from '../../shared/operations/index.ts';
import { questionsOf, type Question } from '../../shared/questions.ts';
import { answersSource, questionsMethod } from './answers.ts';
import { nodeError } from './errors.ts';
import { parameterName } from './names.ts';
import { plainValue } from './parameters.ts';
import { clientFor } from './service.ts';

const types: Partial<Record<Question['control'], FieldType>> = {
  number: 'number',
  boolean: 'boolean',
  date: 'dateTime',
  choice: 'options',
  // n8n has no field for several choices: they are entered as an array.
  choices: 'array',
};

/** The questions of the event type that the panel has chosen, as the fields of a resource mapper. */
async function questionFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const operation = operations.find(({ resource, name }) => resource === this.getCurrentNodeParameter('resource') && name === this.getCurrentNodeParameter('operation'));
  const source = operation && answersSource(operation);
  const chosen = source && plainValue(this.getCurrentNodeParameter(parameterName(source.key)));
  if (typeof chosen !== 'string' || chosen === '') return { fields: [], emptyFieldsNotice: 'Choose an event type to see its questions' };
  try {
    const questions = await questionsOf(await clientFor(this), chosen);
    return { fields: questions.map(mapperField) };
  } catch (error) {
    throw nodeError(this.getNode(), error);
  }
}

function mapperField({ key, label, control, required, choices = [] }: Question): ResourceMapperField {
  const list = choices.map(({ label: name, value }) => ({ name, value }));
  const named = control === 'choices' && list.length > 0 ? `${label} (several of: ${list.map(({ value }) => value).join(', ')})` : label;
  return {
    id: key,
    displayName: named,
    required,
    display: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
    type: types[control] ?? 'string',
    ...(control === 'choice' && { options: list }),
  };
}

export const resourceMapping = { [questionsMethod]: questionFields };
