import { defineCreate, type Bundle, type ZObject } from 'zapier-platform-core';
import { ServiceError } from '../../shared/api/errors.ts';
import { operationLabel, parseInput, type Form, type LookupName, type ManyOperation, type OneOperation } from '../../shared/define.ts';
import { formFields } from '../../shared/form.ts';
import { outputFields } from '../../shared/outputs.ts';
import { clientFor } from './connection.ts';
import { guarded } from './errors.ts';
import { formInput, outputField, sentence } from './fields.ts';
import { actionKey, nounOf } from './names.ts';
import { questionFields } from './questions.ts';

/**
 * An operation that ends in one record, as an action.
 *
 * @param searches which search step a field offers to be filled from
 */
export function create<Input extends Form>(operation: OneOperation<Input>, searches: Partial<Record<LookupName, ManyOperation>> = {}) {
  const fields = formFields(operation.input);
  const questions = questionFields(fields);
  const inputs = fields.map((field) => {
    const search = field.lookup === undefined ? undefined : searches[field.lookup];
    return formInput(field, search === undefined ? {} : { search: `${actionKey(search)}.id` });
  });

  const perform = guarded(async (zapier: ZObject, bundle: Bundle) => {
    const client = clientFor(zapier);
    const context = { timeZone: bundle.meta.timezone ?? undefined };
    let input;
    try {
      input = parseInput(operation, { ...bundle.inputData, ...(await questions?.answered(client, bundle.inputData)) });
    } catch (error) {
      // "Failed" would be untrue where an earlier run of this step may have done it already.
      const made = error instanceof ServiceError ? await operation.resume?.(client, parseInput(operation, bundle.inputData), context) : undefined;
      if (made !== undefined) return made;
      throw error;
    }
    return operation.run(client, input, context);
  });

  return defineCreate({
    key: actionKey(operation),
    noun: nounOf(operation),
    display: { label: operationLabel(operation), description: sentence(operation.description) },
    operation: {
      perform,
      inputFields: questions === undefined ? inputs : questions.inForm(inputs),
      ...(questions !== undefined && { inputFieldGroups: [questions.group] }),
      outputFields: [...outputFields(operation.output, { adds: operation.adds }).flatMap((field) => outputField(field)), ...(questions === undefined ? [] : [questions.outputs])],
      sample: operation.sample,
    },
  });
}
