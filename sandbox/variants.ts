import { type ServiceName, serviceNames, serviceOf } from './serviceRows.ts';

/**
 * The public document does not show its payloads, so the assumptions say which forms a client reads. The sandbox can respond in any of
 * them. The first value of a form is the default. A value needs code only where the sandbox writes it.
 */
const form = <const G extends string, const V extends string>(gap: G, says: string, values: V) => ({
  gap,
  says,
  values: values.split(' | ') as [Split<V>, ...Split<V>[]],
});

/**
 * The same for a fact with rows in the client's table. Settling its gap leaves one value, so no type names the others: for a place, such as
 * `meta.next`, the one that was seen; for a choice, the first.
 */
const place = <const G extends string>(gap: G, fact: string, says: string, values: string) => ({
  ...{ gap, fact, says },
  values: values.split(' | ') as [string, ...string[]],
});
const choice = place;

type Split<Text extends string> = Text extends `${infer First} | ${infer Rest}` ? First | Split<Rest> : Text;

// prettier-ignore
export const FORMS = {
  list: place('G1', 'list.items', 'the place of the items of a list (plural: event_types, bookings, contacts, hooks)', 'data | items | results | plural | array'),
  cursor: place('G1', 'list.cursor', 'the place of the next cursor (none: there is no cursor)', 'next_cursor | nextCursor | cursor | pagination.next_cursor | meta.next_cursor | page_info.next_cursor | none'),
  end: form('G1', 'the cursor on the last page', 'null | false | empty | absent'),
  hasMore: form('G1', 'has_more next to the cursor', 'absent | present'),
  contradiction: choice('G1', 'list.cursor', 'how a page says that more follow (more: beside a null cursor, has_more; link: an address with the cursor; other: the cursor under another key; unnamed: an address without a cursor)', 'none | more | link | other | unnamed'),
  cursors: form('G1', 'the kind of cursor (page: a page number, for pages of the requested size; long: 700 characters, with + and /)', 'opaque | page | long'),
  single: place('G2', 'envelope', 'the envelope of one record (named: booking, event_type, contact, user, subscription)', 'data | named | root'),
  hookName: form('G2', 'the name of a subscription in named and plural', 'hook | subscription'),
  ids: form('G3', 'the type of an id', 'string | number'),
  user: form('G4', 'the fields of the user record', 'full | id | email'),
  records: form('G5', 'the fields of bookings, event types and contacts (sparse: the id alone)', 'full | sparse'),
  bookingEventType: choice('G5', 'booking.event_type_id', "the booking's event type", 'flat | object'),
  bookingInvitee: form('G5', "the booking's invitee", 'flat | object'),
  bookingLinks: form('G47', "a booking's links for its invitee", 'fields | absent'),
  questions: form('G6', 'the key of the questions of an event type', 'questions | custom_questions | absent'),
  questionKey: form('G6', 'the field with the key of a question', 'key | id | slug | name | label'),
  questionType: form('G6', 'the name of the question type `text` (unknown: an unlisted name)', 'documented | unknown'),
  options: form('G6', 'the options of a question', 'strings | objects'),
  subscriptionUrl: form('G9', 'the address in a subscription record', 'url | target_url'),
  subscriptionEvents: form('G9', 'the events in a subscription record (event: where there is only one)', 'events | event'),
  secret: form('G9', 'where the signing secret is at creation (absent: a service without signing)', 'beside | inside | absent'),
  deleted: form('G10', 'the answer to deleting a subscription (200: {"deleted": true})', '204 | 200 | 202 | {} | success'),
  cancelled: form('G12', 'the answer to cancelling a booking (empty: 200 without a body; 202: without a body; success: {"success": true})', 'record | empty | 204 | 202 | {} | success'),
  deliveryRecord: place('G13', 'envelope', 'where the record is in a delivery (named: booking, contact)', 'data | payload | named | root'),
  deliveryEvent: form('G13', "what stands as `event` in a delivery's body", 'name | other | absent'),
  clientAuth: form('G14', 'how a client authenticates at the token endpoint', 'either | body | basic'),
  expiresIn: form('G14', 'expires_in in the token answer', 'present | absent'),
  rotation: form('G14', 'the refresh token after a refresh (keep: no new one is sent)', 'rotate | keep'),
  revoked: form('G15', 'the answer to a revocation', '200 | 204'),
  rateLimit: form('G16', 'how a 429 says when to try again', 'retry-after | http-date | x-ratelimit-reset | x-ratelimit-reset-epoch | ratelimit-reset | ratelimit-reset-epoch | none'),
  errorMessage: form('G17', 'message beside error and code', 'absent | present'),
  errorDetails: form('G17', 'details of a 400', 'present | absent'),
  errorBody: form('G17', 'the body of an error', 'json | html | text | empty'),
  errorCode: form('G18', 'the error codes other than INVALID_TOKEN (unknown: none of the assumed names)', 'assumed | unknown'),
  refusal: form('G18', 'the status of validation errors and refused bookings', '400 | 409 | 422'),
  limitStatus: form('G19', 'the status at the limit of subscriptions', '403 | 400 | 409 | 422 | 429'),
  limitNamed: form('G19', 'how that answer names the limit (webhooks: without the word "subscription")', 'code | message | webhooks'),
  slots: form('G21', 'how many bookings a host can have at one time (shared: a class with many invitees)', 'one | shared'),
  approval: form('G22', 'the events of an approval (approved: without BOOKING_CREATED)', 'created | approved'),
  idempotencyKey: form('G48', 'what becomes of a write that comes again under its Idempotency-Key (heeded: it gets its first answer again, unless that was a server error; all: also then)', 'ignored | heeded | all'),
  emailMatch: form('G30', 'how the email filter matches (case: exactly, with case; made: it does to the address what `email` does to one that is stored)', 'exact | partial | case | made'),
  hooksListed: form('G35', 'whose subscriptions a list shows (client: only those of the calling application)', 'account | client'),
  targets: form('G36', 'which target addresses are accepted (unique: no second subscription for one address)', 'any | unique'),
  retries: form('G20', 'when a failed delivery is sent again (minutes: six tries over 13 minutes; days: eight over 27.6 hours, and a subscription that accepted nothing for five days is paused)', 'minutes | days'),
  timestamp: form('G37', 'the time in the timestamp header (attempt: a new one for each try)', 'first | attempt'),
  gone: form('G38', "what a receiver's 410 does (retried: it counts as any other failure)", 'removed | retried'),
  limitAbove: form('G39', 'the effect of a limit above 100', 'refused | cut'),
} as const;

