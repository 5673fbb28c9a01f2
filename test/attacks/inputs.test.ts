import fc from 'fast-check';
import { createClient } from '../../shared/client/client.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import type { ApiRequest, Clock, Transport } from '../../shared/client/transport.ts';
import { parseInput, type Operation } from '../../shared/operations/define.ts';
import {
  cancelBooking,
  createBooking,
  deleteSubscription,
  findBooking,
  findContact,
  getBooking,
  getContact,
  getEventType,
} from '../../shared/operations/index.ts';

const base = 'https://service.example/api/v1';
const clock: Clock = { now: () => 0, sleep: async () => undefined, random: () => 0.5 };
const runs = { numRuns: 2000 };

/** A service that accepts any request and records it. */
function listening(body: unknown = { data: { id: 'x', status: 'CANCELLED' } }) {
  const sent: ApiRequest[] = [];
  const transport: Transport = async (request) => {
    sent.push(request);
    return { status: 200, headers: {}, body };
  };
  return { sent, client: createClient({ baseUrl: base, transport, clock, retryPolicy: backgroundPolicy }) };
}

async function carriedOut(
  operation: Operation,
  raw: Record<string, unknown>,
  client: ReturnType<typeof listening>['client'],
): Promise<void> {
  try {
    const input = parseInput(operation, raw);
    if (operation.yields === 'one') await operation.run(client, input, {});
    else await operation.run(client, input, { limit: 1 })[Symbol.asyncIterator]().next();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.sentence).toMatch(/^["A-Z].*[.!?]$/s);
  }
}

/**
 * Written a second time from the rule. An id is refused if it could leave its place in a path or is not text. Any other possible id is
 * sent.
 */
const mayBeAnId = (id: string): boolean => id.length <= 512 && id !== '.' && id !== '..' && !/[/\\\p{Cc}\p{Cs}]/u.test(id);

const words = [
  '.. . ../ ..%2f %2e%2e %2E%2E/x a/../b \\..\\ x?y=1 x#y //evil.example https://evil.example/ @evil.example a@evil.example:443',
  'toString __proto__ constructor ; % %zz %00 hooks null ${1+1} {{bundle.authData.access_token}} ={{$env}}',
].flatMap((line) => line.split(' '));

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(...words, 'x\r\nHost: evil.example', 'x\nSet-Cookie: a=b', ' ', 'x'.repeat(600)),
  fc.constantFrom('\u0000', '\u2028', '\u202e', '\ud800', '\uff0e\uff0e'),
);

const byId: [string, Operation, string, number][] = [
  ['a booking', getBooking, 'booking_id', 3],
  ['a booking to cancel', cancelBooking, 'booking_id', 4],
  ['a contact', getContact, 'contact_id', 3],
  ['an event type', getEventType, 'event_type_id', 3],
  ['a subscription to delete', deleteSubscription, 'subscription_id', 3],
  ['a booking to find', findBooking, 'booking_id', 3],
  ['a contact to find', findContact, 'contact_id', 3],
];

it.each(byId)('an id of %s never leaves its place in the path, nor the host', async (_, operation, key, segments) => {
  await fc.assert(
    fc.asyncProperty(nasty, async (id) => {
      const { sent, client } = listening();
      await carriedOut(operation, { [key]: id }, client);
      // A blank id is no id. Another test checks whether it is refused as blank or as missing.
      const wanted = id.trim();
      if (wanted !== '') expect([id, sent.length > 0]).toEqual([id, mayBeAnId(wanted)]);
      for (const { method, url, headers } of sent) {
        const { origin, pathname, search, hash } = new URL(url);
        expect(origin).toBe('https://service.example');
        // What the core looks for when there is no answer: a booking by its id, a subscription in the list.
        const isLook = operation.effect !== 'read' && method === 'GET';
        if (isLook && pathname === '/api/v1/hooks') continue;
        expect(pathname.split('/').length - 1).toBe(isLook ? 4 : segments + 1);
        expect(pathname).toMatch(/^\/api\/v1\/(?:bookings|contacts|event-types|hooks)\/[^/]+(?:\/cancel)?$/);
        expect(search + hash).toBe('');
        expect(decodeURIComponent(pathname.split('/')[4] ?? '')).toBe(wanted);
        expect(JSON.stringify(headers)).not.toMatch(/[\r\n]/);
      }
    }),
    runs,
  );
});

it('all input of a booking goes into the JSON body and nowhere else', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(nasty, nasty, fc.dictionary(nasty, fc.oneof(nasty, fc.integer(), fc.boolean())), async (text, notes, answers) => {
      const { sent, client } = listening();
      await carriedOut(
        createBooking,
        {
          event_type_id: text,
          start_time: '2030-01-09T09:00:00Z',
          invitee_name: text,
          invitee_email: 'ada@example.com',
          notes,
          question_responses: answers,
        },
        client,
      );
      for (const { url, headers, query, body } of sent.filter(({ method }) => method === 'POST')) {
        made += 1;
        expect(url).toBe(`${base}/bookings`);
        expect(query).toBeUndefined();
        expect(Object.keys(headers).sort()).toEqual(['accept', 'content-type']);
        expect(
          Object.keys(body ?? {}).every((key) =>
            ['event_type_id', 'start_time', 'invitee_name', 'invitee_email', 'notes', 'question_responses'].includes(key),
          ),
        ).toBe(true);
      }
    }),
    runs,
  );
  expect(made).toBeGreaterThan(runs.numRuns / 2);
});
