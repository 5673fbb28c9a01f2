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
import { doubtAbout } from '../../shared/webhooks/reach.ts';
import { openDelivery, type RawDelivery } from '../../shared/webhooks/delivery.ts';
import { sign } from '../../shared/webhooks/signature.ts';
import { subscribe } from '../../shared/webhooks/subscriptions.ts';
import { reachAdvice } from '../../n8n/adapter/reachAdvice.ts';
import { retryAdvice } from '../../n8n/adapter/retryAdvice.ts';
import { replayAdvice } from '../../zapier/adapter/pendingWrites.ts';
import { inMarkdown } from '../build/brand/replace.ts';
import { cell } from './markdown.ts';

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

/** A booking whose request is answered like this, at a service that then cannot say whether it exists. */
const lost = (answer: ApiResponse, advice: string): Promise<unknown> =>
  create(async ({ method }) => (method === 'POST' ? answer : json(502, '')), booking, { writes: kept(advice) });

const first = (records: AsyncIterable<unknown>): unknown => records[Symbol.asyncIterator]().next();

function doubtOf(receiver: string): void {
  const doubt = doubtAbout(brand.baseUrl, receiver, reachAdvice);
  if (doubt !== undefined) throw doubt.error;
}

const subscriptions = Array.from({ length: 25 }, (_, index) => ({
  id: `sub_${index}`,
  url: index < 18 ? 'https://hooks.zapier.com/hooks/x' : 'https://n8n.example.com/webhook/x',
  events: ['BOOKING_CREATED'],
  created_at: '2029-03-14T09:00:00Z',
}));

/** What goes wrong, in the order of the page's rows. */
const requests: (() => unknown)[] = [
  () => getCurrentUser.run(clientOf(refused(401, 'INVALID_TOKEN')), {}, {}),
  () => readTokens(json(401, { error: 'invalid_client' })),
  () => readTokens(json(404, '<html>')),
  () => create(refused(403, 'INSUFFICIENT_SCOPE')),
  () => create(refused(403, 'PLAN_REQUIRED')),
  () => create(refused(403, 'E4711', 'Access denied')),
  () =>
    subscribe(
      clientOf(async ({ method }) =>
        method === 'POST' ? refused(403, 'SUBSCRIPTION_LIMIT') : json(200, { data: subscriptions, next_cursor: null }),
      ),
      { url: 'https://hooks.zapier.com/hooks/y', events: ['BOOKING_CREATED'] },
    ),
  () => getBooking.run(clientOf(refused(404, 'NOT_FOUND')), { booking_id: 'bkg_9fWd4KsA' }, {}),
  () => create(refused(400, 'SLOT_UNAVAILABLE')),
  () =>
    create(
      json(400, {
        error: 'Validation failed',
        code: 'VALIDATION_ERROR',
        details: [{ field: 'start_time', message: 'must be in the future' }],
      }),
    ),
  () =>
    first(
      getManyBookings.run(clientOf(json(429, { error: 'Rate limit exceeded', code: 'RATE_LIMITED' }, { 'retry-after': '12' })), {}, {}),
    ),
  () => getCurrentUser.run(clientOf(json(500, { error: 'Internal server error', code: 'INTERNAL_ERROR' })), {}, {}),
  () => getCurrentUser.run(clientOf(new NetworkFault('ENOTFOUND', false)), {}, {}),
  () => getCurrentUser.run(clientOf(json(307, '')), {}, {}),
  () => first(getManyBookings.run(clientOf(json(200, { status: 200 })), {}, {})),
  () => lost(json(502, '<html>'), replayAdvice),
  () => lost(json(502, '<html>'), retryAdvice),
  () => lost(json(503, { error: 'Service unavailable', message: 'Maintenance until 14:00' }), retryAdvice),
  () =>
    cancelBooking.run(
      clientOf(async ({ method }) => (method === 'POST' ? refused(409, 'E4712', 'Booking is in the past') : json(404, {}))),
      { booking_id: 'bkg_9fWd4KsA' },
      {},
    ),
  () => parseInput(createBooking, { ...booking, invitee_email: 'ada' }),
  () => parseInput(createBooking, { ...booking, start_time: '2030-01-31 09:00' }),
  () => parseInput(createBooking, { ...booking, start_time: '2030-03-31T02:30', invitee_timezone: 'Europe/Berlin' }),
  () =>
    answersFrom({ budget: 'a lot' }, [
      { key: 'company', label: 'Company', control: 'text', required: true, choices: [] },
      {
        key: 'budget',
        label: 'Budget',
        control: 'choice',
        required: false,
        choices: ['Small', 'Large'].map((value) => ({ value, label: value })),
      },
    ]),
  () => first(findBooking.run(clientOf(json(200, {})), {}, {})),
  () => parseInput(getBooking, { booking_id: 'https://example.com/bookings/9fWd4KsA' }),
  () => doubtOf('http://localhost:5678/webhook/5b0c/webhook'),
  () => doubtOf('http://192.168.1.20:5678/webhook/5b0c/webhook'),
  () => checkBaseUrl('http://scheduling.example.com/api/v1'),
];

