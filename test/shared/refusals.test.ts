import { brand } from '../../shared/brand.ts';
import { inTime, retryAfter } from '../../shared/client/retryAfter.ts';
import { rateLimited, refusal, ServiceError, webPage, type Subject } from '../../shared/client/errors.ts';
import { tidy } from '../../shared/client/serviceWords.ts';

const now = Date.parse('2030-01-02T08:00:00Z');
const booking: Subject = { resourceName: 'booking', id: 'bkg_1', scope: 'bookings:write', when: '2030-01-31T09:00:00+01:00' };
const refused = (status: number, body: unknown = '', about: Partial<Subject> = {}, headers = {}) =>
  refusal({ status, headers, body }, { ...booking, ...about }, now);

it.each<[number, unknown, string]>([
  [401, '', 'unauthenticated'],
  [403, '', 'forbidden'],
  [404, '', 'notFound'],
  [410, '', 'notFound'],
  [409, '', 'conflict'],
  [429, '', 'rateLimited'],
  [500, '', 'server'],
  [503, '<html>', 'server'],
  [400, '', 'invalid'],
  [418, ['a list'], 'invalid'],
  [499, '', 'invalid'],
  [400, { code: 'SLOT_UNAVAILABLE' }, 'slotTaken'],
  [400, { code: 'toString' }, 'invalid'],
  [400, { code: 7 }, 'invalid'],
  [500, { code: 'SLOT_UNAVAILABLE' }, 'server'],
  [502, { code: 'RATE_LIMITED' }, 'server'],
])('a %i with %j is a refusal of the kind "%s"', (status, body, kind) => {
  expect(refused(status, body)).toMatchObject({ kind, status, name: 'ServiceError' });
});

it.each<[number, unknown, Partial<Subject>, string]>([
  [404, '', {}, 'The booking "bkg_1" was not found. It may be deleted, or in another account. Check its ID, or choose it again.'],
  [404, '', { id: undefined }, 'The booking was not found. It may be deleted, or in another account. Check its ID, or choose it again.'],
  [409, { code: 'SLOT_UNAVAILABLE' }, {}, 'That time is not free for this event type: 2030-01-31T09:00:00+01:00. Choose another start.'],
  [409, { code: 'SLOT_UNAVAILABLE' }, { when: undefined }, 'That time is not free for this event type. Choose another start.'],
  [
    403,
    '',
    {},
    `${brand.name} did not allow this. It needs the permission bookings:write (create and cancel bookings). Reconnect the account and accept all permissions. If that does not help: Upgrade the ${brand.name} account to the Pro plan or higher, then try again.`,
  ],
  [
    403,
    { message: 'Not on Sundays' },
    { scope: 'any' },
    `${brand.name} did not allow this. ${brand.name} says: "Not on Sundays". Reconnect the account and accept all permissions. If that does not help: Upgrade the ${brand.name} account to the Pro plan or higher, then try again.`,
  ],
  [
    403,
    { code: 'INSUFFICIENT_SCOPE' },
    { scope: 'any' },
    `This connection to ${brand.name} lacks the permission that is needed here. Reconnect the account and accept all permissions.`,
  ],
  [400, { error: 'Bad', message: '' }, {}, `${brand.name} rejected the request. ${brand.name} says: "Bad". Correct it and try again.`],
  [400, { error: 7, message: null }, {}, `${brand.name} rejected the request. Correct it and try again.`],
  [
    400,
    {
      error: 'Bad',
      details: [
        { field: 'notes', message: 'is too long.' },
        { field: 'invitee_email', message: 'is odd' },
        { field: 7, message: 'x' },
        { field: 'x' },
        'x',
        null,
      ],
    },
    { labelOf: (field) => field.toUpperCase() },
    `${brand.name} rejected the request. ${brand.name} says: "Bad". NOTES: is too long; INVITEE_EMAIL: is odd. Correct it and try again.`,
  ],
  [
    400,
    { details: [{ field: 'notes', message: 'is odd' }] },
    {},
    `${brand.name} rejected the request. notes: is odd. Correct it and try again.`,
  ],
  [
    400,
    { details: { field: 'notes', message: 'is odd' } },
    {},
    `${brand.name} rejected the request. ${brand.name} says: "is odd". Correct it and try again.`,
  ],
  [503, '', {}, `${brand.name} could not answer (status 503). Your request was fine. Try again in a few minutes.`],
])('a %i with %j, about %j, says what happened and what to do', (status, body, about, sentence) => {
  expect(refused(status, body, about).sentence).toBe(sentence);
});

