import { defineCreate, type Bundle, type ZObject } from 'zapier-platform-core';
import {
  runOperation,
  operationLabel,
  type Form,
  type LookupName,
  type ManyOperation,
  type OneOperation,
  formFields,
} from '../../shared/operations/index.ts';
import { mapped, mappedFields } from '../../shared/records/index.ts';
import { clientFor, throttle } from './connection.ts';
import { guarded } from './errors.ts';
import { formInput, groupOf, outputField, sentence } from './fields.ts';
import { actionKey, nounOf } from './names.ts';
import { questionFields } from './questions.ts';

/**
 * An operation that returns one record, as an action.
 *
 * @param searches the search step that each lookup field offers to fill it
 */
export function create<Input extends Form>(operation: OneOperation<Input>, searches: Partial<Record<LookupName, ManyOperation>> = {}) {
  const questions = questionFields(operation.input);
  const fields = formFields(operation.input);
  const headings = new Set(fields.flatMap(({ group }) => group ?? []));
  const groups = [...[...headings].map(groupOf), ...(questions === undefined ? [] : [questions.group])];
  const inputs = fields.map((field) => {
    const search = field.lookup === undefined ? undefined : searches[field.lookup];
    return formInput(field, search === undefined ? {} : { search: `${actionKey(search)}.id` });
  });

  const perform = guarded(
    async (z: ZObject, { inputData, meta }: Bundle) => {
      const form = { fields: inputData, ...(questions !== undefined && { answers: questions.answersIn(inputData) }) };
      return runOperation(clientFor(z), operation, form, { shape: 'mapped', timeZone: meta.timezone ?? undefined });
    },
    { halts: true },
  );

  return defineCreate({
    key: actionKey(operation),
    noun: nounOf(operation),
    display: { label: operationLabel(operation), description: sentence(operation.description) },
    operation: {
      perform,
      inputFields: questions === undefined ? inputs : questions.inForm(inputs),
      ...(groups.length > 0 && { inputFieldGroups: groups }),
      outputFields: [
        ...mappedFields(operation.output, { adds: operation.adds }).flatMap((field) => outputField(field)),
        ...(questions === undefined ? [] : [questions.outputs]),
      ],
      sample: mapped(operation.output, operation.sample),
      throttle,
    },
  });
}
