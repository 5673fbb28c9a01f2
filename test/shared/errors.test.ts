import { brand } from '../../shared/brand.ts';
import { inTime } from '../../shared/client/retry.ts';
import { isAboutSlot, retryAfter } from '../../shared/reading/index.ts';
import type { Subject } from '../../shared/call.ts';
import { rateLimited, refusal as refusalOf } from '../../shared/client/errors.ts';
import { ServiceError } from '../../shared/serviceError.ts';
import { tidy } from '../../shared/values.ts';
import { scopes } from '../../shared/scopes.ts';
import { createBooking } from '../../shared/operations/index.ts';
import { FORMS } from '../../sandbox/service.ts';
import { adasForm, refusal, serve, type TestService, testStart as now } from '../support/service.ts';
import { errorOf, oneOf } from '../support/wire.ts';

const when = '2030-01-31T09:00:00+01:00';
const booking: Subject = { resourceName: 'booking', id: 'bkg_1', scope: 'bookings:write', slot: { when, isTaken: isAboutSlot } };
const hook: Subject = { resourceName: 'webhook subscription', scope: 'webhooks:manage' };
const refused = (status: number, body: unknown = '', about: Partial<Subject> = {}, headers = {}) =>
  refusalOf({ status, headers, body }, { ...booking, ...about }, now);

const reconnect = 'Reconnect the account and accept all permissions.';
const upgrade = `Upgrade the ${brand.name} account to the Pro plan or higher, then try again.`;
const forbidden = `${brand.name} did not allow this.`;
const elseUpgrade = `${reconnect} If that fails, upgrade to the Pro plan or higher.`;
const lacks = (permission: string) =>
  `This connection to ${brand.name} lacks the permission${permission} that is needed here. ${reconnect}`;
const notFound = 'was not found. It may be deleted, or in another account. Check its ID, or choose it again.';
const bare = ' (status 404, without a reason)';
const ifThere = 'If it is there, check that no proxy or firewall is in between.';
const ifRight = `Check the base URL in the connection. ${ifThere.replace('there', 'right')}`;
const unnamed = { id: undefined, resourceName: 'user' };
const noSlot = `The booking "bkg_1" ${notFound.replace('found.', `found. ${brand.name} says: "Slot not found".`)}`;
const expired = `The connection to ${brand.name} has expired or was revoked. Reconnect the account.`;
const notFree = `That time is not free for this event type: ${when}.`;
const rejected = `${brand.name} rejected the request.`;
const bad = `${brand.name} says: "Bad".`;
const correct = 'Correct it and try again.';
const insufficient = { code: 'INSUFFICIENT_SCOPE' };
const planRequired = errorOf('Forbidden', 'PLAN_REQUIRED');
const taken = { code: 'SLOT_UNAVAILABLE' };
const couponGone = { status: 'failure', message: 'Coupon not found' };
const takenInWords = { success: false, code: 401, message: 'The slot was taken' };
const unusable = [{ field: 7, message: 'x' }, { field: 'x' }, 'x', null];
const details = [{ field: 'notes', message: 'is too long.' }, { field: 'invitee_email', message: 'is odd' }, ...unusable];
const labelOf = (field: string) => field.toUpperCase();

