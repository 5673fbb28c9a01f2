import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { lookups } from '../../shared/operations/index.ts';
import { nodeError } from './errors.ts';
import { clientFor } from './service.ts';

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
