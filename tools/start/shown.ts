import type { Forgery, Receipt, Sides } from './mainJob.ts';
import type { Options } from './options.ts';
import { table } from './table.ts';
import { clipped, clock, columns, labelOf, told } from './words.ts';
import type { Delivery } from '../../sandbox/service.ts';

/** The bookings and their deliveries, as two tables. */
export function summary(receipts: readonly Receipt[], forgeries: readonly Forgery[], zone: string): string {
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
    table(['Booked by', 'Got it', 'Event', `About (${zone})`, 'Signature', 'After'], received),
    '',
    table(['Forged with', 'Sent to', 'Verdict'], forged),
  ].join('\n');
}

/** Where everything is found, and how to sign in. The start page says what to try. @param start the address of the start page, which nobody else knows */
export function addresses({ sandbox, n8n }: Sides, start: string, { folder }: Options): string {
  const line = (what: string, ...values: string[]): string => `  ${what.padEnd(24)}${values.join('   ')}`;
  return [
    line('Start here', start),
    '',
    line('n8n', n8n.session.origin, n8n.owner.email, n8n.owner.password),
    line('the scheduling service', `${sandbox.origin}/host`),
    line('its API', sandbox.baseUrl),
    line('  client id, secret', sandbox.client.id, sandbox.client.secret),
    line('an agent', 'its settings are on the start page'),
    '',
    `  The data is kept in ${folder}.`,
  ].join('\n');
}

export const whatFollows = ({ sandbox }: Sides): string =>
  `  Ctrl-C stops everything. All times are in ${sandbox.account.timezone}. Deliveries:`;

/** A delivery as it is shown while everything is running. */
export function deliveryLine({ sandbox, n8n, zapier }: Sides, delivery: Delivery): string {
  const { url, attempts, created_at } = delivery;
  const { timezone: zone } = sandbox.account;
  const receiver = url === zapier.zap.targetUrl ? 'the Zap' : url.startsWith(`${n8n.session.origin}/`) ? 'n8n' : new URL(url).host;
  return clipped(`  ${clock(Date.parse(attempts.at(-1)?.at ?? created_at), zone)}  ${told(delivery, receiver, zone)}`, columns);
}