/** The settled gaps: their forms are no longer assumed. */
export const SETTLED: readonly string[] = [];

/**
 * How ordinary services change what they are sent, show and list. The public document rules none of this out, so a client must work with
 * all of it. The first value is the canonical sandbox's habit: it returns what was sent, at once.
 */
// prettier-ignore
export const HABITS = {
  email: form('G43', "what is stored of an invitee's address (untagged: without +tag; punycode: an international domain in its ASCII form)", 'sent | lower | untagged | punycode'),
  name: form('G43', "what is stored of an invitee's name (collapsed: single blanks; escaped: & and quotes as HTML; curled: ’ for '; plain: without emoji; cut: at 20 characters; turned: Last, First; contact: the name that the contact already has)", 'sent | collapsed | escaped | curled | plain | cut | turned | contact'),
  choices: form('G28', 'which answers to a choice are accepted (any: also others than its options)', 'listed | any'),
  typeId: form('G43', "the event type's id in a booking (slug: a slug is accepted as well, and the id is shown; number, prefixed: in another form than in event types)", 'same | slug | number | prefixed'),
  start: form('G43', "how a booking shows its times (offset, local: in the host's zone, with and without offset; minutes: without seconds; rounded: the start is cut to the minute)", 'utc | offset | minutes | local | rounded'),
  createdAt: form('G43', "how a record says when it was made and changed (local: the time in the host's zone, marked Z; behind, ahead: three minutes off; zero: 0001-01-01 until it is changed)", 'utc | absent | seconds | milliseconds | local | behind | ahead | zero'),
  hookAddress: form('G43', "what is stored of a subscription's address (normal: as a URL is normalised)", 'sent | normal'),
  hookField: form('G43', "the field of a subscription's address (usual: as subscriptionUrl says)", 'usual | endpoint | target | absent'),
  created: form('G12', 'the answer to a booking that was made (id: 201 with the id alone; 202: without a body; success: 200 with {"success": true}; location: 201 with only that header)', 'record | id | 200 | 202 | 204 | {} | success | location'),
  trouble: form('G18', 'how every POST of a booking fails, with nothing done (500, 503: with words, as JSON; page: HTML with 500; page-200: HTML with 200)', 'none | 500 | 503 | page | page-200'),
  unfiltered: form('G42', 'what a list of bookings holds without `status`', 'all | confirmed | upcoming'),
  order: form('G31', 'the order of a list of bookings (created, start, changed: by that time, the latest first; with -up: the earliest first; none: in no order)', 'created | created-up | start | start-up | changed | changed-up | none'),
  typesListed: form('G42', 'which event types a list holds', 'all | active'),
  listLag: form('G43', 'how far lists are behind (replicas: every second answer is 45 seconds old)', 'none | 1s | 45s | replicas'),
  readLag: form('G43', 'how far a read by id is behind', 'none | 1s | 45s'),
  oddRecord: form('G3', 'one record in lists that nobody can use (null: its id is null; big: its id is a number above 2^53)', 'none | null | big'),
  bookingsSeen: form('G44', 'whose bookings a token sees (team: those of every account)', 'own | team'),
  dateFilters: form('G46', 'the filters by start of a list of bookings (written as first_second)', 'none | from-to | after-before | start_after-start_before'),
  dateHeader: form('G43', "the header Date against the service's own clock (two minutes)", 'same | behind | ahead'),
  serviceClock: form('G43', "the service's clock against ours (three minutes)", 'same | behind | ahead'),
  signing: form('G20', 'what a later try signs (list: two signatures, of which one differs each time)', 'once | list'),
} as const;