it.each<[string, number, unknown, Partial<Subject>, string]>([
  ['unauthenticated', 401, { error: 'Unauthorized' }, {}, expired],
  ['notFound', 404, { error: 'Not Found' }, {}, `The booking "bkg_1" ${notFound}`],
  ['notFound', 404, '', {}, `The booking "bkg_1" ${notFound.replace('found', `found${bare}`)} ${ifThere}`],
  ['notFound', 404, { message: 'Not Found' }, unnamed, `The user was not found${bare}. ${ifRight}`],
  ['notFound', 404, { error: 'Not Found', message: 'Booking not found' }, {}, `The booking "bkg_1" ${notFound}`],
  ['notFound', 404, { error: 'Not Found', message: 'Slot not found' }, {}, noSlot],
  ['conflict', 409, '', {}, 'The change conflicts with the current state of the booking "bkg_1". Check it in the service, then try again.'],
  ['slotTaken', 409, taken, {}, `${notFree} Choose another start.`],
  ['slotTaken', 400, taken, { slot: undefined }, 'That time is not free for this event type. Choose another start.'],
  ['forbidden', 403, '', {}, `${forbidden} It needs the permission bookings:write (${scopes['bookings:write'].words}). ${elseUpgrade}`],
  ['forbidden', 403, { message: 'Bad' }, { scope: 'any' }, `${forbidden} ${bad} ${elseUpgrade}`],
  ['scope', 403, insufficient, { scope: 'any' }, lacks('')],
  ['scope', 403, insufficient, { scope: 'bookings:read' }, lacks(' bookings:read (see bookings)')],
  ['plan', 403, planRequired, {}, `The plan of this ${brand.name} account does not include access for other applications. ${upgrade}`],
  ['invalid', 400, { error: 'Bad', message: '' }, {}, `${rejected} ${bad} ${correct}`],
  ['invalid', 400, { error: 7, message: null, code: 'toString' }, {}, `${rejected} ${brand.name} says: "toString". ${correct}`],
  ['invalid', 400, { error: 'Bad', details }, { labelOf }, `${rejected} ${bad} NOTES: is too long; INVITEE_EMAIL: is odd. ${correct}`],
  ['invalid', 400, { details: [{ field: 'notes', message: 'Bad' }] }, {}, `${rejected} notes: Bad. ${correct}`],
  ['invalid', 400, { details: { field: 'notes', message: 'Bad' } }, {}, `${rejected} ${bad} ${correct}`],
  ['invalid', 400, { error: 'Bad', details: [{ path: ['notes'], message: 'Odd' }] }, {}, `${rejected} ${bad} notes: Odd. ${correct}`],
  // What came with 200 has its status in its body, if anywhere.
  ['notFound', 200, { errors: [{ message: 'Odd', extensions: { code: 'NOT_FOUND' } }] }, {}, noSlot.replace('Slot not found', 'Odd')],
  ['invalid', 200, couponGone, {}, `${rejected} ${bad.replace('Bad', 'Coupon not found')} ${correct}`],
  ['slotTaken', 200, takenInWords, {}, `${notFree} ${bad.replace('Bad', 'The slot was taken')} Choose another start.`],
  ['unauthenticated', 200, { error: { code: 401, message: 'Invalid token' } }, {}, expired],
  ['invalid', 200, { success: false, code: 7, message: 'Bad' }, {}, `${rejected} ${bad} ${correct}`],
  ['invalid', 422, { errors: [{ message: 'Bad', code: 'NOT_FOUND' }] }, {}, `${rejected} ${bad} ${correct}`],
  ['invalid', 413, '', {}, `${rejected.replace('.', ' (status 413, without a reason).')} ${correct}`],
  ['server', 408, '', {}, `${brand.name} could not answer (status 408). Your request was fine. Try again in a few minutes.`],
  ['server', 503, '', {}, `${brand.name} could not answer (status 503). Your request was fine. Try again in a few minutes.`],
  ['server', 500, taken, {}, `${brand.name} could not answer (status 500). Your request was fine. Try again in a few minutes.`],
])('the refusal "%s", by a %i with %j, about %j, says what happened and what to do', (kind, status, body, about, sentence) => {
  const { scope = 'bookings:write' } = about;
  const isAboutScope = ['scope', 'forbidden'].includes(kind) && scope !== 'any';
  expect(refused(status, body, about)).toMatchObject({
    kind,
    status,
    sentence,
    name: 'ServiceError',
    scope: isAboutScope ? scope : undefined,
  });
});

const badRequest = { code: 'BadRequestException', message: 'Bad Request Exception' };
/** As class-validator has it, which also repeats what was sent. */
const unusableStart = { target: { name: 'Ada' }, property: 'start', children: [], constraints: { isDate: 'start must be a date' } };
const unusableEmail = { property: 'email', constraints: { isEmail: 'email must be one' } };

