/**
 * Everything that the public document leaves open, and what is assumed for it, with one entry for each gap.
 *
 * No other place knows an assumed name, form, code or limit. When the maker publishes one, it is changed here and all platforms follow.
 * There are four rules: one place in the code; write strictly and read liberally; never guess silently; stop with an error if a liberal
 * reading would act on something that was not said.
 *
 * For each entry, `aboutListEnvelope` is the statement that the documentation prints, and `listEnvelope` below it has the values that the
 * code reads, if it needs any. The statements are separate constants, so that the shipped packages do not contain their text. The records'
 * own fields are in `api/fields.ts`.
 */
interface Statement {
  /** Its name in the documents. */
  number: `G${number}`;
  /** What the document does not say. */
  gap: string;
  /** The form that is sent, and the first that is read. */
  assumed: string;
  /** Other forms that are also read; empty if there are none. */
  alsoRead: string;
  /** What fails if the assumption is wrong. */
  restsOn: string;
  /** How to find out with the real service. */
  settle: string;
}

const aboutListEnvelope: Statement = {
  number: 'G1',
  gap: 'List envelope',
  assumed: '`{"data": [...], "next_cursor": "..." or null}`',
  alsoRead:
    'items under `items`, `results`, the resource\'s plural, or a bare array; the cursor under `next_cursor`, `nextCursor`, `cursor`, at the top or inside `pagination`, `meta`, `page_info`, `links`, or as `cursor` in an address under `next` there; null, false or "" ends the list, and so does `has_more: false`. A page that says both is read on where it names a cursor, and refused where it names none',
  restsOn:
    'every list, picker and search; a wrong reading would truncate lists, so a full page without a known cursor key is checked with one request of `limit=1`',
  settle: 'GET /v1/bookings?limit=1 on an account with two bookings',
};
export const listEnvelope = {
  itemKeys: ['data', 'items', 'results'],
  cursorKeys: ['next_cursor', 'nextCursor', 'cursor'],
  cursorPlaces: ['pagination', 'meta', 'page_info', 'links', '_links'],
  /** The address of the next page; its `cursor` parameter is used. */
  linkKey: 'next',
  moreKey: 'has_more',
};

const aboutRecordEnvelope: Statement = {
  number: 'G2',
  gap: 'Single record envelope',
  assumed: '`{"data": {...}}`',
  alsoRead: 'the record under its singular, or at the root',
  restsOn: 'every get, create and cancel',
  settle: 'GET /v1/me',
};
export const recordEnvelope = { recordKey: 'data' };

const aboutIds: Statement = {
  number: 'G3',
  gap: 'Ids',
  assumed: 'strings',
  alsoRead: 'whole numbers below 2^53, passed on as strings; larger ones lose their last digits when JSON is read, so they are refused',
  restsOn: 'every id that is passed on',
  settle: 'GET /v1/event-types',
};

const aboutUserRecord: Statement = {
  number: 'G4',
  gap: 'User record',
  assumed: '`id`, `name`, `email`, `timezone`, `locale`, `plan`',
  alsoRead: 'any subset with `id` or `email`',
  restsOn: 'the connection test and its label',
  settle: 'GET /v1/me',
};

const aboutBookingRecord: Statement = {
  number: 'G5',
  gap: 'Booking record',
  assumed:
    '`id`, `status`, `event_type_id`, `event_type_name`, `start_time`, `end_time`, `invitee_name`, `invitee_email`, `invitee_timezone`, `notes`, `question_responses`, `locale`, `location`, `meeting_url`, `cancellation_reason`, `previous_start_time`, `created_at`, `updated_at`',
  alsoRead: 'any subset with `id`; an `event_type` object instead of its two flat fields; an `invitee` object instead of its three',
  restsOn: 'output fields, pickers, filters, and finding a booking again after a lost answer',
  settle: 'GET /v1/bookings/:id',
};

