import type { Forgery, Receipt, Sides } from './mainJob.ts';
import type { Options } from './options.ts';
import { table } from './table.ts';
import { clipped, columns, labelOf, machineZone, told } from './words.ts';
import type { Delivery } from '../../sandbox/service.ts';

/** The bookings and their deliveries, as two tables. */
export function summary(receipts: readonly Receipt[], forgeries: readonly Forgery[]): string {
  const received = receipts.map(({ bookedBy, receivedBy, event, about, signature, ms }) => [
    bookedBy,
    receivedBy,
    labelOf(event),
    clipped(about, 37),
    signature,
    `${ms} ms`,
  ]);
  const forged = forgeries.map(({ what, receivedBy, verdict }) => [what, receivedBy, verdict]);
  return [
    table(['Booked by', 'Got it', 'Event', 'About', 'Signature', 'After'], received),
    '',
    table(['Forged with', 'Sent to', 'Verdict'], forged),
  ].join('\n');
}

/** All addresses with their logins, and what to try first. */
export function addresses({ sandbox, n8n, zapier }: Sides, { folder }: Options): string {
  const { origin } = n8n.session;
  return [
    table(
      ['Open', 'Address', 'Sign in with'],
      [
        ['n8n', origin, `${n8n.owner.email}   ${n8n.owner.password}`],
        ['the scheduling service', `${sandbox.origin}/host`, 'nothing'],
        ['what the Zap received', zapier.runtime.backend.origin, 'nothing'],
      ],
    ),
    '',
    '  Try this now',
    `    1. Book here:           ${sandbox.origin}/host  (Book as an invitee)`,
    `    2. Watch it there:      ${origin}/workflow/${n8n.listening.id}/executions`,
    `    3. Open this workflow:  ${origin}/workflow/${n8n.booking.id}  (Execute workflow)`,
    '',
    `  The data is kept in ${folder}.`,
  ].join('\n');
}

export const whatFollows = `  Ctrl-C stops everything. Times are on this machine's clock (${machineZone}). Deliveries:`;

/** A delivery as it is shown while everything is running. */
export function deliveryLine({ n8n, zapier }: Sides, delivery: Delivery): string {
  const { url } = delivery;
  const receiver = url === zapier.zap.targetUrl ? 'the Zap' : url.startsWith(`${n8n.session.origin}/`) ? 'n8n' : new URL(url).host;
  return clipped(`  ${new Date().toTimeString().slice(0, 8)}  ${told(delivery, receiver)}`, columns);
}
