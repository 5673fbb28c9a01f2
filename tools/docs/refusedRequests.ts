import { createClient, type Client, type ClientPorts } from '../../shared/client/client.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import { zapierStepPolicy } from '../../shared/client/retry.ts';
import { NetworkFault, type ApiResponse, type Transport } from '../../shared/client/transport.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { brand } from '../../shared/brand.ts';
import { parseInput } from '../../shared/operations/define.ts';
import { cancelBooking, createBooking, findBooking, getBooking, getCurrentUser, getManyBookings } from '../../shared/operations/index.ts';
import { checkBaseUrl, readTokens } from '../../shared/oauth/oauth.ts';
import { answersFrom } from '../../shared/operations/questions.ts';
import { doubtAbout, pollingTriggerName } from '../../shared/webhooks/reach.ts';
import { subscribe } from '../../shared/webhooks/subscriptions.ts';
import { reachAdvice } from '../../n8n/adapter/reachAdvice.ts';
import { retryAdvice } from '../../n8n/adapter/retryAdvice.ts';
import { replayAdvice } from '../../zapier/adapter/pendingWrites.ts';
import type { Case } from './troubleshooting.ts';

const now = Date.parse('2030-01-02T08:00:00Z');
const json = (status: number, body: unknown, headers: Record<string, string> = {}): ApiResponse => ({ status, headers, body });
const refused = (status: number, code: string, message = ''): ApiResponse =>
  json(status, { error: 'Refused', code, ...(message !== '' && { message }) });

/** A service with the given answers: the documents show how the core reacts to them. */
function clientOf(answer: ApiResponse | NetworkFault | Transport, ports: Partial<ClientPorts> = {}): Client {
  const transport: Transport =
    typeof answer === 'function' ? answer : async () => (answer instanceof NetworkFault ? Promise.reject(answer) : answer);
  return createClient({
    baseUrl: brand.baseUrl,
    transport,
    clock: { now: () => now, sleep: async () => undefined, random: () => 0 },
    retryPolicy: { ...zapierStepPolicy, readBackMs: [0] },
    ...ports,
  });
}

const booking = {
  event_type_id: 'evt_3nYc8RpL',
  start_time: '2030-01-31T09:00:00Z',
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
};
/** What the platform keeps for the next try, with its advice. */
const kept = (advice: string): PendingWrites => new PendingWrites(memoryStore(() => now, advice));
const create = (
  answer: ApiResponse | NetworkFault | Transport,
  input: typeof booking & { invitee_timezone?: string } = booking,
  ports: Partial<ClientPorts> = {},
): Promise<unknown> => createBooking.run(clientOf(answer, ports), input, {});

/** A booking whose request gets no answer, at a service whose list then gives the given answer. */
const lost = (list: ApiResponse, ports: Partial<ClientPorts> = {}): Promise<unknown> =>
  create(async ({ method }) => (method === 'POST' ? json(502, '<html>') : list), booking, ports);

function doubtOf(receiver: string): void {
  const doubt = doubtAbout(brand.baseUrl, receiver, reachAdvice);
  if (doubt !== undefined) throw doubt.error;
}

interface Provoked {
  provoke: () => unknown;
  why: string;
  remedy: string;
}

const subscriptions = Array.from({ length: 25 }, (_, index) => ({
  id: `sub_${index}`,
  url: index < 18 ? 'https://hooks.zapier.com/hooks/x' : 'https://n8n.example.com/webhook/x',
  events: ['BOOKING_CREATED'],
  created_at: '2029-03-14T09:00:00Z',
}));

