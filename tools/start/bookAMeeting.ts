import type { WorkflowFile } from '../rigs/n8n/workflows.ts';

/** The trigger and the node of the workflow that books. */
export const booking = { from: 'Execute workflow', node: 'Create booking' } as const;

const upcoming = 'Upcoming bookings';

/** The first full hour on a weekday between 9 and 17 that no upcoming booking touches, on this machine's clock. */
const nextFreeHour = `={{ Array.from({ length: 1000 }, (_, index) => $now.startOf('hour').plus({ hours: index + 1 }))
  .filter((start) => start.weekday < 6 && start.hour >= 9 && start.hour < 17)
  .find((start) => !$('${upcoming}').all().some(({ json }) =>
    DateTime.fromISO(json.start_time) < start.plus({ hours: 1 }) && DateTime.fromISO(json.end_time) > start))
  .toISO() }}`;

/** A workflow that books an event type in the next free hour, as often as it is run. */
export function bookAMeeting(
  type: string,
  credentials: Record<string, { id: string; name: string }>,
  eventType: { id: string; name: string },
): WorkflowFile {
  const usual = { type, typeVersion: 1, credentials };
  const wanted = {
    eventTypeId: { __rl: true, mode: 'list', value: eventType.id, cachedResultName: eventType.name },
    startTime: nextFreeHour,
    inviteeName: 'Ada Lovelace',
    inviteeEmail: 'ada@example.com',
    questionResponsesMode: 'json',
    additionalFields: { notes: 'Booked by a workflow' },
  };
  const list = { operation: 'getMany', returnAll: true, filters: { upcoming: true } };
  return {
    name: 'Make a booking',
    nodes: [
      { id: 'begin', name: booking.from, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
      { id: 'list', name: upcoming, ...usual, position: [224, 0], parameters: list, alwaysOutputData: true },
      { id: 'book', name: booking.node, ...usual, position: [448, 0], parameters: wanted, executeOnce: true },
    ],
    connections: {
      [booking.from]: { main: [[{ node: upcoming, type: 'main', index: 0 }]] },
      [upcoming]: { main: [[{ node: booking.node, type: 'main', index: 0 }]] },
    },
    settings: { executionOrder: 'v1' },
  };
}
