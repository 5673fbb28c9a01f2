import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { lookups } from '../../shared/lookups/index.ts';
import { nodeError } from './errors.ts';
import { clientFor } from './service.ts';

/** More event types than one chooses from in a list that cannot be searched at the service. */
const mostPages = 10;

/** All event types, for choosing several. n8n's lists of several have no pages, so the pages are read here. */
export async function eventTypeOptions(panel: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  try {
    const client = await clientFor(panel);
    const options: INodePropertyOptions[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const read = await lookups.eventTypes.page(client, cursor === undefined ? {} : { cursor });
      options.push(...read.choices.map(({ value, label }) => ({ name: label, value })));
      cursor = read.cursor;
      if (cursor === undefined) return options;
    }
    // A choice that chooses nothing, for n8n's lists have no place for a remark.
    options.push({
      name: `Only the first ${options.length.toLocaleString('en')} are listed. Enter other IDs with an expression.`,
      value: '',
    });
    return options;
  } catch (error) {
    throw nodeError(panel.getNode(), error);
  }
}
