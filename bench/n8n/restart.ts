import type { IDataObject } from 'n8n-workflow';
import type { Task } from './child.ts';

/** What n8n stores for each trigger, by the id in its address. */
export type Kept = Record<string, IDataObject>;

/**
 * What n8n does when it starts: it asks every published trigger in turn whether its subscription exists, and has it created if it does not.
 */
export const run: Task<{ kept: Kept }, { kept: Kept; made: number }> = async (core, { kept }) => {
  const methods = core.trigger.webhookMethods?.['default'];
  let made = 0;
  for (const [webhookId, staticData] of Object.entries(kept)) {
    const hook = core.hooking(core.trigger, { events: ['BOOKING_CREATED'] }, { webhookId, staticData });
    if ((await methods?.checkExists.call(hook)) === true) continue;
    await methods?.create.call(hook);
    made += 1;
  }
  return { kept, made };
};