it.each<[unknown, string]>([
  ['Taken', 'Taken'],
  [['Taken', 'Late'], 'Taken; Late'],
  [[{ message: 'Taken', field: 'x' }], 'x: Taken'],
  [{ error: 'Conflict', message: 'Taken' }, 'Taken'],
  [{ message: 'Bad Request', error: 'Taken' }, 'Taken'],
  [{ message: 'Request failed with status code 400', error: { title: 'Validation failed', reason: 'Taken' } }, 'Taken'],
  [{ message: 'Bad Request', error: 'Validation failed' }, 'Bad Request'],
  [{ message: 'Odd', errors: [{ parameter: 'start_time', message: 'Taken' }] }, 'Odd; start_time: Taken'],
  [{ fault: { faultstring: 'Taken', detail: { errorcode: 'E1' } } }, 'Taken'],
  [{ error: { code: 400, errors: [{ message: 'Taken' }] } }, 'Taken'],
  [{ requestStatus: { success: false, error: { errorCode: '3', errorMessage: 'Taken' } } }, 'Taken'],
  [{ message: 'SLOT_TAKEN', description: 'An error occurred' }, 'SLOT_TAKEN'],
  [{ message: 'Taken', ...oneOf({ next: { id: 's1', message: 'Bring a towel' } }) }, 'Taken'],
  [{ message: 'Failed.', ...oneOf({ start: { code: 'required', message: 'Missing value.' } }) }, 'Failed; start: Missing value'],
  [{ booking_failure: { cause: 'E1', description: 'Taken' } }, 'Taken'],
  [{ ResponseStatus: { ErrorCode: 'E1', Message: 'Taken', Errors: [] } }, 'Taken'],
  [{ status: 'error', body: { message: 'Taken' } }, 'Taken'],
  [{ exc_type: 'E1', _server_messages: JSON.stringify([{ message: 'Taken' }]) }, 'Taken'],
  [{ error: { message: '[draft' } }, '[draft'],
  [{ resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'E1', diagnostics: 'Taken' }] }, 'Taken'],
  [{ Message: 'The request does not hold.', error: { StatusCode: 400, Message: 'Taken' } }, 'The request does not hold; Taken'],
  [{ title: 'Some errors occurred.', errors: { StartTime: ['Taken'] } }, 'Some errors occurred; StartTime: Taken'],
  [{ error: 'Bad Request', code: 'E1', details: 'Taken' }, 'Bad Request; Taken'],
  [{ detail: [{ loc: ['body', 'answers', 0], msg: 'Field required', type: 'missing' }] }, 'answers.0: Field required'],
  // NestJS, as Cal.com has it.
  [{ error: { ...badRequest, details: { errors: [unusableStart] } } }, 'Bad Request Exception; start must be a date'],
  [{ errors: [{ property: 'attendee', children: [unusableEmail] }] }, 'attendee: email must be one'],
  // Zod's own text.
  [{ message: '[{"code":"invalid_type","path":["invitee_email"],"message":"Required"}]' }, 'invitee_email: Required'],
  [{ message: '{not JSON' }, '{not JSON'],
  [{ error: 'Validation error', issues: [{ path: ['start_time'], message: 'Taken' }] }, 'Validation error; start_time: Taken'],
  [{ errors: [{ path: '/v1/bookings', message: 'Taken' }] }, 'Taken'],
  [{ error: { formErrors: ['Odd'], fieldErrors: { start_time: ['Taken'] } } }, 'Odd; start_time: Taken'],
  [{ status: 'fail', ...oneOf({ start_time: 'Taken' }) }, 'start_time: Taken'],
  [{ message: 'Odd', fields: { start_time: 'Taken' } }, 'Odd; start_time: Taken'],
  [{ title: 'Odd', 'invalid-params': [{ name: 'start_time', reason: 'Taken' }] }, 'Odd; start_time: Taken'],
  [{ message: 'Odd', validationErrors: [{ field: 'start_time', issue: 'Taken' }] }, 'Odd; start_time: Taken'],
  [{ error: 'Odd', details: { start_time: [{ message: 'Taken', code: 'E1' }] } }, 'Odd; start_time: Taken'],
  [{ errors: [{ field: 'startTime', defaultMessage: 'Taken', codes: ['E1'] }] }, 'startTime: Taken'],
  [{ errors: { invitee: { email: ['Odd'] } } }, 'invitee: email: Odd'],
  [{ start_time: [{ message: 'Taken', code: 'E1' }], links: [{ title: 'Help' }] }, 'start_time: Taken'],
  [{ errors: [{ source: { pointer: '/data/attributes/start_time' }, title: 'Odd', detail: 'Taken' }] }, 'start_time: Taken'],
  [{ start_time: ['Taken', 'Late'], non_field_errors: ['Odd'] }, 'start_time: Taken; Late; non_field_errors: Odd'],
  [{ meta: { status_code: 400, status: 'BAD_REQUEST', message: 'Taken' }, ...oneOf({}) }, 'Taken'],
  [{ meta: { total: 'none' }, ...oneOf({}) }, ''],
  [{ code: 400, message: 'Odd', ...oneOf({ start_time: ['Taken'] }) }, 'Odd; start_time: Taken'],
  [{ invitee: { email: ['Odd'] } }, 'invitee: email: Odd'],
  [errorOf('Bad Request', 'OUTSIDE_HOURS'), 'Bad Request: OUTSIDE_HOURS'],
  [{ code: 'OUTSIDE_HOURS' }, 'OUTSIDE_HOURS'],
  [errorOf('Failed Dependency', 'CALENDAR_DISCONNECTED'), 'Failed Dependency: CALENDAR_DISCONNECTED'],
  [errorOf('Taken', 'OUTSIDE_HOURS'), 'Taken'],
  ['<html><head><title>Closed until six</title></head><h1>Closed</h1>', 'Closed until six'],
  ['<html><head><title>400 Bad Request</title></head>', ''],
  [{ success: false, ...oneOf({ id: 'bkg_9', invitee_email: 'grace@example.com' }) }, ''],
  [{ timestamp: '2030-01-02', status: 400, path: '/v1/bookings' }, ''],
  [{ '@type': 'hydra:Error', 'hydra:title': 'Odd', 'hydra:description': 'Taken' }, 'Taken'],
  [{ jsonrpc: '2.0', error: { code: 200, message: 'Odd', ...oneOf({ name: 'E1', message: 'Taken' }) } }, 'Odd; Taken'],
  [{ response_code: 4, response_message: 'Taken' }, 'Taken'],
  [{ success: false, content: 'Taken' }, 'Taken'],
])("of %j, the service's words are shown, and nothing else (G17): %s", (body, words) => {
  expect(refused(400, body, { slot: undefined }).message).toBe(words === '' ? rejected : `${rejected} ${brand.name} says: "${words}".`);
});

