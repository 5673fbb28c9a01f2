import { defineSearch, type Bundle, type ZObject } from 'zapier-platform-core';
import type * as z from 'zod/v4';
import type { ServiceRecord } from '../../shared/api/records.ts';
import { operationLabel, parseInput, type ManyOperation } from '../../shared/define.ts';
import { formFields } from '../../shared/form.ts';
import { outputFields } from '../../shared/outputs.ts';
import { clientFor } from './connection.ts';
import { guarded } from './errors.ts';
import { formInput, outputField, sentence } from './fields.ts';
import { actionKey, nounOf } from './names.ts';

const PAGE = 25;

/**
 * An operation that finds records, best match first, as a search in pages. None found is an empty page.
 *
 * @param narrowed what to look for instead, where the step also creates what is not found; nothing where it only searches
 */
export function search<Input extends z.ZodObject>(operation: ManyOperation<Input>, narrowed: (inputData: Readonly<Record<string, unknown>>) => Record<string, unknown> | undefined = () => undefined) {
  const perform = guarded(async (zapier: ZObject, bundle: Bundle) => {
    const input = parseInput(operation, narrowed(bundle.inputData) ?? bundle.inputData);
    const from = Number(bundle.meta.paging_token ?? 0);
    const found: ServiceRecord[] = [];
    const context = { timeZone: bundle.meta.timezone ?? undefined, limit: from + PAGE + 1 };
    for await (const record of operation.run(clientFor(zapier), input, context)) found.push(record);
    return { results: found.slice(from, from + PAGE), paging_token: found.length > from + PAGE ? String(from + PAGE) : null };
  });

  return defineSearch({
    key: actionKey(operation),
    noun: nounOf(operation),
    display: { label: operationLabel(operation), description: sentence(operation.description) },
    operation: {
      perform,
      canPaginate: true,
      inputFields: formFields(operation.input).map((field) => formInput(field)),
      outputFields: outputFields(operation.output).flatMap((field) => outputField(field)),
      sample: operation.sample,
    },
  });
}
