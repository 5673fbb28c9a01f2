import { hasStatus, recordIn } from '../../shared/reading/index.ts';
import { type Tokens } from '../../shared/oauth/oauth.ts';
import { checkBaseUrl } from '../../shared/client/baseUrl.ts';
import { hasValue } from '../../shared/values.ts';
import { sentenceOf } from '../process/sentence.cjs';
import { book, cancel, findAgain, refuseBookings } from './bookings.ts';
import { Findings, type Report } from './findings.ts';
import { askForKey } from './idempotencyKey.ts';
import { read } from './reading.ts';
import type { ReceivedRecord } from './recognise.ts';
import {
  awaitDelivery,
  isEvent,
  judgeDelivery,
  judgeRetry,
  rateLimit,
  subscribe,
  unsubscribe,
  type ProbeReceiver,
  type ProbeSubscription,
} from './subscriptions.ts';
import { type TestConnection, addresses, consented, tokens } from './tokens.ts';
import { isSuccess, wireOf, type ProbePorts, type Probing, type Reply } from './wire.ts';

export interface Choices {
  /** Also book, cancel, subscribe and unsubscribe; cleans up after itself. */
  write: boolean;
  /** Where the service can reach `receiver`. Deliveries are only checked if both are given. */
  deliverTo?: string | undefined;
  receiver?: ProbeReceiver | undefined;
  /** Also use up the subscription requests of one minute. */
  limits: boolean;
  /** Also use up this connection's tokens. */
  connection?: TestConnection | undefined;
  /** The token's own connection, if the probe has connected by itself. */
  tokens?: Tokens | undefined;
}

/** An address that the service accepts, and that nothing ever reaches. */
const nowhere = 'https://probe.example.invalid/hooks';

/** Checks a real service against every assumption. It only reads, unless more is chosen. */
export async function probe(given: ProbePorts, choices: Choices): Promise<Report> {
  const ports = { ...given, baseUrl: checkBaseUrl(given.baseUrl) };
  const findings = new Findings();
  const probing = { ...ports, findings, wire: wireOf(ports) };
  ports.say('reading');
  const eventTypes = await read(probing);
  await addresses(probing);
  let left: string[] = [];
  if (choices.write) {
    ports.say('booking, cancelling, subscribing. The bookings stay as cancelled ones; everything else is removed at the end');
    const { deliverTo = nowhere, receiver } = choices;
    left = await write(probing, eventTypes, deliverTo, deliverTo === nowhere ? undefined : receiver);
  }
  if (choices.limits) {
    ports.say('using up the subscription requests of this minute');
    await rateLimit(probing);
  }
  if (choices.tokens !== undefined) consented(findings, choices.tokens);
  if (choices.connection !== undefined) {
    ports.say("using up the connection's tokens");
    await tokens(probing, choices.connection);
  }
  return { findings: findings.all(), left, came: findings.came };
}

/**
 * Books, cancels, subscribes and unsubscribes, and removes everything that it made, whatever happens.
 *
 * @returns a description of what could not be removed
 */
async function write(
  probing: Probing,
  eventTypes: readonly ReceivedRecord[],
  url: string,
  receiver: ProbeReceiver | undefined,
): Promise<string[]> {
  const made: string[] = [];
  let subscribed: ProbeSubscription | undefined;
  let left: string[] = [];
  try {
    subscribed = await subscribe(probing, url);
    const booking = await book(probing, eventTypes, made);
    // Without the secret, deliveries cannot be verified.
    const watched = subscribed?.secret === undefined ? undefined : receiver;
    const watch = (event: string) => watched && deliveriesOf(probing, watched, subscribed?.secret ?? '', event);
    if (booking !== undefined) {
      await watch('BOOKING_CREATED');
      await findAgain(probing, booking);
      await refuseBookings(probing, booking, made);
      await askForKey(probing, booking, made);
      watched?.failNext();
      await cancel(probing, booking);
      const first = await watch('BOOKING_CANCELLED');
      if (watched !== undefined && first?.status === 500) await judgeRetry(probing, watched, first);
    }
    if (subscribed !== undefined) await unsubscribe(probing, subscribed);
  } finally {
    left = await cleanUp(probing, made, subscribed);
  }
  return left;
}

async function deliveriesOf(probing: Probing, receiver: ProbeReceiver, secret: string, event: string) {
  const { findings } = probing;
  const delivery = await awaitDelivery(receiver, probing, isEvent(event));
  if (delivery === undefined) findings.differs('eventsThatFire', `${event} did not arrive within twenty seconds`);
  else {
    findings.note(
      'eventsThatFire',
      'as assumed',
      `${event} arrived; what a host does (approve, deny, reschedule, edit a contact) must be tested by hand`,
    );
    judgeDelivery(findings, delivery, secret);
  }
  return delivery;
}

const isGone = (reply: Reply): boolean => isSuccess(reply) || reply.status === 404 || reply.status === 410;

/** The probe may have removed these already. A second removal does no harm. If it is refused, the booking itself says whether it is cancelled. */
async function cleanUp({ wire }: Probing, bookings: readonly string[], subscribed: ProbeSubscription | undefined): Promise<string[]> {
  const removals = bookings.map((id) => ({
    what: `the booking ${id}`,
    reply: async () => {
      const reply = await wire('POST', '/bookings/:id/cancel', { id, body: {} });
      const shown = isGone(reply) ? undefined : recordIn('booking', (await wire('GET', '/bookings/:id', { id })).body);
      return shown !== undefined && (!hasValue(shown.status) || hasStatus(shown, 'cancelled')) ? { ...reply, status: 200 } : reply;
    },
  }));
  if (subscribed !== undefined)
    removals.push({
      what: `the webhook subscription ${subscribed.id}`,
      reply: () => wire('DELETE', '/hooks/:id', { id: subscribed.id }),
    });
  const left: string[] = [];
  for (const { what, reply } of removals) {
    const problem = await reply().then((came) => !isGone(came) && came.status, sentenceOf);
    if (problem !== false) left.push(`${what} (${problem})`);
  }
  return left;
}