it('takes twenty complaints at most, each made safe to show, and a code of at most 60 characters', () => {
  const details = Array.from({ length: 25 }, (_, index) => ({ field: `f${index}\n`, message: 'Bearer abc' }));
  const { fields } = refused(400, { details });
  expect(fields).toHaveLength(20);
  expect(fields[0]).toEqual({ field: 'f0', message: 'Bearer [hidden]' });
  expect(refused(400, { code: 'E'.repeat(70) }).code).toBe('E'.repeat(60));
  expect(refused(400).code).toBeUndefined();
  expect(new ServiceError('server', { message: 'A.', advice: 'B.' })).toMatchObject({ fields: [], message: 'A.', sentence: 'A. B.' });
});

it.each([
  [' a \n\t b\u0000c ', 'a b c'],
  ['Nur \u202egnp.exe\u2066 ab\u200b\u00adcd \ufeff\u3164x\u{e0041}', 'Nur gnp.exe abcd x'],
  ['Use bearer abc.def, BEARER x and Bearer authQzKp', 'Use Bearer [hidden] Bearer [hidden] and Bearer [hidden]'],
  ['The bearer token is not valid for Bearer authentication', 'The bearer token is not valid for Bearer authentication'],
  ['Invalid access token: 6f1c2a9e-0b1d-4c55-9a58-0d7c1b2a3f4e', 'Invalid access token: [hidden]'],
  ['The secret "whsec_4f9a8b7c6d" is wrong', 'The secret [hidden] is wrong'],
  ['"6f1c2a9e0b1d4c556f1c2a9e" is not a valid access token', '[hidden] is not a valid access token'],
  ['Unknown credentials 6f1c2a9e0b1d4c556f1c2a9e', 'Unknown credentials [hidden]'],
  ['The token of our-own-example and bkg_1', 'The token of our-own-example and bkg_1'],
  ['x'.repeat(400), 'x'.repeat(300)],
  [`${'x'.repeat(299)}🙂`, 'x'.repeat(299)],
  [`${' '.repeat(400)}${'y'.repeat(400)}`, 'y'.repeat(200)],
])('makes %j safe to show', (words, shown) => {
  expect(tidy(words)).toBe(shown);
});