it.each<[unknown, string]>([
  ['Taken', 'Taken'],
  [['Taken', 'Late'], 'Taken; Late'],
  [[{ message: 'Taken', field: 'x' }], 'Taken'],
  [{ msg: 'Taken' }, 'Taken'],
  [{ statusCode: 400, reason: 'Taken' }, 'Taken'],
  [{ errorCode: 'E1', errorMessage: 'Taken' }, 'Taken'],
  [{ error: 'E1', description: 'Taken' }, 'Taken'],
  [{ fault: { faultstring: 'Taken', detail: { errorcode: 'E1' } } }, 'Taken'],
  [{ error: { code: 400, errors: [{ message: 'Taken' }] } }, 'Taken'],
  [{ errors: [{ status: '400', title: 'Invalid', detail: 'Taken' }] }, 'Taken'],
  [
    { title: 'One or more validation errors occurred.', errors: { StartTime: ['Taken'] } },
    'One or more validation errors occurred; StartTime: Taken',
  ],
  [{ message: 'The given data was invalid.', errors: { start_time: ['Taken'] } }, 'The given data was invalid; start_time: Taken'],
  [{ message: 'Taken', errors: [] }, 'Taken'],
  [{ error: 'Bad Request', code: 'E1', details: 'Taken' }, 'Bad Request; Taken'],
  [{ error: 'Bad Request', code: 'E1', details: ['Taken', 'Late'] }, 'Bad Request; Taken; Late'],
  [{ error: 'Bad Request', code: 'E1', details: [{ path: ['start_time'], message: 'Taken' }] }, 'Bad Request; Taken'],
  [{ error: 'Bad Request', code: 'E1', details: { start_time: ['Taken'] } }, 'Bad Request; start_time: Taken'],
  [{ error: 'Validation error', issues: [{ path: ['start_time'], message: 'Taken' }] }, 'Validation error; Taken'],
  [{ Message: 'Taken' }, 'Taken'],
  [{ status: 'fail', data: { start_time: 'Taken' } }, 'start_time: Taken'],
  [{ data: { error: 'Taken' } }, 'Taken'],
  [{ start_time: ['Taken', 'Late'], non_field_errors: ['Odd'] }, 'start_time: Taken; Late; non_field_errors: Odd'],
])("the service's words in %j are shown", (body, words) => {
  expect(refused(400, body).message).toBe(`${brand.name} rejected the request. ${brand.name} says: "${words}".`);
});

it.each([
  [{ success: false, data: { id: 'bkg_9', invitee_email: 'grace@example.com' } }],
  [{ timestamp: '2030-01-02', status: 400, path: '/v1/bookings' }],
  [{ data: { data: { data: { data: { data: 'deep' } } } } }],
])('what is in %j is not shown as words', (body) => {
  expect(refused(400, body).message).toBe(`${brand.name} rejected the request.`);
});

it('takes twenty complaints at most, each made safe to show', () => {
  const details = Array.from({ length: 25 }, (_, index) => ({ field: `f${index}\n`, message: 'Bearer abc' }));
  const { fields } = refused(400, { details });
  expect(fields).toHaveLength(20);
  expect(fields[0]).toEqual({ field: 'f0', message: 'Bearer [hidden]' });
});

it("keeps the service's code, of at most 60 characters, and how long to wait", () => {
  expect(refused(400, { code: 'E'.repeat(70) }).code).toBe('E'.repeat(60));
  expect(refused(400).code).toBeUndefined();
  const error = refused(503, '', {}, { 'retry-after': '19.2', 'x-ratelimit-reset': '5' });
  expect([error.retryAfterSeconds, error.advice]).toEqual([19.2, 'Your request was fine. Try again in 20 seconds.']);
  expect(refused(400, '', {}, { 'retry-after': '9' }).retryAfterSeconds).toBeUndefined();
  expect(refused(429, '', {}, { 'x-ratelimit-reset': '5' }).retryAfterSeconds).toBe(5);
});