const aboutEventTypeRecord: Statement = {
  number: 'G6',
  gap: 'Event type record',
  assumed:
    '`id`, `name`, `slug`, `description`, `duration_minutes`, `active`, `requires_approval`, `location`, `questions`, `created_at`, `updated_at`; a question is `{key, label, type, required, options}` with type `text`, `textarea`, `number`, `boolean`, `select`, `multiselect`, `phone`, `email` or `date`',
  alsoRead:
    'any subset with `id`; no questions at all; questions under `custom_questions`; a question keyed by `key`, else `id`, `slug`, `name`, then its label; options as strings or `{value, label}`; an unknown type is a text',
  restsOn: 'the event type picker and the typed question fields',
  settle: 'GET /v1/event-types/:id of a type with one question of each kind',
};
export const eventTypeRecord = {
  questionKeys: ['key', 'id', 'slug', 'name', 'label'],
  /** The service's question types, and the kind of field for each. */
  questionTypes: {
    text: 'text',
    textarea: 'multiline',
    number: 'number',
    boolean: 'boolean',
    select: 'choice',
    multiselect: 'choices',
    phone: 'phone',
    email: 'email',
    date: 'date',
  },
};

const aboutContactRecord: Statement = {
  number: 'G7',
  gap: 'Contact record',
  assumed: '`id`, `name`, `email`, `phone`, `timezone`, `locale`, `notes`, `created_at`, `updated_at`',
  alsoRead: 'any subset with `id`',
  restsOn: 'output fields and the contact picker',
  settle: 'GET /v1/contacts?limit=1',
};

const aboutSubscriptionRequest: Statement = {
  number: 'G8',
  gap: 'Subscription request',
  assumed: '`{"url": "...", "events": ["BOOKING_CREATED", ...]}`',
  alsoRead: '',
  restsOn: 'every trigger',
  settle: 'POST /v1/hooks with an address of your own',
};
export const subscriptionRequest = { body: (url: string, events: readonly string[]) => ({ url, events: [...events] }) };

const aboutSubscriptionRecord: Statement = {
  number: 'G9',
  gap: 'Subscription record',
  assumed: '`id`, `url`, `events`, `active`, `created_at`; at creation `{"data": {...}, "signing_secret": "..."}`',
  alsoRead:
    '`target_url` for `url`; `event` (one) for `events`; `signing_secret` inside the record; none in either place ends in deleting the new subscription and a sentence',
  restsOn: 'verification of every delivery; recognising our own subscriptions',
  settle: 'POST /v1/hooks, then GET /v1/hooks',
};
export const subscriptionRecord = { secretKey: 'signing_secret' };

const aboutDeletedSubscription: Statement = {
  number: 'G10',
  gap: 'Answer to deleting a subscription',
  assumed: '204 without a body',
  alsoRead: 'any 2xx; 404 means that it is already gone, which is a success',
  restsOn: 'turning a trigger off',
  settle: 'DELETE /v1/hooks/:id, twice',
};

const aboutCancelRequest: Statement = {
  number: 'G11',
  gap: 'Cancel request',
  assumed: '`{"reason": "..."}` when a reason was given, otherwise `{}`',
  alsoRead: '',
  restsOn: 'the reason of a cancellation',
  settle: 'POST /v1/bookings/:id/cancel with a reason, then read `cancellation_reason`',
};
export const cancelRequest = { body: (reason: string | undefined) => (reason === undefined ? {} : { reason }) };

const aboutAnswersToWrites: Statement = {
  number: 'G12',
  gap: 'Answers to create and cancel',
  assumed: 'the booking, in the envelope of G2',
  alsoRead: 'an empty 2xx to a cancel: the booking is read back by its id',
  restsOn: 'the output of both actions',
  settle: 'POST /v1/bookings, then POST /v1/bookings/:id/cancel',
};

