import { isEventName, type EventName } from '../../shared/events.ts';
import { eventNames } from '../webhooks/events.ts';
import { addressIn, Misuse, readOptions } from '../node/options.ts';
import { askPerson } from '../node/person.ts';
import { copiedFrom, type Env } from '../node/settings.ts';
import { signedDelivery } from '../testing/index.ts';
import { post } from './forward.ts';
import { program } from './help.ts';
import { harmless } from './print.ts';

const usual = 'http://localhost:3000/deliveries';

export const triggerHelp = `${program} trigger <event>: sends your program a signed delivery with a sample record

  --to <address>   where your program receives deliveries (${usual})

It signs with the secret in SCHEDULING_SIGNING_SECRET, or asks for it. Nothing is sent to the service.
Events: ${eventNames.slice(0, 4).join(', ')},
${eventNames.slice(4).join(', ')}

Example:
  ${program} trigger BOOKING_CREATED --to ${usual}`;

/** @throws Misuse */
export function readTrigger(args: readonly string[]): { event: EventName; to: string } {
  const { values, positionals } = readOptions(args, { to: { type: 'string', default: usual } });
  const [event, ...more] = positionals;
  if (more.length > 0 || !isEventName(event)) throw new Misuse(`trigger takes one event: ${eventNames.join(', ')}.`);
  return { event, to: addressIn(values.to, 'to') };
}

/**
 * Sends one delivery and reports the response.
 *
 * @returns what to print
 * @throws an error with a message for people if the response is not a 2xx, or if there is none within eight seconds
 */
export async function trigger({ event, to }: { event: EventName; to: string }, env: Env, signal: AbortSignal): Promise<string> {
  const secret =
    copiedFrom(env, 'SCHEDULING_SIGNING_SECRET') ?? (await askPerson('Signing secret (SCHEDULING_SIGNING_SECRET)', { isSecret: true }));
  const { headers, body } = await signedDelivery(event, secret);
  const { status, said } = await post(to, headers, body, signal);
  const words = harmless(said.trim().slice(0, 200));
  const line = `${new URL(to).host} answered ${event} with ${status}${words === '' ? '' : `: ${words}`}`;
  if (status < 200 || status > 299) throw new Error(line);
  return line;
}