it('a 401 that says that no token came is about what is in between, because one was sent; one about a wrong token is not', () => {
  const told = (words: string) => refused(401, { error: words }).sentence;
  for (const words of [
    'No authorization token was found',
    'Authorization header is missing',
    'Authentication credentials were not provided.',
    'No token provided',
    'Missing bearer token',
    'No authentication token provided',
    'Jwt is missing',
    'Request is missing required authentication credential.',
  ])
    expect(told(words)).toContain('no proxy or firewall is in between that removes the Authorization header');
  for (const words of [
    'Missing or invalid access token',
    'Token not found',
    'No user for this token',
    'No such token',
    'No active token',
    'No token exists with this value',
    'No access token matches',
    'Missing token claims: exp',
    'This is no longer a valid token',
    'The access token is missing the scope bookings:read',
  ])
    expect(told(words)).toContain('has expired or was revoked.');
});

describe('how long to wait (G16)', () => {
  const date = (seconds: number) => new Date(now + seconds * 1000).toUTCString();

  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': ' 7 ' }, 7],
    [{ 'retry-after': '-5' }, 0],
    [{ 'retry-after': String(now / 1000 + 7) }, 7],
    [{ 'retry-after': String(now + 7500) }, 7.5],
    [{ 'retry-after': String(now / 1000 - 7) }, 0],
    [{ 'retry-after': date(9) }, 9],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
    [{ 'retry-after': 'soon', 'x-ratelimit-reset': '4' }, 4],
    [{ 'retry-after': '5, 5', 'x-ratelimit-reset': '4' }, 4],
    [{ 'retry-after': '+3' }, undefined],
    [{ 'x-ratelimit-reset': '30000' }, 30],
    [{ 'x-ratelimit-reset': String(now / 1000 + 3600) }, 3600],
    [{ 'x-ratelimit-reset-after': '1.5' }, 1.5],
    [{ ratelimit: 'limit=100, remaining=0, reset=4' }, 4],
    // Of several windows, the one that is used up.
    [{ ratelimit: '"second"; r=5; t=1, "minute"; r=0; t=40' }, 40],
    [{ ratelimit: '"minute";r=0;t=40, "second";r=5;t=1' }, 40],
    [{ ratelimit: '"minute";r=10;t=40' }, 40],
    [{ ratelimit: '"second";r=0;t=1, "minute";r=0;t=40, "hour";r=7;t=900' }, 40],
    [{ ratelimit: '"second";t=1;r=5, "minute";t=40;r=0' }, 40],
    // By the answer's own clock: ours may be ten minutes slow.
    [{ date: date(600), 'retry-after': date(660) }, 60],
    [{ date: date(600), 'ratelimit-reset': String(now + 660_000) }, 60],
  ])('by the headers %j is %p seconds', (headers, seconds) => {
    expect(retryAfter(headers, now)).toBe(seconds);
  });

  it('is read from no date if the time is unknown, and from no header of a window if none is to be read', () => {
    expect(retryAfter({ 'retry-after': date(0), 'x-ratelimit-reset': '4' }, Number.NaN)).toBe(4);
    expect(retryAfter({ 'x-ratelimit-reset': '4' }, now, false)).toBeUndefined();
    const error = refused(503, '', {}, { 'retry-after': '19.2', 'x-ratelimit-reset': '5' });
    expect([error.retryAfterSeconds, error.advice]).toEqual([19.2, 'Your request was fine. Try again in 20 seconds.']);
    expect(refused(429, '', {}, { 'x-ratelimit-reset': '5' }).retryAfterSeconds).toBe(5);
  });

  it.each([
    [undefined, 'about a minute'],
    [120, '120 seconds'],
    [120.5, '3 minutes'],
    [7200, '120 minutes'],
    [200_000, '3 days'],
  ])('of %p seconds is "%s"', (seconds, words) => {
    expect(inTime(seconds)).toBe(words);
  });
});