const aboutDeliveryBody: Statement = {
  number: 'G13',
  gap: 'Body of a delivery',
  assumed: '`{"event": "...", "created_at": "...", "data": {record}}`',
  alsoRead:
    'the record under `payload`, or its own name (`booking`, `contact`); at the root where none of these holds an object. The event header names the event; a body whose `event` is another of the seven names contradicts it and is refused, any other value there is kept and not judged',
  restsOn: 'every trigger',
  settle: 'one recorded delivery of each kind',
};
export const deliveryBody = {
  recordKeys: ['data', 'payload'],
  eventKey: 'event',
  /** Keys beside the record that make the bytes of one event different from those of any other ... */
  ownKeys: ['created_at', 'occurred_at', 'timestamp', 'event_id', 'id'],
  /** ... and the same keys if the record itself is the body: its own `created_at` and `id` say nothing about the event. */
  ownKeysAtRoot: ['occurred_at', 'timestamp', 'event_id'],
  timeKeys: ['created_at', 'occurred_at', 'timestamp'],
};

const aboutTokenCall: Statement = {
  number: 'G14',
  gap: 'Token call',
  assumed:
    'RFC 6749: form-encoded, client id and secret in the body; the answer has `access_token`, `token_type`, `expires_in`, `refresh_token`, `scope`',
  alsoRead:
    'client authentication by HTTP Basic (one setting here); no `expires_in`; no new `refresh_token` on a refresh, which keeps the old one',
  restsOn: 'every connection',
  settle: 'connect once',
};
export const tokenCall = { clientAuthentication: 'body' };

const aboutRevokeCall: Statement = {
  number: 'G15',
  gap: 'Revoke call',
  assumed: "RFC 7009: form-encoded `token`, `token_type_hint` and the client's credentials; 200 for any token; the pair ends",
  alsoRead: 'any 2xx',
  restsOn: 'custom applications that disconnect; neither platform calls it',
  settle: 'POST /api/oauth/revoke',
};

const aboutRateLimitHeaders: Statement = {
  number: 'G16',
  gap: 'Rate limit headers',
  assumed: '`Retry-After` in seconds',
  alsoRead:
    'an HTTP date there; `X-RateLimit-Reset` or `RateLimit-Reset` in seconds from now or since the epoch; none: back-off with full jitter, capped at the minute that the documented windows last',
  restsOn: 'how long a refused request waits',
  settle: 'send 21 token requests, or 11 subscription requests, within a minute',
};
export const rateLimitHeaders = { retryAfter: 'retry-after', resets: ['x-ratelimit-reset', 'ratelimit-reset'], windowSeconds: 60 };

const aboutErrorBody: Statement = {
  number: 'G17',
  gap: 'Body of an error',
  assumed: '`{"error": "...", "code": "..."}`; a 400 may add `details: [{"field", "message"}]`',
  alsoRead: "`message` beside them; a body that is not JSON, such as a proxy's page",
  restsOn: 'the sentences people read',
  settle: 'POST /v1/bookings with an empty body',
};
export const errorBody = { detailsKey: 'details' };

const aboutErrorCodes: Statement = {
  number: 'G18',
  gap: 'Error codes',
  assumed:
    '`INVALID_TOKEN` 401 (documented), `INSUFFICIENT_SCOPE` 403, `PLAN_REQUIRED` 403, `SUBSCRIPTION_LIMIT` 403, `NOT_FOUND` 404, `VALIDATION_ERROR` 400, `SLOT_UNAVAILABLE` 400, `ALREADY_CANCELLED` 400, `RATE_LIMITED` 429, `INTERNAL_ERROR` 500',
  alsoRead:
    "409 and 422 for the 400s; an unknown code leaves it to the status, with the service's own words, and on 403 the scope the endpoint is documented to need and both remedies",
  restsOn: 'telling scope, plan and limit apart; cancelling twice being a success',
  settle: 'provoke each one once',
};
export const errorCodes = {
  codes: {
    INVALID_TOKEN: 'unauthenticated',
    INSUFFICIENT_SCOPE: 'scope',
    PLAN_REQUIRED: 'plan',
    SUBSCRIPTION_LIMIT: 'subscriptionLimit',
    NOT_FOUND: 'notFound',
    VALIDATION_ERROR: 'invalid',
    SLOT_UNAVAILABLE: 'slotTaken',
    ALREADY_CANCELLED: 'alreadyCancelled',
    RATE_LIMITED: 'rateLimited',
    INTERNAL_ERROR: 'server',
  },
};

