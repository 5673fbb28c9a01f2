import type { IDataObject } from 'n8n-workflow';
import type { Task } from './child.ts';

export interface CallsArgument {
  /** One booking to get, one to cancel, and the input for one to create. */
  bookingId: string;
  eventTypeId: string;
  start: string;
}

/** A step of the task. The parent process counts the requests to the service during each step. */
export type Step = 'list' | 'get' | 'create' | 'cancel' | 'publish';

const locator = (value: string) => ({ __rl: true, mode: 'id', value });

export const run: Task<CallsArgument & { step: Step }, { items: number }> = async (core, { step, bookingId, eventTypeId, start }) => {
  if (step === 'publish') {
    const staticData: IDataObject = {};
    const hook = core.hooking(core.trigger, { events: ['BOOKING_CREATED'] }, { webhookId: 'published', staticData });
    const methods = core.trigger.webhookMethods?.['default'];
    if ((await methods?.checkExists.call(hook)) !== true) await methods?.create.call(hook);
    return { items: Object.keys(staticData).length };
  }
  const parameters: Record<Exclude<Step, 'publish'>, IDataObject> = {
    list: { operation: 'getMany', returnAll: true },
    get: { operation: 'get', bookingId: locator(bookingId) },
    create: {
      operation: 'create',
      eventTypeId: locator(eventTypeId),
      startTime: start,
      inviteeName: 'Ada Lovelace',
      inviteeEmail: 'ada@example.com',
    },
    cancel: { operation: 'cancel', bookingId: locator(bookingId) },
  };
  const output = await core.action.execute?.call(core.executing(core.action, { resource: 'booking', ...parameters[step] }));
  return { items: Array.isArray(output) ? (output[0]?.length ?? 0) : 0 };
};