const services = ['assumed', ...serviceNames] as ['assumed', ...ServiceName[]];
/** Complete responses of existing services in place of the assumed ones: records, lists, deliveries and errors that belong together. */
export const SERVICES = { service: { gap: 'G5', says: 'the service as which the sandbox answers', values: services } } as const;

export type FormName = keyof typeof FORMS;
export type HabitName = keyof typeof HABITS;
const ALL = { ...FORMS, ...HABITS, ...SERVICES };
export type Forms = { [Name in keyof typeof ALL]: (typeof ALL)[Name]['values'][number] };

export const FORM_NAMES = Object.keys(FORMS) as FormName[];
const ALL_NAMES = Object.keys(ALL) as (keyof Forms)[];

/** Every form and habit, with its canonical value unless another one is given. */
export function chooseForms(chosen: Partial<Forms> = {}): Forms {
  const canonical = Object.fromEntries(ALL_NAMES.map((name) => [name, ALL[name].values[0]])) as Forms;
  return { ...canonical, ...(serviceOf(chosen)?.forms as Partial<Forms>), ...chosen };
}

/**
 * Parses a form as written on the command line: `list=items`.
 *
 * @throws an error for people that lists the possible names or values
 */
export function parseForm(text: string): Partial<Forms> {
  const [name = '', value = ''] = text.split('=', 2);
  const known = ALL_NAMES.find((each) => each === name);
  if (known === undefined) throw new Error(`There is no form named "${name}". The forms are: ${ALL_NAMES.join(', ')}.`);
  const values: readonly string[] = ALL[known].values;
  if (!values.includes(value)) throw new Error(`The form ${name} cannot be "${value}". It can be: ${values.join(', ')}.`);
  return { [known]: value };
}
