import type { IDataObject, INodeType } from 'n8n-workflow';
import type { CallsArgument } from './calls.ts';
import type { Task } from './child.ts';

/** How long each way took until it failed, in seconds, and with which words. */
export type Failed = Record<'ours' | 'HTTP Request node', { seconds: number; words: string }>;

/** Creates a booking while the service fails, with our node and with the node that people use without it. */
export const run: Task<Pick<CallsArgument, 'eventTypeId' | 'start'> & { baseUrl: string }, Failed> = async (core, argument) => {
  const { baseUrl, eventTypeId, start } = argument;
  const failed = async (type: INodeType, parameters: IDataObject): Promise<Failed['ours']> => {
    const started = performance.now();
    try {
      await type.execute?.call(core.executing(type, parameters));
    } catch (error) {
      return { seconds: (performance.now() - started) / 1000, words: error instanceof Error ? error.message : String(error) };
    }
    throw new Error(`${type.description.displayName} did not fail.`);
  };
  const booking = { event_type_id: eventTypeId, start_time: start, invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' };
  const ours = await failed(core.action, {
    resource: 'booking',
    operation: 'create',
    eventTypeId: { __rl: true, mode: 'id', value: eventTypeId },
    startTime: start,
    inviteeName: booking.invitee_name,
    inviteeEmail: booking.invitee_email,
  });
  const other = await failed(core.builtIn('HttpRequest/HttpRequest'), {
    method: 'POST',
    url: `${baseUrl}/bookings`,
    authentication: 'predefinedCredentialType',
    nodeCredentialType: core.credentialType,
    sendBody: true,
    specifyBody: 'json',
    jsonBody: JSON.stringify(booking),
    options: {},
  });
  return { ours, 'HTTP Request node': other };
};
