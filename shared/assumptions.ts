/**
 * Everything that the public document leaves open, and what is assumed for it.
 *
 * No other place knows an assumed name, form, code or limit, but for the other forms that are also read: `reading/rows.ts` has those. When the maker publishes one, it is changed here and all platforms follow.
 * There are four rules: one place in the code; write strictly and read liberally; never guess silently; stop with an error if a liberal
 * reading would act on something that was not said.
 *
 * First come the values that the code reads, then the statements that the documentation prints, one for each gap. The records' own fields
 * are in `records/fields.ts`.
 */

// G1
export const listEnvelope = { itemsKey: 'data', cursorKey: 'next_cursor' };

// G2
export const recordEnvelope = { recordKey: 'data' };

// G8
export const subscriptionRequest = { body: (url: string, events: readonly string[]) => ({ url, events: [...events] }) };

// G9
export const subscriptionRecord = { secretKey: 'signing_secret' };

// G11
export const cancelRequest = { body: (reason: string | undefined) => (reason === undefined ? {} : { reason }) };

// G13
export const deliveryBody = { recordKey: 'data', eventKey: 'event', timeKey: 'created_at' };

// G14
export const tokenCall = { clientAuthentication: 'body' };

// G16
export const rateLimitHeaders = { retryAfter: 'retry-after', windowSeconds: 60 };

// G17
export const errorBody = { detailsKey: 'details' };

// G18
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

// G21
export const statusTransitions = { pending: 'PENDING', confirmed: 'CONFIRMED', cancelled: 'CANCELLED' };

// G25
export const oauthAddresses = { consent: '/oauth/authorize', exchange: '/api/oauth/token', revoke: '/api/oauth/revoke' };

// G26
export const authorizeAddress = { scopeSeparator: ' ' };

// G29
export const latestCommit = { seconds: 60 };

// G31
export const listScan = {
  /** So many pages of contacts, event types or one person's bookings. */
  pages: 10,
  /** Of the bookings of everybody: so long, where somebody waits, and so much of the requests that the account has in a minute. */
  milliseconds: 25_000,
  share: 0.1,
  /** What is left for other requests where the host ends a step. */
  reserveMs: 3_000,
};

// G48
export const idempotencyKey = {
  /** The one switch. On, each write is sent under a key, on every platform, and one whose answer was lost is sent again under the same key. */
  isHeeded: false,
  /** The name of the header, in lower case. */
  header: 'idempotency-key',
  /** For how long the service knows a key, at least. */
  keptForHours: 24,
};

export interface Statement {
  /** Its name in the documents. */
  number: `G${number}`;
  /** What the document does not say. */
  gap: string;
  /** The form that is sent, and the first that is read. */
  assumed: string;
  /** Other forms that are also read. */
  alsoRead?: string;
  /** What fails if the assumption is wrong. */
  restsOn: string;
  /** How to find out with the real service. */
  settle: string;
}

