import { defineSearch, type Bundle, type ZObject } from 'zapier-platform-core';
import { runOperation, operationLabel, type Form, type ManyOperation, formFields, readSortedPage } from '../../shared/operations/index.ts';
import { mapped, mappedFields } from '../../shared/records/index.ts';
import { clientFor, throttle } from './connection.ts';
import { guarded } from './errors.ts';
import { filledInputs, formInput, outputField, sentence } from './fields.ts';
import { actionKey, nounOf } from './names.ts';

const PAGE = 25;

/** Tells a person that a result is incomplete, and why. Complete results do not have this field. */
const partField = { key: 'search_note', label: 'Search Note', type: 'string' } as const;

/**
 * An operation that finds records, best match first, as a search in pages. If none is found, the page is empty. The core sorts the records,
 * so each page searches again: the service's cursor has another order.
 *
 * @param narrowed what to look for instead if the step also creates what it does not find; `undefined` if the step only searches
 */
export function search<Input extends Form>(
  operation: ManyOperation<Input>,
  narrowed: (inputs: Readonly<Record<string, unknown>>) => Record<string, unknown> | undefined = () => undefined,
) {
  const perform = guarded(
    async (zapier: ZObject, bundle: Bundle) => {
      const inputs = filledInputs(bundle);
      const instead = narrowed(inputs);
      const form = { fields: instead ?? inputs };
      const timeZone = bundle.meta.timezone ?? undefined;
      // Zapier shows log lines in the history of the Zap.
      const note = (sentence: string) => zapier.console.log(sentence);
      let part: string | undefined;
      const partNote = (sentence: string) => (part = sentence);
      const options = { shape: 'mapped', timeZone, note, partNote, bound: {}, createsOtherwise: instead !== undefined } as const;
      const read = (limit: number) => runOperation(clientFor(zapier), operation, form, { ...options, limit });
      const { records, next } = await readSortedPage(positionIn(bundle.meta.paging_token), PAGE, read);
      // Nobody who maps fields looks into the history, so a field has the note. The next page would come from another part.
      if (part !== undefined) return { results: records.map((record) => ({ [partField.key]: part, ...record })), paging_token: null };
      return { results: records, paging_token: next === undefined ? null : [next.count, ...next.last].join(' ') };
    },
    { halts: true },
  );

  return defineSearch({
    key: actionKey(operation),
    noun: nounOf(operation),
    display: { label: operationLabel(operation), description: sentence(operation.description) },
    operation: {
      perform,
      canPaginate: true,
      inputFields: formFields(operation.input).map((field) => formInput(field)),
      outputFields: [...mappedFields(operation.output).flatMap((field) => outputField(field)), partField],
      sample: mapped(operation.output, operation.sample),
      throttle,
    },
  });
}

const positionIn = (token: unknown): { count: number; last: readonly string[] } => {
  const [count = '0', ...last] = typeof token === 'string' ? token.split(' ') : [];
  return { count: Number(count), last };
};