const secret = 'whsec_example';
const header = (name: string): string => `${brand.headerPrefix}-${name}`;
const body = JSON.stringify({ event: 'BOOKING_CREATED', data: { id: 'bkg_9fWd4KsA' } });
const signed = (text: string, event = 'BOOKING_CREATED'): RawDelivery => ({
  rawBody: text,
  headers: {
    [header('Signature')]: sign(text, secret),
    [header('Event')]: event,
    [header('Delivery-ID')]: 'dlv_1',
    [header('Timestamp')]: '2030-01-02T08:00:00Z',
  },
});
const { headers: right } = signed(body);
const { [header('Signature')]: signature, ...unsigned } = right;
const withSignature = (value: string): RawDelivery => ({ rawBody: body, headers: { ...unsigned, [header('Signature')]: value } });

/** Deliveries that are refused, in the order of the page's rows. */
const deliveries: [RawDelivery, { secret?: string; maximumAgeSeconds?: number; now?: number }?][] = [
  [signed(body), { secret: '' }],
  [{ rawBody: body, headers: unsigned }],
  [{ rawBody: body, headers: { ...unsigned, 'X-Other-Signature': signature } }],
  [withSignature('md5=abc')],
  [withSignature('sha256=ABC')],
  [{ rawBody: `${body} `, headers: right }],
  [{ rawBody: undefined, headers: right }],
  [signed('[1]')],
  [signed(body, 'BOOKING_CANCELLED')],
  [signed('{"event":"BOOKING_CREATED","data":{}}')],
  [signed(body), { maximumAgeSeconds: 300, now: now + 60 * 60_000 }],
];

/** @throws what the core says when it refuses a delivery */
function open([delivery, more]: (typeof deliveries)[number]): void {
  const events = ['BOOKING_CREATED', 'BOOKING_CANCELLED'] as const;
  const opened = openDelivery(delivery, { secret, events: [...events], subscriptionId: 'sub_1', now, ...more });
  if (opened.outcome === 'refused') throw new ServiceError('invalid', { message: opened.message, advice: '' });
}

/** What people read: what happened in bold, and what to do. @throws if nothing goes wrong any more */
async function messageOf(provoke: () => unknown): Promise<string> {
  try {
    await provoke();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `**${error.message}** ${error.advice}`.trim().replaceAll(brand.name, () => inMarkdown(brand.name));
  }
  throw new Error(`Nothing was refused by ${provoke.toString()}: the troubleshooting page describes something that no longer happens.`);
}

/**
 * The troubleshooting page with every message as the core words it now. People write the rest of its rows.
 *
 * @param page its text; the rows whose first cell is a message are those that begin with `| **`
 */
export async function withMessages(page: string): Promise<string> {
  const messages = await Promise.all([...requests, ...deliveries.map((each) => () => open(each))].map(messageOf));
  const row = /(?<=^\| )\*\*(?:[^|\\]|\\.)*(?= \|)/gm;
  const rows = page.match(row)?.length ?? 0;
  if (rows !== messages.length)
    throw new Error(`docs/reference/troubleshooting.md has ${rows} messages, and tools/docs/troubleshooting.ts ${messages.length}.`);
  return page.replaceAll(row, () => cell(messages.shift() ?? ''));
}
