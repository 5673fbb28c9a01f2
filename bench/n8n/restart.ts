import type { IDataObject } from 'n8n-workflow';
import type { Task } from './child.ts';

/** What n8n keeps for each trigger, by the id that stands in its address. */
export type Kept = Record<string, IDataObject>;

/** n8n's start: it asks every published trigger, one after the other, whether its subscription is there, and has it made where it is not. */
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