describe('a 429', () => {
  it.each([
    {},
    errorOf('Too Many Requests', 'RATE_LIMITED'),
    errorOf('E77', 'RATE_LIMITED', { message: 'More than 1,000 requests a minute' }),
    { message: 'Too Many Attempts.' },
  ])('of the form %j is the limit of all requests', (body) => {
    expect(refused(429, body)).toMatchObject({
      holdsOthers: true,
      advice: 'Try again in about a minute; the limit is 1,000 requests a minute.',
    });
  });

  it.each<Record<string, string>>([
    { error: 'Daily limit of bookings for this event type reached' },
    errorOf('Daily limit of bookings for this event type reached', 'RATE_LIMITED'),
    { error: 'Kontingent' },
    { code: 'DAILY_BOOKING_LIMIT' },
  ])('of the form %j is about this operation alone, in its own words', (body) => {
    const error = refused(429, body, {}, { 'retry-after': '5400', 'x-ratelimit-reset': '40' });
    expect(error).toMatchObject({ kind: 'rateLimited', holdsOthers: false, retryAfterSeconds: 5400, advice: 'Try again in 90 minutes.' });
    const words = body['message'] ?? body['error'];
    if (words !== undefined) expect(error.message).toContain(`${brand.name} says: "${words}".`);
    expect(refused(429, body, {}, { 'x-ratelimit-reset': '40' }).advice).toBe('Try again later.');
  });

  it.each([
    [60, true],
    [61, false],
  ])('in another language is the limit of all requests if it ends with the window: after %i seconds', (seconds, holdsOthers) => {
    const body = errorOf('Demasiadas solicitudes', 'RATE_LIMITED');
    expect(refused(429, body, {}, { 'retry-after': String(seconds) })).toMatchObject({ holdsOthers, retryAfterSeconds: seconds });
    const daily = errorOf('Daily limit reached', 'RATE_LIMITED');
    expect(refused(429, daily, {}, { 'retry-after': String(seconds) }).holdsOthers).toBe(false);
  });

  it.each([
    [hook, 'rate limit for subscription requests has been reached', 'the limit is 10 subscription requests a minute'],
    [booking, 'rate limit has been reached', 'the limit is 1,000 requests a minute'],
  ] as const)('for %j names the limit of its own endpoint (section 8)', (about, what, limit) => {
    const told = (headers = {}) => refused(429, {}, about, headers).sentence;
    expect(told()).toContain(what);
    expect(told()).toContain(`Try again in about a minute; ${limit}.`);
    expect(told({ 'retry-after': '120' })).toContain(`Try again in 120 seconds; ${limit}.`);
    expect(rateLimited(booking, 30)).toMatchObject({ kind: 'rateLimited', status: 429, retryAfterSeconds: 30, fields: [] });
    expect(rateLimited(booking, 30).sentence).toBe(refused(429, '', {}, { 'retry-after': '30' }).sentence);
  });
});

describe('at the limit of subscriptions (G19)', () => {
  it.each([
    [403, { message: 'Maximum number of webhooks reached (25)' }, 'subscriptionLimit'],
    [403, { message: 'You have hit the limit of 25 hooks' }, 'subscriptionLimit'],
    [403, errorOf('Forbidden', 'WEBHOOK_LIMIT_REACHED'), 'subscriptionLimit'],
    [403, { message: 'webhook_limit_reached' }, 'subscriptionLimit'],
    [403, { message: 'No more webhooks can be added' }, 'subscriptionLimit'],
    [429, errorOf('Too Many Requests', 'WEBHOOK_RATE_LIMIT'), 'rateLimited'],
    [403, { message: 'Too many webhook requests, limit 10' }, 'forbidden'],
    [403, { message: 'Webhooks are not allowed here' }, 'forbidden'],
    [429, { error: 'Subscription limit reached' }, 'subscriptionLimit'],
    [429, errorOf('Subscription limit reached', 'RATE_LIMITED'), 'subscriptionLimit'],
  ] as const)('a %i with %j is understood as %s, and only of a subscription', (status, body, kind) => {
    expect(refused(status, body, hook).kind).toBe(kind);
    expect(refused(status, body).kind).not.toBe('subscriptionLimit');
  });
});

