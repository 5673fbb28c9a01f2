import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox, virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { createClient } from '../../shared/client/client.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows, type EventName, type EventRow } from '../../shared/events.ts';
import { deliveredRecord, openDelivery } from '../../shared/webhooks/delivery.ts';
import { sign } from '../../shared/webhooks/signature.ts';
import { subscribe } from '../../shared/webhooks/subscriptions.ts';
import type { ServiceRecord } from '../../shared/records/records.ts';
import { fetchTransport } from '../rigs/fetchTransport.ts';

/** A delivery as the service sent it, and what a trigger returns for it. */
export interface Example {
  event: EventName;
  headers: Record<string, string>;
  body: string;
  record: ServiceRecord;
}

/** The secret of the examples. Their signatures are valid for it, so that readers can test their own code with them. */
export const exampleSecret = 'whsec_an_example_that_opens_nothing';

const start = Date.parse('2030-01-02T08:00:00Z');

/** Makes every event happen once in a sandbox and records the deliveries. The result is the same each time. */
export async function walkThroughEvents(): Promise<Map<EventName, Example>> {
  const clock = virtualClock(start);
  const sandbox = await startSandbox({ clock });
  const posted = new Map<string, Posted>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.[0] ?? '']));
      posted.set(headers[`${brand.headerPrefix}-Delivery-ID`.toLowerCase()] ?? '', { headers, body });
      response.writeHead(200, { connection: 'close' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const client = createClient({
      baseUrl: sandbox.baseUrl,
      transport: fetchTransport(sandbox.issueToken().access_token),
      clock: { now: () => clock.now(), sleep: (ms) => clock.advance(ms), random: () => 0.5 },
      retryPolicy: backgroundPolicy,
    });
    await subscribe(client, { url: `http://127.0.0.1:${port}/`, events: eventRows.map(({ name }) => name) });
    await happen(sandbox);
    const walked = firstOfEach(sandbox.deliveries().flatMap(({ id }) => posted.get(id) ?? []));
    return new Map(eventRows.map((row) => [row.name as EventName, walked.get(row.name as EventName) ?? sampled(row)]));
  } finally {
    await sandbox.stop();
    await new Promise((resolve) => server.close(resolve));
  }
}

interface Posted {
  headers: Record<string, string>;
  body: string;
}

/** In the order in which the service made them. The order of arrival varies. */
function firstOfEach(posted: readonly Posted[]): Map<EventName, Example> {
  const examples = posted.map(steadied());
  return new Map(examples.reverse().map((example) => [example.event, example]));
}

/**
 * A booking that is confirmed at once, rescheduled and cancelled; one that is approved and one that is denied; a contact that is edited.
 */
async function happen(sandbox: Sandbox): Promise<void> {
  const { host } = sandbox;
  const typeNamed = (wanted: string): string => sandbox.eventTypes().find(({ name }) => name === wanted)?.id ?? '';
  const first: string[] = [];
  const steps: (() => unknown)[] = [
    () =>
      first.push(
        host.book({
          ...ada,
          event_type_id: typeNamed('Project Kick-off'),
          start_time: '2030-01-31T09:00:00Z',
          question_responses: {
            company: 'Analytical Engines Ltd',
            budget: '5,000 to 20,000',
            services: ['Design', 'Hosting'],
            team_size: 4,
          },
        }).id,
      ),
    () =>
      host.editContact(sandbox.contacts().find(({ email }) => email === ada.invitee_email)?.id ?? '', {
        phone: '+44 20 7946 0000',
        notes: 'Prefers mornings',
      }),
    () => host.reschedule(first[0] ?? '', { start_time: '2030-02-01T10:00:00Z' }),
    () => host.cancel(first[0] ?? '', { reason: 'Something came up' }),
    () =>
      host.approve(
        host.book({ ...ada, event_type_id: typeNamed('Design Review'), start_time: '2030-02-04T09:00:00Z', question_responses: drafts }).id,
      ),
    () =>
      host.deny(
        host.book({ ...ada, event_type_id: typeNamed('Design Review'), start_time: '2030-02-05T09:00:00Z', question_responses: drafts }).id,
        { reason: 'That week is full' },
      ),
  ];
  for (const step of steps) {
    step();
    await sandbox.settled();
    await sandbox.clock.advance(90 * 60_000);
  }
}

const drafts = { link: 'https://example.com/drafts' };
const ada = {
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
  invitee_timezone: 'Europe/London',
  notes: 'Looking forward to it',
};

/** For an event that is not made to happen here: its sample, in the form of a delivery. */
function sampled({ name, sample }: EventRow): Example {
  const at = new Date(start).toISOString();
  const headers = Object.entries({ Event: name, 'Delivery-ID': `dlv_${'0'.repeat(16)}`, Timestamp: at });
  const sent = Object.fromEntries(headers.map(([suffix, value]) => [`${brand.headerPrefix}-${suffix}`.toLowerCase(), value]));
  return steadied()({ headers: sent, body: JSON.stringify({ event: name, created_at: at, data: sample }) });
}

/** Ids are random. Each is replaced by a fixed one, and the body is signed again. */
function steadied(): (posted: Posted) => Example {
  const known = new Map<string, string>();
  const random = /\b(?:bkg|evt|con|dlv)_[0-9a-z]{16}\b|(?<=meet\.example\/)[0-9a-z]+/g;
  const steady = (text: string): string =>
    text.replaceAll(random, (id) => {
      const lasting =
        known.get(id) ??
        id.replace(/[0-9a-z]+$/, (tail) =>
          BigInt(`0x${createHash('sha256').update(String(known.size)).digest('hex')}`)
            .toString(36)
            .slice(0, tail.length),
        );
      known.set(id, lasting);
      return lasting;
    });
  return ({ headers: sent, body: raw }) => {
    const body = steady(raw);
    const header = (name: string): string => steady(sent[`${brand.headerPrefix}-${name}`.toLowerCase()] ?? '');
    const headers = {
      'Content-Type': 'application/json',
      [`${brand.headerPrefix}-Event`]: header('Event'),
      [`${brand.headerPrefix}-Delivery-ID`]: header('Delivery-ID'),
      [`${brand.headerPrefix}-Timestamp`]: header('Timestamp'),
      [`${brand.headerPrefix}-Signature`]: sign(body, exampleSecret),
    };
    const opened = openDelivery(
      { rawBody: body, headers },
      { secret: exampleSecret, events: eventRows.map(({ name }) => name), subscriptionId: 'example', now: start },
    );
    if (opened.outcome !== 'accepted') throw new Error(`The sandbox delivered what the core does not accept: ${opened.message}`);
    return { event: opened.event, headers, body, record: deliveredRecord(opened, 'presented') };
  };
}
