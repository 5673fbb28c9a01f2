import type { FieldType, ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { operations } from '../../shared/operations/index.ts';
import { questionsOf, type Question } from '../../shared/questions.ts';
import { answersSource } from './answers.ts';
import { nodeError } from './errors.ts';
import { parameterName } from './names.ts';
import { plainValue } from './parameters.ts';
import { clientFor } from './service.ts';

/** n8n's field for each kind, so that the compiler asks for that of a new one. */
const types: Record<Question['control'], FieldType> = {
  text: 'string',
  multiline: 'string',
  email: 'string',
  phone: 'string',
  url: 'string',
  timeZone: 'string',
  dateTime: 'dateTime',
  number: 'number',
  boolean: 'boolean',
  date: 'dateTime',
  choice: 'options',
  // n8n has no field for several choices: they are entered as an array.
  choices: 'array',
  events: 'array',
  answers: 'object',
};

/** The questions of the event type that the panel has chosen, as the fields of a resource mapper. */
export async function questionFields(panel: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const operation = operations.find(
    ({ resource, name }) => resource === panel.getCurrentNodeParameter('resource') && name === panel.getCurrentNodeParameter('operation'),
  );
  const source = operation && answersSource(operation);
  const chosen = source && plainValue(panel.getCurrentNodeParameter(parameterName(source.key)));
  if (typeof chosen !== 'string' || chosen === '') return { fields: [], emptyFieldsNotice: 'Choose an event type to see its questions' };
  try {
    const questions = await questionsOf(await clientFor(panel), chosen);
    return { fields: (questions ?? []).map(mapperField) };
  } catch (error) {
    throw nodeError(panel.getNode(), error);
  }
}

function mapperField({ key, label, control, required, choices = [] }: Question): ResourceMapperField {
  const list = choices.map(({ label: name, value }) => ({ name, value }));
  const several = control === 'choices';
  // A switch that nobody touched would answer "no": a question that need not be answered is asked with a blank choice.
  const yesOrNo =
    control === 'boolean' && !required
      ? [
          { name: 'Yes', value: true },
          { name: 'No', value: false },
        ]
      : undefined;
  const options = control === 'choice' ? list : yesOrNo;
  return {
    id: key,
    displayName: several ? `${label} (several of: ${list.map(({ value }) => value).join(', ')})` : label,
    required,
    display: true,
    defaultMatch: false,
    canBeUsedToMatch: false,
    type: options === undefined ? types[control] : 'options',
    ...(options && { options }),
    // An empty editor would be marked as wrong JSON.
    ...(several && { defaultValue: '[]' }),
  };
}
