import { assumptions } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows, type EventName, type EventRow } from '../../shared/events.ts';
import { outputFields } from '../../shared/outputs.ts';
import { block, code, jsonBlock, page, table } from './markdown.ts';
import { outputTable } from './fields.ts';
import { exampleSecret, type Example } from './walk.ts';

export const triggerFile = ({ key }: EventRow): string => `${key.replaceAll('_', '-')}.md`;

/** What people stumble over with an event, beside its own words. */
const notes: Partial<Record<EventName, string>> = {
  BOOKING_CREATED:
    'A booking of an event type that needs approval is not confirmed when it is made: it fires nothing then. When it is approved, both *Booking Approved* and *Booking Created* fire (G22): use one of the two for the same thing.',
  BOOKING_CANCELLED:
    'The slot is free again. `cancellation_reason` holds what was said, by either side. A booking that is denied is not cancelled by this event: see *Booking Denied*.',
  BOOKING_RESCHEDULED:
    '`start_time` is the new start and `previous_start_time` the old one. The id stays the same, and neither *Booking Cancelled* nor *Booking Created* fires for it (G22).',
  BOOKING_APPROVED: 'The approval confirms the booking, so *Booking Created* fires as well (G22): use one of the two for the same thing.',
  BOOKING_DENIED:
    "The booking ends as cancelled, with the host's words in `cancellation_reason`; *Booking Cancelled* does not fire for it (G22).",
  CONTACT_CREATED:
    "Fires at the first booking by an e-mail address that the account does not know yet, just before the booking's own event.",
  CONTACT_UPDATED:
    'Fires when a name, a time zone or a phone number changes, by the host or by what an invitee enters in a new booking (G22). The record is the contact as it is now; what it was before is not sent.',
};

export function triggersIndex(): string {
  return page(
    'Triggers',
    'The events of the service, each with a real delivery and the record that a trigger makes of it.',
    table(
      ['Trigger', 'Event', 'Fires when', 'Record'],
      eventRows.map((row) => [
        `[${row.label}](${triggerFile(row)})`,
        code(row.name),
        `${row.description.replace('Triggers when ', '')}`,
        row.noun.toLowerCase(),
      ]),
    ),
    `In Zapier each is a trigger of its own. In n8n one *${brand.name} Trigger* listens to as many as are chosen.`,
  );
}

export function triggerPage(row: EventRow, { headers, body, record, event }: Example): string {
  const sent = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  return page(
    row.label,
    `${row.description} (${code(row.name)}).`,
    notes[event] ?? '',
    table(
      ['', 'Zapier', 'n8n'],
      [
        ['Where', `Trigger *${row.label}*, key ${code(row.key)}`, `*${brand.name} Trigger*, *${row.label}* under *Events*`],
        [
          'Narrow it',
          row.record === 'booking' ? 'Field *Event Types*' : '–',
          row.record === 'booking' ? 'Parameter *Event Type Names or IDs*' : '–',
        ],
        ['Permissions', `${code('webhooks:manage')}, and ${code(row.source.scope)} for test data`, code('webhooks:manage')],
      ],
    ),
    '## What you get',
    jsonBlock(record),
    outputTable(outputFields(row.record, { delivery: true }), record),
    "Times with an offset are on the invitee's own clock; all others are in UTC. Fields that the service adds later come through as they are.",
    '## What the service sends',
    `A POST to the subscribed address. The signature is right for the secret ${code(exampleSecret)} and the body exactly as it stands here, on one line, so your own code can be tried on it. [How to verify it](../../verification.md).`,
    block('http', sent),
    block('json', body),
    `## Test data`,
    testData(row),
    `The form of the body is an assumption: ${assumptions.deliveryBody.assumed} (G13). Other forms are read as well, see [Assumptions](../assumptions.md).`,
  );
}

function testData({ fits, noun }: EventRow): string {
  const things = `${noun.toLowerCase()}s`;
  const fitting =
    fits === undefined
      ? `recent ${things}, whatever happened to them,`
      : `the recent ${things} that fit the event best, by what their fields can tell,`;
  return `The API keeps no list of events. While a Zap is built, its test shows ${fitting} in the same form as a delivery, with a \`delivery_id\` that begins with \`sample-\`; an account that has none shows the record above. In n8n *Listen for test event* waits for a real one.`;
}