const provoked: Provoked[] = [
  {
    provoke: () => getCurrentUser.run(clientOf(refused(401, 'INVALID_TOKEN')), {}, {}),
    why: 'The access was revoked, or the tokens expired while the connection was not used',
    remedy: 'Reconnect: Zapier under *Apps*, n8n in the credential',
  },
  {
    provoke: () => readTokens(json(401, { error: 'invalid_client' })),
    why: "The application's id or secret is wrong or was renewed",
    remedy:
      "Enter both again exactly as the service shows them: in Zapier's *Environment* (the maker of the app), in n8n's credential, in your own application",
  },
  {
    provoke: () => readTokens(json(404, '<html>')),
    why: 'The answer came from something else, such as a firewall in front of the service',
    remedy: 'Check the base address. If it is right, reconnect',
  },
  {
    provoke: () => create(refused(403, 'INSUFFICIENT_SCOPE')),
    why: 'The permission was not granted when the account was connected',
    remedy: 'Reconnect. [Which step needs which permission](scopes.md)',
  },
  {
    provoke: () => create(refused(403, 'PLAN_REQUIRED')),
    why: 'Access for other applications is part of the Pro plan',
    remedy: 'Upgrade. You do not have to reconnect',
  },
  {
    provoke: () => create(refused(403, 'E4711', 'Access denied')),
    why: 'The service gave a reason code that is not known (G18)',
    remedy: 'Try both. Report the code to the maker so that the message can be improved',
  },
  {
    provoke: () =>
      subscribe(
        clientOf(async ({ method }) =>
          method === 'POST' ? refused(403, 'SUBSCRIPTION_LIMIT') : json(200, { data: subscriptions, next_cursor: null }),
        ),
        { url: 'https://hooks.zapier.com/hooks/y', events: ['BOOKING_CREATED'] },
      ),
    why: 'Each Zap that is on, each published workflow and each trigger that listens for a test event uses one of 25',
    remedy: '[What to do about the 25](limits.md#the-25-subscriptions)',
  },
  {
    provoke: () => getBooking.run(clientOf(refused(404, 'NOT_FOUND')), { booking_id: 'bkg_9fWd4KsA' }, {}),
    why: 'The id belongs to another account, to another kind of record, or to something that was deleted',
    remedy: 'Choose from the list, or map the id of an earlier step',
  },
  {
    provoke: () => create(refused(400, 'SLOT_UNAVAILABLE')),
    why: 'Another booking has this time, or the host does not offer it',
    remedy: 'Choose another start',
  },
  {
    provoke: () =>
      create(
        json(400, {
          error: 'Validation failed',
          code: 'VALIDATION_ERROR',
          details: [{ field: 'start_time', message: 'must be in the future' }],
        }),
      ),
    why: 'The service refused the fields named in the message',
    remedy: 'Correct them: [field reference](fields.md)',
  },
  {
    provoke: () =>
      getManyBookings
        .run(clientOf(json(429, { error: 'Rate limit exceeded', code: 'RATE_LIMITED' }, { 'retry-after': '12' })), {}, {})
        [Symbol.asyncIterator]()
        .next(),
    why: 'All applications of the account together sent too many requests within a minute',
    remedy: 'Nothing: Zapier runs the step again, n8n waits and continues. [Limits](limits.md)',
  },
  {
    provoke: () => getCurrentUser.run(clientOf(json(500, { error: 'Internal server error', code: 'INTERNAL_ERROR' })), {}, {}),
    why: 'The service had a fault',
    remedy: 'Try again. If it continues, contact the service',
  },
  {
    provoke: () => getCurrentUser.run(clientOf(new NetworkFault('ENOTFOUND', false)), {}, {}),
    why: 'No connection could be made',
    remedy: 'Check *Base Address* in the connection',
  },
  {
    provoke: () => getCurrentUser.run(clientOf(json(307, '')), {}, {}),
    why: 'The base address leads elsewhere. Redirects are not followed, because they could send your token to another server',
    remedy: 'Enter the address that it leads to, ending in `/api/v1`',
  },
  {
    provoke: () =>
      getManyBookings
        .run(clientOf(json(200, { status: 200 })), {}, {})
        [Symbol.asyncIterator]()
        .next(),
    why: 'The service answered in a form that is in none of the [assumptions](assumptions.md)',
    remedy: 'Report the message to the maker',
  },
  {
    provoke: () => lost(json(502, ''), { writes: kept(replayAdvice) }),
    why: 'Only in Zapier: the answer to *Create Booking* was lost, and the booking was not found in time',
    remedy:
      "Nothing while the step is *Waiting* or *Scheduled* in the Zap's history: it runs again by itself after a minute. If it failed, look for the booking, and replay the step if it is not there. [How it works](../guides/lost-answers.md)",
  },
  {
    provoke: () => lost(json(502, ''), { writes: kept(retryAdvice) }),
    why: 'The answer was lost, and a search could not tell whether the booking exists. Sending again could book twice',
    remedy: 'Look for the booking. Create it again only if it does not exist. [How it works](../guides/lost-answers.md)',
  },
  {
    provoke: () => lost(json(503, { error: 'Service unavailable', message: 'Maintenance until 14:00' }), { writes: kept(retryAdvice) }),
    why: 'The service could not create the booking, for the reason that it gives',
    remedy: 'Wait until the reason is over, and look for the booking before you run it again',
  },
  {
    provoke: () =>
      cancelBooking.run(
        clientOf(async ({ method }) => (method === 'POST' ? refused(409, 'E4712', 'Booking is in the past') : json(404, {}))),
        { booking_id: 'bkg_9fWd4KsA' },
        {},
      ),
    why: 'The booking is over, or its status does not allow this',
    remedy: 'Check the booking in the service',
  },
  {
    provoke: () => parseInput(createBooking, { ...booking, invitee_email: 'ada' }),
    why: 'A field is empty or has an invalid value. Nothing was sent',
    remedy: 'Correct the named field. If it is mapped, check the output of the earlier step',
  },
  {
    provoke: () => parseInput(createBooking, { ...booking, start_time: '2030-01-31 09:00' }),
    why: 'The start has no offset, and no time zone is set to read it in',
    remedy: 'Add an offset, or choose *Invitee Time Zone*',
  },
  {
    provoke: () => parseInput(createBooking, { ...booking, start_time: '2030-03-31T02:30', invitee_timezone: 'Europe/Berlin' }),
    why: 'The clocks go forward at that hour',
    remedy: 'Choose an hour that exists',
  },
  {
    provoke: () =>
      answersFrom({ budget: 'a lot' }, [
        { key: 'company', label: 'Company', control: 'text', required: true, choices: [] },
        {
          key: 'budget',
          label: 'Budget',
          control: 'choice',
          required: false,
          choices: [
            { value: 's', label: 'Small' },
            { value: 'l', label: 'Large' },
          ],
        },
      ]),
    why: 'The event type has questions. Nothing was sent',
    remedy: 'Answer them in the fields that appear when you choose the event type',
  },
  {
    provoke: () =>
      findBooking
        .run(clientOf(json(200, {})), {}, {})
        [Symbol.asyncIterator]()
        .next(),
    why: 'A search without anything to search for would match every booking',
    remedy: 'Fill in a field',
  },
  {
    provoke: () => parseInput(getBooking, { booking_id: 'https://example.com/bookings/9fWd4KsA' }),
    why: 'An address was entered instead of an id',
    remedy: 'Enter the id alone',
  },
  {
    provoke: () => doubtOf('http://localhost:5678/webhook/5b0c/webhook'),
    why: 'Only in n8n: no public address is set, so n8n would subscribe with an address that only its own machine can reach. Nothing was sent to the service',
    remedy: `Set n8n's public address as \`WEBHOOK_URL\`. If the service cannot reach n8n at all, use ${pollingTriggerName}`,
  },
  {
    provoke: () => doubtOf('http://192.168.1.20:5678/webhook/5b0c/webhook'),
    why: "Only in n8n's log: the address is private (or a name without a dot, or one that ends in `.local`), and the service is not. The trigger is set up anyway, because a route may exist",
    remedy: `If nothing arrives, do the same as above`,
  },
  {
    provoke: () => checkBaseUrl('http://scheduling.example.com/api/v1'),
    why: 'A token must not be sent unencrypted',
    remedy: 'Enter the https address',
  },
];

/** Each message, in the words that the core uses when the error happens. */
export const requestCases = (): Promise<Case[]> =>
  Promise.all(
    provoked.map(async ({ provoke, why, remedy }) => {
      const { message, advice } = await refusalOf(provoke);
      return { message, advice, why, remedy };
    }),
  );

async function refusalOf(provoke: () => unknown): Promise<ServiceError> {
  try {
    await provoke();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`Nothing was refused by ${provoke.toString()}: the troubleshooting page describes something that no longer happens.`);
}