it('a request that was not sent because of the rate limit is told like one that was refused', () => {
  expect(rateLimited(booking, 30)).toMatchObject({ kind: 'rateLimited', status: 429, retryAfterSeconds: 30, fields: [] });
  expect(rateLimited(booking, 30).sentence).toBe(refused(429, '', {}, { 'retry-after': '30' }).sentence);
});

it('an error that names no fields has none', () => {
  expect(new ServiceError('server', { message: 'A.', advice: 'B.' })).toMatchObject({ fields: [], message: 'A.', sentence: 'A. B.' });
});

it.each([
  [undefined, 'about a minute'],
  [0.2, '1 second'],
  [120, '120 seconds'],
  [120.5, '3 minutes'],
  [5400, '90 minutes'],
  [7200, '120 minutes'],
  [7201, '3 hours'],
  [200_000, '3 days'],
])('%p seconds are "%s"', (seconds, words) => {
  expect(inTime(seconds)).toBe(words);
});

it.each([
  [' a \n\t b\u0000c ', 'a b c'],
  ['Use bearer abc.def and BEARER x', 'Use Bearer [hidden] and Bearer [hidden]'],
  ['x'.repeat(400), 'x'.repeat(300)],
  [`${' '.repeat(400)}${'y'.repeat(400)}`, 'y'.repeat(200)],
])('makes %j safe to show', (words, shown) => {
  expect(tidy(words)).toBe(shown);
});

it.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': ' 7 ' }, 7],
  [{ 'retry-after': '7.5' }, 7.5],
  [{ 'retry-after': '999999999' }, 999999999],
  [{ 'retry-after': String(now / 1000 + 7) }, 7],
  [{ 'retry-after': String(now + 7500) }, 7.5],
  [{ 'retry-after': String(now / 1000 - 7) }, 0],
  [{ 'retry-after': '1000000000000' }, 0],
  [{ 'retry-after': 'x7' }, undefined],
  [{ 'retry-after': '7 hours' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': 'soon', 'x-ratelimit-reset': '4' }, 4],
  [{ 'retry-after': '2', 'x-ratelimit-reset': '4' }, 2],
  [{ 'x-ratelimit-reset': '30000' }, 30],
  [{ 'x-ratelimit-reset': String(Math.floor(now / 1000) + 3600) }, 3600],
  [{ 'retry-after': '30000' }, 30000],
])('reads the headers %j as a wait of %p seconds', (headers, seconds) => {
  expect(retryAfter(headers, now)).toBe(seconds);
});

it('uses no date if the time is unknown, and no header of a window if none is to be read', () => {
  expect(retryAfter({ 'retry-after': new Date(now).toUTCString(), 'x-ratelimit-reset': '4' }, Number.NaN)).toBe(4);
  expect(retryAfter({ 'x-ratelimit-reset': '4' }, now, [])).toBeUndefined();
});

it.each<[number, unknown, string, boolean]>([
  [200, '<!doctype html><title>Sign in</title>', 'text/html; charset=utf-8', true],
  [201, '\ufeff\n <html>', '', true],
  [202, '<p>Welcome', 'Text/HTML', true],
  [202, 'Welcome', 'Text/HTML', false],
  [200, '', 'text/html', false],
  [200, 'OK', 'text/plain', false],
  [200, '{"data": {"id"', 'application/json', false],
  [200, { data: { id: '1' } }, 'text/html', false],
  [404, '<html>', 'text/html', false],
])('a %i with %j as %j is a web page: %p', (status, body, type, isPage) => {
  const error = webPage({ status, body, headers: { 'content-type': type } }, 'https://example.com/api/v1');
  expect(error?.sentence).toBe(
    isPage
      ? `example.com answered with a web page and not with data, so ${brand.name} was probably not reached. Check the base address in the connection: it is like ${brand.baseUrl}.`
      : undefined,
  );
});
