import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { type LookupName, lookups } from '../../shared/operations/index.ts';
import { nodeError } from './errors.ts';
import { clientFor } from './service.ts';

/**
 * One page of a searchable list.
 *
 * @param filter what the person typed
 * @param paginationToken where the page begins, from the page before
 */
export async function search(
  panel: ILoadOptionsFunctions,
  lookup: LookupName,
  filter?: string,
  paginationToken?: unknown,
): Promise<INodeListSearchResult> {
  try {
    const client = await clientFor(panel);
    const { choices, cursor, note } = await lookups[lookup].page(client, {
      text: filter,
      cursor: typeof paginationToken === 'string' ? paginationToken : undefined,
    });
    const results = choices.map(({ value, label }): INodeListSearchItems => ({ name: label, value }));
    // n8n's lists cannot show a note, so it is a last entry that selects nothing.
    if (note !== undefined && cursor === undefined) results.push({ name: note, value: '' });
    return { results, ...(cursor !== undefined && { paginationToken: cursor }) };
  } catch (error) {
    throw nodeError(panel.getNode(), error);
  }
}

/** All event types, for choosing several. */
export async function eventTypeOptions(panel: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  try {
    const { choices, note } = await lookups.eventTypes.page(await clientFor(panel), {});
    const options = choices.map(({ value, label }): INodePropertyOptions => ({ name: label, value }));
    // An entry that selects nothing, because n8n's lists cannot show a note.
    if (note !== undefined)
      options.push({
        name: `Only the first ${options.length.toLocaleString('en')} are listed. Enter other IDs with an expression.`,
        value: '',
      });
    return options;
  } catch (error) {
    throw nodeError(panel.getNode(), error);
  }
}