describe('a booking that is refused', () => {
  const create = (service: TestService, change: object = {}) => createBooking.run(service.client, adasForm(service, change), {});

  it.each(FORMS.refusal.values)('at status %s says which field is wrong, or that the slot is taken (G17, G18)', async (status) => {
    const service = await serve({ forms: { refusal: status } });
    const error = await refusal(create(service, { event_type_id: 'evt_none' }));
    expect(error).toMatchObject({ kind: 'invalid', fields: [{ field: 'event_type_id', message: expect.any(String) as string }] });
    expect(error.message).toContain('"Event Type": there is no event type');
    await create(service);
    const taken = await refusal(create(service, { invitee_email: 'grace@example.com' }));
    expect(taken).toMatchObject({ kind: 'slotTaken', advice: 'Choose another start.' });
  });

  const ofFields = (...details: object[]) => ({ code: 'VALIDATION_ERROR', details });
  it.each<[number, object, boolean]>([
    [409, errorOf('Conflict', 'E77', { message: 'The slot was just taken' }), true],
    [422, { message: 'This time is no longer available' }, true],
    [409, { detail: { message: 'Clinician is already booked in this window' } }, true],
    [409, { message: 'No availability for the requested time' }, true],
    [409, { message: 'Practitioner already has an overlapping appointment' }, true],
    [422, { errors: [{ message: 'The host already has a booking at this time' }] }, true],
    [410, errorOf('Gone', 'SLOT_TAKEN'), true],
    [400, { error: 'Already booked' }, true],
    [400, { message: 'no_available_users_found_error' }, true],
    [400, { error: 'No employees available on the chosen time slot.' }, true],
    [400, { code: 'NO_CALENDAR', message: 'No calendar was available for that time' }, true],
    [422, { message: 'This class is already full' }, true],
    [422, { message: 'booking_seats_full_error' }, true],
    [422, { message: 'There is already a booking at this time' }, true],
    [422, { message: 'PROVIDER_NOT_AVAILABLE' }, true],
    [409, { message: 'The event overlaps another event' }, true],
    [409, { message: 'This conflicts with an existing account' }, false],
    [409, { error: 'Slot bereits belegt' }, true],
    [422, { message: "Ce créneau n'est plus disponible" }, true],
    [422, { message: 'El horario seleccionado ya no está disponible' }, true],
    [422, { message: 'Esta funcionalidad no está disponible en su plan' }, false],
    [422, { message: 'Die Terminbuchung ist in Ihrem Tarif nicht verfügbar' }, false],
    [400, { message: 'start_time must be a full date and time' }, false],
    [400, { message: 'No plan available for this time' }, false],
    [400, ofFields({ field: 'start_time', message: 'overlaps another booking' }), true],
    [400, ofFields({ field: 'start_time', message: 'Taken' }, { field: 'notes', message: 'too long' }), false],
    [400, { error: 'Start must be in the future' }, false],
    [400, { error: 'The time zone is not available' }, false],
    [422, { error: 'This email is already taken' }, false],
    [422, { message: 'No availability rules are set for this host' }, false],
    [422, { message: 'Conflicting event type and duration' }, false],
    [400, { message: 'Overlapping booking questions: name and first_name' }, false],
    [409, { errors: [{ field: 'start_time', message: 'The chosen timeslot is gone' }] }, true],
    [409, { message: 'There are no more tables at this time' }, true],
    [422, { message: 'One or more items are not available' }, true],
    [409, { message: 'This table was given to another guest' }, true],
    ...[
      'Book no more than 60 days ahead of the start',
      'The date must be given to the day',
      'No coupon is available for these dates',
      'Appointments must be booked at least 24 hours in advance',
      'Version conflict: the item was changed by somebody else',
      'The date of birth has already been taken',
      'Room name has already been taken',
      'The lesson package has no more credits',
      'No booking is available outside of the booking window',
    ].map((message): [number, object, boolean] => [400, { message }, false]),
    [409, { message: 'Idempotency conflict: the item was booked with other values' }, false],
    [422, ofFields({ field: 'answers.room', message: 'Choose no more than 2' }), false],
    [404, { error: 'That time is taken' }, false],
    [500, { error: 'That time is taken' }, false],
  ])('whatever code it has: with %i %j, the slot is taken: %s (G18)', async (status, body, isTaken) => {
    const service = await serve();
    service.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status, body });
    expect((await refusal(create(service))).kind === 'slotTaken').toBe(isTaken);
  });
});