const aboutSubscriptionLimitAnswer: Statement = {
  number: 'G19',
  gap: 'Answer at the subscription limit',
  assumed: '403 with `SUBSCRIPTION_LIMIT`',
  alsoRead: '400, 409, 422 or 429 with that code, or with a message that names a bound of subscriptions, webhooks, hooks or endpoints',
  restsOn: 'the sentence that counts subscriptions by host, instead of a wait for a rate limit that never ends',
  settle: 'the 26th subscription of an account',
};
export const subscriptionLimitAnswer = {
  statuses: [400, 403, 409, 422, 429],
  /** A message is about the limit if it mentions subscriptions and a limit ... */
  names: [/\b(?:subscriptions?|(?:web)?hooks?|endpoints?)\b/i, /\b(?:limit|maximum|max|quota|too many|25)\b/i],
  /** ... and nothing that belongs to the limit of requests a minute, or to the length of the input. */
  otherLimit: /\b(?:rate|minutes?|requests?|length|long|characters?|size)\b/i,
};

const aboutDeliveryRetries: Statement = {
  number: 'G20',
  gap: 'Retries of deliveries',
  assumed: 'at least once: no 2xx within 10 seconds is sent again with the same delivery id and body; order is not promised',
  alsoRead: '',
  restsOn: 'refusing a delivery with a retryable status; dropping a repeated one',
  settle: 'answer 500 once and watch',
};

const aboutStatusTransitions: Statement = {
  number: 'G21',
  gap: 'Status transitions',
  assumed:
    'create: CONFIRMED, or PENDING where approval is needed; approve: PENDING to CONFIRMED; deny: PENDING to CANCELLED; cancel: CONFIRMED or PENDING to CANCELLED; reschedule: stays CONFIRMED, new times, `previous_start_time` set',
  alsoRead: 'any other',
  restsOn: 'which bookings count as upcoming or cancelled; which event a polling trigger takes a difference for',
  settle: 'walk one booking through each',
};
export const statusTransitions = { pending: 'PENDING', confirmed: 'CONFIRMED', cancelled: 'CANCELLED' };

const aboutEventsThatFire: Statement = {
  number: 'G22',
  gap: 'Which events fire',
  assumed:
    'a confirmed create: BOOKING_CREATED; a pending one: none; approve: BOOKING_APPROVED, then BOOKING_CREATED; deny: BOOKING_DENIED; cancel: BOOKING_CANCELLED; reschedule: BOOKING_RESCHEDULED; a first booking by an unknown email: CONTACT_CREATED; a changed name, zone or phone: CONTACT_UPDATED',
  alsoRead: 'approve without BOOKING_CREATED',
  restsOn:
    "that a polling trigger gives both *Booking Approved* and *Booking Created* for an approval; else nothing in the code, people are shown the document's own words for each event",
  settle: 'subscribe to all events and walk through them',
};

const aboutTokenLife: Statement = {
  number: 'G23',
  gap: 'Life of a token',
  assumed: 'an access token lasts an hour; the refresh token rotates on use and the old one is refused afterwards',
  alsoRead: 'any',
  restsOn: 'one refresh at a time',
  settle: 'refresh twice with the same token',
};

const aboutPkce: Statement = {
  number: 'G24',
  gap: 'PKCE',
  assumed: 'sent (S256) where the platform can; never required',
  alsoRead: '',
  restsOn: 'nothing: a service that does not know it ignores it',
  settle: 'connect once',
};

const aboutOauthAddresses: Statement = {
  number: 'G25',
  gap: 'Where OAuth lives',
  assumed: "the base address's origin plus `/oauth/authorize`, `/api/oauth/token`, `/api/oauth/revoke`",
  alsoRead: '`brand.json` can override each',
  restsOn: 'every connection',
  settle: 'open the authorize address in a browser',
};
export const oauthAddresses = { consent: '/oauth/authorize', exchange: '/api/oauth/token', revoke: '/api/oauth/revoke' };

const aboutAuthorizeAddress: Statement = {
  number: 'G26',
  gap: '`state`, and scopes in the address',
  assumed: '`state` is sent and must come back; scopes are joined by spaces',
  alsoRead: '',
  restsOn: 'every connection',
  settle: 'connect once',
};
export const authorizeAddress = { scopeSeparator: ' ' };

