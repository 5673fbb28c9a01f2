import { eventRows, isEventName, type EventName, type EventRow } from '../../../shared/events.ts';
import { typeNamed, type Stage } from './stage.ts';

const fresh = () => `guest-${crypto.randomUUID().slice(0, 8)}@example.com`;

const pending = ({ sandbox, zapier }: Stage) =>
  sandbox.host.book({
    event_type_id: typeNamed({ sandbox, zapier }, 'Design Review'),
    invitee_email: fresh(),
    question_responses: { link: 'https://example.com/drafts' },
  });

/** Causes each event by name: something that a host or an invitee does outside the API. */
const causes: Partial<Record<EventName, (stage: Stage) => void>> = {
  BOOKING_CREATED: ({ sandbox }) => void sandbox.host.book({ invitee_email: fresh(), question_responses: { topic: 'Everything' } }),
  BOOKING_CANCELLED: ({ sandbox }) =>
    void sandbox.host.cancel(sandbox.host.book({ invitee_email: fresh() }).id, { reason: 'Something came up' }),
  BOOKING_RESCHEDULED: ({ sandbox }) => reschedule(sandbox, sandbox.host.book({ invitee_email: fresh() }).id, 400),
  BOOKING_APPROVED: (stage) => void stage.sandbox.host.approve(pending(stage).id),
  BOOKING_DENIED: (stage) => void stage.sandbox.host.deny(pending(stage).id, { reason: 'No room' }),
  CONTACT_CREATED: ({ sandbox }) => void sandbox.host.book({ invitee_email: fresh(), invitee_name: 'Nova Newcomer' }),
  CONTACT_UPDATED: ({ sandbox }) =>
    void sandbox.host.editContact(sandbox.contacts()[0]?.id ?? '', { phone: `+34 600 ${String(Math.random()).slice(2, 8)}` }),
};

/** Moves a booking this many days into the future, to an hour that no other booking has. */
export function reschedule(sandbox: Stage['sandbox'], id: string, days: number): void {
  sandbox.host.reschedule(id, {
    start_time: new Date(Date.now() + days * 24 * 60 * 60_000 + Math.floor(Math.random() * 1e7)).toISOString(),
  });
}

/** Makes the service send the event of a row. */
export function cause(stage: Stage, row: EventRow): void {
  const happen = isEventName(row.name) ? causes[row.name] : undefined;
  if (happen === undefined) throw new Error(`Nothing here makes ${row.name} happen.`);
  happen(stage);
}

/** The events that are caused here. The contract itself delivers every event there is. */
export const causedRows: readonly EventRow[] = eventRows.filter(({ name }) => Object.hasOwn(causes, name));

/** The row of an event. */
export function rowOf(name: string): EventRow {
  const row = eventRows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`There is no event ${name}.`);
  return row;
}