/** All statements, in the order of their numbers. Only tools use them, so the shipped packages do not contain their text. */
export const assumptions = {
  listEnvelope: {
    number: 'G1',
    gap: 'List envelope',
    assumed: '`{"data": [...], "next_cursor": "..." or null}`',
    alsoRead:
      "the other forms of `reading/rows.ts`: items under `items`, `results`, `collection`, `value` or `entries`, or the name of what is listed, also inside another object, or else the only list in the body, or a bare array; items that hold their record; the cursor under `nextCursor`, `cursor`, `next`, `next_page_token`, `@odata.nextLink` or `cursors`, at the top or in an object about paging there, such as `pagination`, `meta` or `data`; or as `cursor` in an address there or in a `Link` header. Null, false, 0 or '' ends the list, and so does `has_more: false` or an empty page whose cursor leads to itself. An empty list may also be null, status 204, or a 404 that says 'No bookings found' or the like; a polling trigger refuses null, and a gap among the records. If a page contradicts itself, a cursor is followed; without a cursor, the list is refused",
    restsOn:
      'every list, picker and search. Misreading would cut lists short, so a page without a known cursor is checked by another request (`limit=1`) if it is full, by its own size too, or names a larger total',
    settle: 'GET /v1/bookings?limit=1 on an account with two bookings',
  },
  recordEnvelope: {
    number: 'G2',
    gap: 'Single record envelope',
    assumed: '`{"data": {...}}`',
    alsoRead:
      'the outermost object with an id and what makes it such a record (a start, an email, a name), under `data`, `payload`, `object` or its own name, or under another one if nothing around it tells anything. An object with an id alone counts where nothing speaks against it',
    restsOn: 'every get, create and cancel',
    settle: 'GET /v1/me',
  },
  ids: {
    number: 'G3',
    gap: 'Ids',
    assumed: 'strings',
    alsoRead:
      'under `booking_id`, `uid`, or at the end of an own address, if there is no `id`; whole numbers below 2^53, passed on as strings. Larger ones lose their last digits when JSON is read, so they are refused',
    restsOn: 'every id that is passed on',
    settle: 'GET /v1/event-types',
  },
  userRecord: {
    number: 'G4',
    gap: 'User record',
    assumed: '`id`, `name`, `email`, `timezone`, `locale`, `plan`',
    alsoRead: 'any subset with `id` or `email`; names as in any other notation, and in two parts',
    restsOn: 'the connection test and its label',
    settle: 'GET /v1/me',
  },
  bookingRecord: {
    number: 'G5',
    gap: 'Booking record',
    assumed:
      '`id`, `status`, `event_type_id`, `event_type_name`, `start_time`, `end_time`, `invitee_name`, `invitee_email`, `invitee_timezone`, `notes`, `question_responses`, `locale`, `location`, `meeting_url`, `cancellation_reason`, `previous_start_time`, `created_at`, `updated_at`',
    alsoRead:
      'the other forms of `reading/rows.ts`: any notation of names; a start and an end under similar words, as objects or since the epoch; an event type as an object, a service or an address; the invitee as an object, as one attendee or client, behind a prefix, or at the top, never one of several; answers as pairs or as an object; cancelled by a time or a flag. A value that is not what its label says is kept under its name with `_as_sent`',
    restsOn: 'output fields, pickers, filters, and finding a booking again after a lost answer',
    settle: 'GET /v1/bookings/:id',
  },
  eventTypeRecord: {
    number: 'G6',
    gap: 'Event type record',
    assumed:
      '`id`, `name`, `slug`, `description`, `duration_minutes`, `active`, `requires_approval`, `location`, `questions`, `created_at`, `updated_at`; a question is `{key, label, type, required, options}` with type `text`, `textarea`, `number`, `boolean`, `select`, `multiselect`, `phone`, `email` or `date`',
    alsoRead:
      "any subset with `id`; `title`; a length under other words, also as text; no questions, `hidden` ones, or `custom_questions`; a question's key under `key`, `id`, `slug`, `name` or its text; options as strings or objects; other names of types; an unknown one counts as text",
    restsOn: 'the event type picker and the typed question fields',
    settle: 'GET /v1/event-types/:id of a type with one question of each kind',
  },
  contactRecord: {
    number: 'G7',
    gap: 'Contact record',
    assumed: '`id`, `name`, `email`, `phone`, `timezone`, `locale`, `notes`, `created_at`, `updated_at`',
    alsoRead: 'any subset with `id`; names in two parts, other words for email, phone and time zone',
    restsOn: 'output fields and the contact picker',
    settle: 'GET /v1/contacts?limit=1',
  },
  subscriptionRequest: {
    number: 'G8',
    gap: 'Subscription request',
    assumed: '`{"url": "...", "events": ["BOOKING_CREATED", ...]}`',
    restsOn: 'every trigger',
    settle: 'POST /v1/hooks with an address of your own',
  },
  subscriptionRecord: {
    number: 'G9',
    gap: 'Subscription record',
    assumed: '`id`, `url`, `events`, `active`, `created_at`; at creation `{"data": {...}, "signing_secret": "..."}`',
    alsoRead:
      '`target_url` for `url`; a single `event` for `events`; events in another notation or with others beside them; `signing_secret` inside the record. Without a secret in either place, the new subscription is deleted, and an error says so',
    restsOn: 'verification of every delivery; recognising our own subscriptions',
    settle: 'POST /v1/hooks, then GET /v1/hooks',
  },
  deletedSubscription: {
    number: 'G10',
    gap: 'Answer to deleting a subscription',
    assumed: '204 without a body',
    alsoRead:
      'any 2xx. A 404 means that it is already gone: a success when a trigger ends or a lost request is repeated, otherwise an error',
    restsOn: 'turning a trigger off',
    settle: 'DELETE /v1/hooks/:id, twice',
  },
  cancelRequest: {
    number: 'G11',
    gap: 'Cancel request',
    assumed: '`{"reason": "..."}` when a reason was given, otherwise `{}`',
    restsOn: 'the reason of a cancellation',
    settle: 'POST /v1/bookings/:id/cancel with a reason, then read `cancellation_reason`',
  },
  answersToWrites: {
    number: 'G12',
    gap: 'Answers to create and cancel',
    assumed: 'the booking, in the envelope of G2',
    alsoRead:
      'a 2xx without the booking that has `success: true` or is empty: the booking is then read by its id, or looked for. `success: false`, or something under `error`, is a refusal; anything else, such as a sentence or the id of a job, proves nothing, and the booking is looked for',
    restsOn: 'the output of both actions',
    settle: 'POST /v1/bookings, then POST /v1/bookings/:id/cancel',
  },
  deliveryBody: {
    number: 'G13',
    gap: 'Body of a delivery',
    assumed: '`{"event": "...", "created_at": "...", "data": {record}}`',
    alsoRead:
      'the record as G2 says, also in a body that is sent as a form. The event header names the event, in any notation. A body whose `event` is another one of the seven names contradicts it and is refused. Any other value there is ignored',
    restsOn: 'every trigger',
    settle: 'record one delivery of each kind',
  },
  tokenCall: {
    number: 'G14',
    gap: 'Token call',
    assumed:
      'RFC 6749: form-encoded, client id and secret in the body; the answer has `access_token`, `token_type`, `expires_in`, `refresh_token`, `scope`',
    alsoRead:
      'client authentication by HTTP Basic (a setting); no `expires_in`; no new `refresh_token` after a refresh: the old one is then kept',
    restsOn: 'every connection',
    settle: 'connect once',
  },
  revokeCall: {
    number: 'G15',
    gap: 'Revoke call',
    assumed:
      "RFC 7009: form-encoded `token`, `token_type_hint` and the client's credentials; 200 for any token; both tokens of the pair are revoked",
    alsoRead: 'any 2xx, a 400 that names `invalid_token`, or any refusal of a pair that can no longer be refreshed',
    restsOn: 'custom applications that disconnect. Zapier and n8n never call it',
    settle: 'POST /api/oauth/revoke',
  },
  rateLimitHeaders: {
    number: 'G16',
    gap: 'Rate limit headers',
    assumed: '`Retry-After` in seconds',
    alsoRead:
      'an HTTP date there; `X-RateLimit-Reset`, `RateLimit` or the like in seconds or milliseconds, from now or since the epoch. Without any of them: back-off with full jitter, at most a minute, which is the length of the documented windows',
    restsOn: 'how long a refused request waits',
    settle: 'send 21 token requests, or 11 subscription requests, within a minute',
  },
  errorBody: {
    number: 'G17',
    gap: 'Body of an error',
    assumed: '`{"error": "...", "code": "..."}`; a 400 may add `details: [{"field", "message"}]`',
    alsoRead:
      'also a `message`, or the names that other services use for it; the code if nothing else says what is wrong; plain text; the title of a page',
    restsOn: 'the error messages that people read',
    settle: 'POST /v1/bookings with an empty body',
  },
  errorCodes: {
    number: 'G18',
    gap: 'Error codes',
    assumed:
      '`INVALID_TOKEN` 401 (documented), `INSUFFICIENT_SCOPE` 403, `PLAN_REQUIRED` 403, `SUBSCRIPTION_LIMIT` 403, `NOT_FOUND` 404, `VALIDATION_ERROR` 400, `SLOT_UNAVAILABLE` 400, `ALREADY_CANCELLED` 400, `RATE_LIMITED` 429, `INTERNAL_ERROR` 500',
    alsoRead:
      '409 and 422 instead of 400; for a slot that is not free, any code or words that say so, such as `SLOT_TAKEN` or "already booked" about a time. For any other unknown code, the status decides, and the service\'s own words are shown; for a 403 also the scope that the endpoint needs, with both remedies',
    restsOn: 'telling scope, plan and limit apart; repeated cancellations',
    settle: 'provoke each one once',
  },
  subscriptionLimitAnswer: {
    number: 'G19',
    gap: 'Answer at the subscription limit',
    assumed: '403 with `SUBSCRIPTION_LIMIT`',
    alsoRead: '400, 409, 422 or 429 with that code, or with a message about a limit of subscriptions, webhooks, hooks or endpoints',
    restsOn: 'the error that counts subscriptions by host. Otherwise, triggers would wait for a rate limit that never ends',
    settle: 'create the 26th subscription of an account',
  },
  deliveryRetries: {
    number: 'G20',
    gap: 'Retries of deliveries',
    assumed:
      'at least once: without a 2xx within 10 seconds, a delivery is sent again with the same delivery id and body. The order is not guaranteed',
    restsOn: 'refusing a delivery with a status after which it is sent again; dropping repeats',
    settle: 'answer 500 once and watch',
  },
  statusTransitions: {
    number: 'G21',
    gap: 'Status transitions',
    assumed:
      'create: CONFIRMED, or PENDING if approval is needed; approve: PENDING to CONFIRMED; deny: PENDING to CANCELLED; cancel: CONFIRMED or PENDING to CANCELLED; reschedule: stays CONFIRMED, new times, `previous_start_time` set',
    alsoRead:
      'any other; other words for the three statuses, such as `accepted`, `scheduled`, `held` or `declined`, also inside an object such as `{"name": "..."}`; a new booking with `rescheduled_from` in place of a cancelled one',
    restsOn: 'which bookings count as upcoming or cancelled; which event a polling trigger reports for a difference',
    settle: 'take one booking through each',
  },
  eventsThatFire: {
    number: 'G22',
    gap: 'Which events fire',
    assumed:
      'a confirmed create: BOOKING_CREATED; a pending one: none; approve: BOOKING_APPROVED, then BOOKING_CREATED; deny: BOOKING_DENIED; cancel: BOOKING_CANCELLED; reschedule: BOOKING_RESCHEDULED; a first booking by an unknown email: CONTACT_CREATED; a changed name, zone or phone: CONTACT_UPDATED',
    alsoRead: 'approve without BOOKING_CREATED',
    restsOn:
      "a polling trigger reports both *Booking Approved* and *Booking Created* for an approval. Nothing else in the code: people see the document's own words for each event",
    settle: 'subscribe to all events and cause each one',
  },
  tokenLife: {
    number: 'G23',
    gap: 'Life of a token',
    assumed: 'an access token lasts an hour; the refresh token rotates on use and the old one is refused afterwards',
    alsoRead: 'any',
    restsOn: 'one refresh at a time',
    settle: 'refresh twice with the same token',
  },
  pkce: {
    number: 'G24',
    gap: 'PKCE',
    assumed: 'sent (S256) if the platform can; never required',
    restsOn: 'nothing: a service without PKCE ignores it',
    settle: 'connect once',
  },
  oauthAddresses: {
    number: 'G25',
    gap: 'OAuth addresses',
    assumed: "the base URL's origin plus `/oauth/authorize`, `/api/oauth/token`, `/api/oauth/revoke`",
    alsoRead: '`brand.json` can override each',
    restsOn: 'every connection',
    settle: 'open the authorize address in a browser',
  },
  authorizeAddress: {
    number: 'G26',
    gap: '`state`, and scopes in the address',
    assumed: '`state` is sent and must come back; scopes are joined by spaces',
    restsOn: 'every connection',
    settle: 'connect once',
  },
  countedRequests: {
    number: 'G27',
    gap: 'What counts as a subscription request',
    assumed: 'GET, POST and DELETE on hooks all count towards the 10 a minute, per account',
    restsOn: 'how sparingly triggers list subscriptions',
    settle: 'GET /v1/hooks eleven times within a minute',
  },
  answerTypes: {
    number: 'G28',
    gap: 'Types of answers',
    assumed: 'text, numbers and booleans as such; several choices as a list of strings',
    alsoRead: 'anything else is kept as it is',
    restsOn: 'answers to questions',
    settle: 'book a type with one question of each kind',
  },
  latestCommit: {
    number: 'G29',
    gap: 'Latest moment at which the effect of a write can appear',
    assumed: 'within a minute of the request, in every list',
    restsOn:
      'creating again after a lost answer. No run creates twice. A later try looks until this time, in every status, and creates only if nothing there can be the booking',
    settle: "find out the service's request timeout, and how far behind its lists are",
  },
  emailFilter: {
    number: 'G30',
    gap: 'How the `email` filter matches',
    assumed: 'exactly, ignoring case',
    alsoRead:
      'by a part, as "searches" in the document may mean; exactly with case, if lower case is stored: then lower case is also asked for; by the form in which the service stores the address, such as without `+tag`. Where a record does not show its address, the filter is believed',
    restsOn: 'searches, lists by email, finding a booking again after a lost answer: none of them uses a record that shows another address',
    settle: 'GET /v1/contacts?email= with the first half of an address',
  },
  listScan: {
    number: 'G31',
    gap: 'Order and date filters of lists',
    assumed: 'none',
    restsOn:
      'how much is read for the bookings of a time: everything, unless pages in order show that the rest lies outside it. Where somebody waits, an answer that is not whole says so first',
    settle: 'GET /v1/bookings and compare the times',
  },
  clientRegistration: {
    number: 'G32',
    gap: 'Registering a client',
    assumed: 'the maker gives out client id and secret',
    restsOn: 'the quick starts',
    settle: 'write the address into `brand.json`',
  },
  limitWindow: {
    number: 'G33',
    gap: 'How the window of a limit is counted',
    assumed: 'in the strictest way: no sixty seconds, wherever they begin, may contain more requests than the limit',
    alsoRead: 'fixed windows and token buckets. Both allow what a rolling window allows, or answer 429, after which the request waits',
    restsOn: 'how fast n8n and custom applications send',
    settle: 'send 21 token requests within a minute, then more as soon as one is accepted',
  },
  limitOwners: {
    number: 'G34',
    gap: 'Whom the limits count for',
    assumed:
      '1,000 and 10 requests a minute: for an account, over all tokens and applications; 20 token exchanges: for an application, including refreshes',
    alsoRead: 'any other: after a 429, the request waits',
    restsOn: 'one pace for all workflows of a credential; how many connections can be refreshed',
    settle: 'two tokens of one account, 600 requests each within a minute; 21 refreshes of different connections within a minute',
  },
  listedSubscriptions: {
    number: 'G35',
    gap: 'Whose subscriptions a list of subscriptions shows',
    assumed: 'those of the account, made by any application',
    alsoRead:
      "only those of the calling application: the count by host then covers that application's share, and the error names the number that was seen",
    restsOn: 'the count by host at the limit of 25',
    settle: 'GET /v1/hooks with the tokens of two applications',
  },
  targetAddress: {
    number: 'G36',
    gap: 'What a target address must be',
    assumed: 'any address that the service can reach by https, without a handshake; two subscriptions may have the same one',
    alsoRead: 'a service that refuses a second subscription for one address: our own old one is deleted before a new one is created',
    restsOn: 'every trigger: a handshake would be refused as an unsigned delivery',
    settle: 'POST /v1/hooks twice with one address, and see what is immediately sent to it',
  },
  timestampHeader: {
    number: 'G37',
    gap: 'Which time the timestamp header contains',
    assumed: 'that of the first try, repeated at every later one',
    alsoRead: 'that of each try',
    restsOn: 'the option *Maximum Age*, which is off by default: it would refuse late retries',
    settle: 'answer 500 once, and compare the headers',
  },
  goneReceiver: {
    number: 'G38',
    gap: "What a receiver's 410 does",
    assumed: 'it ends the subscription, and nothing is sent again',
    alsoRead: 'it is sent again as after any other failure, and the subscription keeps its place until someone deletes it',
    restsOn: 'nothing in the code; Zapier answers 410 for a Zap that is gone',
    settle: 'answer 410 once, then GET /v1/hooks',
  },
  limitAbove: {
    number: 'G39',
    gap: 'A `limit` above 100',
    assumed: 'refused with 400',
    alsoRead: 'cut to 100',
    restsOn: 'nothing: never more than 100 are requested',
    settle: 'GET /v1/bookings?limit=101',
  },
  secretEncoding: {
    number: 'G40',
    gap: 'Whether the signing secret is text or encoded bytes',
    assumed: 'text: the key is its characters as they came, including the prefix',
    restsOn: 'verification of every delivery: with another key, each one is refused, and the message says so',
    settle: 'record one delivery, and check it with the secret of its subscription',
  },
  unpaidPlan: {
    number: 'G41',
    gap: 'Deliveries while the plan is not paid',
    assumed: 'they continue, as long as the subscription exists',
    alsoRead: 'none are sent until the plan is paid again',
    restsOn: 'nothing: without deliveries no trigger starts, and no error can say so',
    settle: 'downgrade an account that has a subscription, and book',
  },
  listedBookings: {
    number: 'G42',
    gap: 'What a list holds without `status`, and whether inactive event types are listed',
    assumed: 'everything. With `status` and `email`, the bookings that match both; both are sent again with each cursor',
    alsoRead: 'confirmed or upcoming bookings alone: where a promise rests on all of them, each status is asked for',
    restsOn: 'pickers, lists and polling',
    settle: 'compare GET /v1/bookings with the sum of its three statuses, and GET /v1/event-types with the inactive ones in the account',
  },
  recordsAsSent: {
    number: 'G43',
    gap: 'Whether a record gives back what was sent',
    assumed: 'no. What the service makes of a value is passed on as it is',
    alsoRead:
      'an email in lower case, without `+tag`, masked or with its domain in ASCII; a name that is trimmed, escaped, cut, reordered, or the one that the contact already has; an event type by another id; times in another notation or zone, without seconds, or off by minutes; an address in its normal form; fewer fields; lists that are seconds behind',
    restsOn: 'taking the answer to a write as done, and finding a booking again after a lost answer',
    settle: 'POST /v1/bookings with a capital and a `+tag` in the email, and compare the record',
  },
  visibleBookings: {
    number: 'G44',
    gap: 'Whose bookings a token sees',
    assumed: "the account's own",
    alsoRead: "a team's: searches and lists then show those of others as well",
    restsOn: 'searches, lists and polling',
    settle: 'GET /v1/bookings with the token of one member of a team',
  },
  pausing: {
    number: 'G45',
    gap: 'Pausing a subscription, and whether a paused one counts towards the 25',
    assumed: 'the document names no pausing, and counts the active ones',
    alsoRead: '`active: false`, `enabled: false`, `disabled: true`, a `deleted_at`, or a `status` or `state` such as `disabled`',
    restsOn: 'replacing a subscription that receives nothing, and the count by host at the limit',
    settle: 'answer 500 for some days, then GET /v1/hooks',
  },
  dateFilters: {
    number: 'G46',
    gap: 'Filters by date of a list of bookings',
    assumed: 'none',
    alsoRead: 'none are sent. They may be called `from` and `to`, `after` and `before`, or `start_after` and `start_before`',
    restsOn: 'how many requests a list of bookings in a window of time costs: without a filter, the lists are read as G31 says',
    settle: 'GET /v1/bookings?from= with a date after every booking',
  },
  bookingLinks: {
    number: 'G47',
    gap: 'Links for the invitee in a booking',
    assumed: '`reschedule_url`, `cancel_url`, `booking_url`: pages on which the invitee can move, cancel or look at the booking',
    alsoRead: 'none; the same names ending in `link`, `uri` or `href`',
    restsOn: 'nothing in the code; people map the links, and agents pass them on',
    settle: 'GET /v1/bookings/:id, and open each link in a browser',
  },
  idempotencyKey: {
    number: 'G48',
    gap: 'Whether `Idempotency-Key` is heeded',
    assumed: 'no, so none is sent',
    alsoRead:
      'if `idempotencyKey.isHeeded` in `shared/assumptions.ts` is true: the same key with the same body gives the first answer again, for at least 24 hours. 400, 409 or 422 with words about the key: the first request is not finished, or was another one. `Idempotent-Replayed: true` on a server error: it will stay the same',
    restsOn: 'what happens after a lost answer: the write is looked for, or sent again under its key',
    settle: 'POST /v1/bookings twice with one body and one `Idempotency-Key`',
  },
} as const satisfies Record<string, Statement>;