const aboutCountedRequests: Statement = {
  number: 'G27',
  gap: 'What counts as a subscription request',
  assumed: 'GET, POST and DELETE on hooks all count towards the 10 a minute, per account',
  alsoRead: '',
  restsOn: 'how sparingly triggers list subscriptions',
  settle: 'GET /v1/hooks eleven times within a minute',
};

const aboutAnswerTypes: Statement = {
  number: 'G28',
  gap: 'Types of answers',
  assumed: 'text, number and boolean as such, several choices as a list of strings',
  alsoRead: 'anything else is kept as it is',
  restsOn: 'answers to questions',
  settle: 'book a type with one question of each kind',
};

const aboutLatestCommit: Statement = {
  number: 'G29',
  gap: 'Latest commit of a create whose answer was lost',
  assumed: 'within 30 seconds of the request',
  alsoRead: '',
  restsOn: 'creating again after a lost answer: only later than this bound, and only when no look-up has found the booking',
  settle: "ask the maker for the service's request timeout",
};
export const latestCommit = { seconds: 30 };

const aboutEmailFilter: Statement = {
  number: 'G30',
  gap: 'How the `email` filter matches',
  assumed: 'exactly, ignoring case',
  alsoRead:
    'partly, as "searches" in the document may mean: searches, lists and look-ups keep only records whose email equals the input, ignoring case',
  restsOn: "searches, *Get Many* by email, finding a booking again after a lost answer: none of them takes a record for another address's",
  settle: 'GET /v1/contacts?email= with the first half of an address',
};

const aboutListScan: Statement = {
  number: 'G31',
  gap: 'Order and date filters of lists',
  assumed: 'none',
  alsoRead: '',
  restsOn: '"recent" and "upcoming" are made from at most a stated number of pages, and say when they stopped there',
  settle: 'GET /v1/bookings and compare the times',
};
export const listScan = { pages: 10 };

const aboutClientRegistration: Statement = {
  number: 'G32',
  gap: 'Registering a client',
  assumed: 'the maker gives out client id and secret',
  alsoRead: '',
  restsOn: 'the quick starts',
  settle: 'write the address into `brand.json`',
};

const aboutLimitWindow: Statement = {
  number: 'G33',
  gap: 'How the window of a limit is counted',
  assumed: 'at worst so that no sixty seconds, wherever they begin, may hold more than the number',
  alsoRead: 'fixed windows and buckets that fill again: both allow what a rolling window allows, or say 429, which is waited out',
  restsOn: 'how densely n8n and custom applications send',
  settle: 'send 21 token requests within a minute, and again as soon as one is taken',
};

const aboutLimitOwners: Statement = {
  number: 'G34',
  gap: 'Whom the limits count for',
  assumed:
    '1,000 and 10 requests a minute: for an account, over all tokens and applications; 20 token exchanges: for an application, and a refresh is one',
  alsoRead: 'any other: a 429 is waited out',
  restsOn: 'one pace for all workflows of a credential; how many live connections one application can refresh',
  settle: 'two tokens of one account, 600 requests each within a minute; 21 refreshes of different connections within a minute',
};

const aboutListedSubscriptions: Statement = {
  number: 'G35',
  gap: 'Whose subscriptions a list of subscriptions shows',
  assumed: 'those of the account, made by any application',
  alsoRead:
    "those of the calling application alone: what is counted by host is then that application's share, and the sentence names the number that was seen",
  restsOn: 'the count by host at the limit of 25',
  settle: 'GET /v1/hooks with the tokens of two applications',
};

const aboutTargetAddress: Statement = {
  number: 'G36',
  gap: 'What a target address must be',
  assumed: 'any address that the service can reach by https, without a handshake; two subscriptions may have the same one',
  alsoRead:
    'a service that refuses a second subscription to one address: one of ours that is left over is removed before a new one is made',
  restsOn: 'every trigger: a handshake would be answered as a delivery that is not signed, and refused',
  settle: 'POST /v1/hooks twice with one address, and look at what is sent to it at once',
};

