import { defineSearch, type Bundle, type ZObject } from 'zapier-platform-core';
import type { ServiceRecord } from '../../shared/api/records.ts';
import { carryOut } from '../../shared/carryOut.ts';
import { operationLabel, type Form, type ManyOperation } from '../../shared/define.ts';
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
export function search<Input extends Form>(
  operation: ManyOperation<Input>,
  narrowed: (inputData: Readonly<Record<string, unknown>>) => Record<string, unknown> | undefined = () => undefined,
) {
  const perform = guarded(async (zapier: ZObject, bundle: Bundle) => {
    const fields = narrowed(bundle.inputData) ?? bundle.inputData;
    const place = readPlace(bundle.meta.paging_token);
    const found = await carryOut(
      clientFor(zapier),
      operation,
      { fields },
      { shape: 'presented', timeZone: bundle.meta.timezone ?? undefined, limit: place.count + PAGE + 1 },
    );
    const from = nextAfter(place, found);
    const results = found.slice(from, from + PAGE);
    return { results, paging_token: found.length > from + PAGE ? placeAfter(from + PAGE, results) : null };
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

/** Where the next page begins: after so many records, the last of which were these. */
interface Place {
  count: number;
  /** Latest first. */
  last: string[];
}

/** More than are likely to leave the list between two pages. */
const REMEMBERED = 5;

const readPlace = (token: unknown): Place => {
  const [count = '0', ...last] = typeof token === 'string' ? token.split(' ') : [];
  return { count: Number(count), last };
};

const placeAfter = (count: number, results: readonly ServiceRecord[]): string =>
  [
    count,
    ...results
      .slice(-REMEMBERED)
      .reverse()
      .map(({ id }) => String(id)),
  ].join(' ');

/** Each page looks anew. Records that left the list in between would shift it past others, so the last ones given are found again. */
function nextAfter({ count, last }: Place, found: readonly ServiceRecord[]): number {
  const places = last.map((id) => found.findIndex((record) => String(record['id']) === id));
  return (places.find((place) => place >= 0) ?? count - 1) + 1;
}
