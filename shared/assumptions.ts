/**
 * Everything that the public document leaves open, and what is assumed instead.
 *
 * No other place contains an assumed name, form, code or limit, except `reading/rows.ts`, which lists the other forms that are read. When
 * the maker publishes one, it is changed here, and all platforms follow. There are four rules: one place in the code; write strictly and
 * read liberally; never guess silently; stop with an error if a liberal reading would act on something that was not said.
 *
 * These are the values that the code reads. `assumptions.json` has the statements that people read, one for each gap, and
 * `records/fields.ts` the fields of records.
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
  /** The maximum number of pages of contacts, event types or one person's bookings. */
  pages: 10,
  /** For everybody's bookings: the time limit while somebody waits, and the share of the account's requests per minute. */
  milliseconds: 25_000,
  share: 0.1,
  /** The time to leave for other requests if the host limits a step's duration. */
  reserveMs: 3_000,
};

// G48
export const idempotencyKey = {
  /** The only switch. If true, every platform sends each write with a key, and repeats a write without a response under the same key. */
  isHeeded: false,
  /** The header's name, in lower case. */
  header: 'idempotency-key',
  /** How long the service remembers a key, at least. */
  keptForHours: 24,
};