const aboutTimestampHeader: Statement = {
  number: 'G37',
  gap: 'Which moment the timestamp header tells',
  assumed: 'that of the first sending, the same at every attempt',
  alsoRead: 'that of each attempt',
  restsOn: 'Maximum Age, an option that is off: by the first sending, it refuses what is sent again later than that',
  settle: 'answer 500 once, and compare the headers',
};

const aboutGoneReceiver: Statement = {
  number: 'G38',
  gap: "What a receiver's 410 does",
  assumed: 'it ends the subscription, and nothing is sent again',
  alsoRead: '410 is sent again like any other failure: the subscription keeps its place until somebody deletes it',
  restsOn: 'nothing in the code; Zapier answers 410 for a Zap that is gone',
  settle: 'answer 410 once, then GET /v1/hooks',
};

const aboutLimitAbove: Statement = {
  number: 'G39',
  gap: 'A `limit` above 100',
  assumed: 'refused with 400',
  alsoRead: 'cut to 100',
  restsOn: 'nothing: never more than 100 are asked for',
  settle: 'GET /v1/bookings?limit=101',
};

const aboutSecretEncoding: Statement = {
  number: 'G40',
  gap: 'Whether the signing secret is text or encoded bytes',
  assumed: 'text: its characters as they came, prefix included, are the key',
  alsoRead: '',
  restsOn: 'verification of every delivery: with another key each one is refused, and the refusal says so',
  settle: 'one recorded delivery and the secret of its subscription',
};

const aboutUnpaidPlan: Statement = {
  number: 'G41',
  gap: 'What becomes of deliveries while the plan is not paid',
  assumed: 'they go on, as long as the subscription is there',
  alsoRead: 'none is sent until the plan is paid again',
  restsOn: 'nothing: without deliveries no trigger starts, and no error can say so',
  settle: 'downgrade an account that has a subscription, and book',
};

/** All entries by name, in the order of their numbers, as the documentation prints them. */
export const assumptions = {
  listEnvelope: aboutListEnvelope,
  recordEnvelope: aboutRecordEnvelope,
  ids: aboutIds,
  userRecord: aboutUserRecord,
  bookingRecord: aboutBookingRecord,
  eventTypeRecord: aboutEventTypeRecord,
  contactRecord: aboutContactRecord,
  subscriptionRequest: aboutSubscriptionRequest,
  subscriptionRecord: aboutSubscriptionRecord,
  deletedSubscription: aboutDeletedSubscription,
  cancelRequest: aboutCancelRequest,
  answersToWrites: aboutAnswersToWrites,
  deliveryBody: aboutDeliveryBody,
  tokenCall: aboutTokenCall,
  revokeCall: aboutRevokeCall,
  rateLimitHeaders: aboutRateLimitHeaders,
  errorBody: aboutErrorBody,
  errorCodes: aboutErrorCodes,
  subscriptionLimitAnswer: aboutSubscriptionLimitAnswer,
  deliveryRetries: aboutDeliveryRetries,
  statusTransitions: aboutStatusTransitions,
  eventsThatFire: aboutEventsThatFire,
  tokenLife: aboutTokenLife,
  pkce: aboutPkce,
  oauthAddresses: aboutOauthAddresses,
  authorizeAddress: aboutAuthorizeAddress,
  countedRequests: aboutCountedRequests,
  answerTypes: aboutAnswerTypes,
  latestCommit: aboutLatestCommit,
  emailFilter: aboutEmailFilter,
  listScan: aboutListScan,
  clientRegistration: aboutClientRegistration,
  limitWindow: aboutLimitWindow,
  limitOwners: aboutLimitOwners,
  listedSubscriptions: aboutListedSubscriptions,
  targetAddress: aboutTargetAddress,
  timestampHeader: aboutTimestampHeader,
  goneReceiver: aboutGoneReceiver,
  limitAbove: aboutLimitAbove,
  secretEncoding: aboutSecretEncoding,
  unpaidPlan: aboutUnpaidPlan,
} as const satisfies Record<string, Statement>;
