import { eventRows, isEventName, type EventName, type EventRow } from '../../shared/events.ts';
import { typeNamed, type Stage } from './stage.ts';

const fresh = () => `guest-${crypto.randomUUID().slice(0, 8)}@example.com`;

const booked = ({ sandbox }: Stage) => sandbox.host.book({ invitee_email: fresh() });

const pending = (stage: Stage) =>
  stage.sandbox.host.book({
    event_type_id: typeNamed(stage, 'Design Review'),
    invitee_email: fresh(),
    question_responses: { link: 'https://example.com/drafts' },
  });

/** Causes each event by name: something that a host or an invitee does outside the API. */
const causes: Partial<Record<EventName, (stage: Stage) => unknown>> = {
  BOOKING_CREATED: ({ sandbox }) => sandbox.host.book({ invitee_email: fresh(), question_responses: { topic: 'Everything' } }),
  BOOKING_CANCELLED: (stage) => stage.sandbox.host.cancel(booked(stage).id, { reason: 'Something came up' }),
  BOOKING_RESCHEDULED: (stage) => stage.sandbox.host.reschedule(booked(stage).id, { start_time: '2059-07-01T09:00:00Z' }),
  BOOKING_APPROVED: (stage) => stage.sandbox.host.approve(pending(stage).id),
  BOOKING_DENIED: (stage) => stage.sandbox.host.deny(pending(stage).id, { reason: 'No room' }),
  CONTACT_CREATED: (stage) => booked(stage),
  CONTACT_UPDATED: ({ sandbox }) => sandbox.host.editContact(sandbox.contacts()[0]?.id ?? '', { phone: '+34 600 123 456' }),
};

/** Makes the service send the event of a row. */
export function cause(stage: Stage, { name }: EventRow): void {
  const happen = isEventName(name) ? causes[name] : undefined;
  if (happen === undefined) throw new Error(`Nothing here makes ${name} happen.`);
  happen(stage);
}

/** The events that are caused here. The contract itself delivers every event there is. */
export const causedRows: readonly EventRow[] = eventRows.filter(({ name }) => Object.hasOwn(causes, name));
