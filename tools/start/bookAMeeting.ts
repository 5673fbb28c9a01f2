import type { WorkflowFile } from '../rigs/n8n/workflows.ts';

/** The trigger and the node of the workflow that books. */
export const booking = { from: 'Execute workflow', node: 'Create booking' } as const;

/**
 * A workflow of two nodes that books an event type in some hour of the next three days, on this machine's clock. If the hour is taken, n8n
 * tries another.
 */
export function bookAMeeting(
  type: string,
  credentials: Record<string, { id: string; name: string }>,
  eventType: { id: string; name: string },
): WorkflowFile {
  const start = '$now.startOf("day").plus({ days: 1 + Math.floor(3 * Math.random()), hours: 9 + Math.floor(8 * Math.random()) }).toISO()';
  const parameters = {
    eventTypeId: { __rl: true, mode: 'list', value: eventType.id, cachedResultName: eventType.name },
    startTime: `={{ ${start} }}`,
    inviteeName: 'Ada Lovelace',
    inviteeEmail: 'ada@example.com',
    questionResponsesMode: 'json',
    additionalFields: { notes: 'Booked by a workflow' },
  };
  return {
    name: 'Make a booking',
    nodes: [
      { id: 'begin', name: booking.from, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
      { id: 'book', name: booking.node, type, typeVersion: 1, position: [224, 0], parameters, credentials, retryOnFail: true, maxTries: 5 },
    ],
    connections: { [booking.from]: { main: [[{ node: booking.node, type: 'main', index: 0 }]] } },
    settings: { executionOrder: 'v1' },
  };
}
