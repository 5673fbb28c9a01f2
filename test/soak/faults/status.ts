import { BrokenWire, type WireAnswer } from '../wire.ts';
import type { FaultKind, Struck } from './struck.ts';

const json = (status: number, body: unknown, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(body)),
});

const refused =
  (status: number, code: string, headers: (struck: Struck) => Record<string, string> = () => ({})): FaultKind['strike'] =>
  async (struck) =>
    json(status, { error: `Status ${status}`, code }, headers(struck));

const throttled = (headers: (struck: Struck) => Record<string, string>): FaultKind['strike'] => refused(429, 'RATE_LIMITED', headers);

const proxied = (status: number): WireAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from(`<html><body><h1>${status}</h1></body></html>`),
});

/** Carries the request out, then refuses it anyway. */
const afterwards =
  (answer: WireAnswer): FaultKind['strike'] =>
  async ({ serve }) => {
    await serve();
    return answer;
  };

/** Answers with a wrong status. Nothing is carried out unless the fault says so. */
export const statusFaults = {
  400: { says: '400: the request is refused', isCertain: true, strike: refused(400, 'VALIDATION_ERROR') },
  401: { says: '401, though the token is good', isCertain: true, strike: refused(401, 'INVALID_TOKEN') },
  403: { says: '403 without a known code', isCertain: true, strike: refused(403, 'SOME_CODE') },
  // For a deletion, and for a search by id, "not there" is an answer that is believed: a service that lies about it cannot be detected.
  404: {
    says: '404: not found',
    isCertain: true,
    befalls: (request, path) => request.method !== 'DELETE' && !/^\/v1\/bookings\/[^/]+$/.test(path),
    strike: refused(404, 'NOT_FOUND'),
  },
  '429-bare': { says: '429 that says nothing', isCertain: true, strike: throttled(() => ({})) },
  '429-seconds': {
    says: '429 with Retry-After in seconds',
    isCertain: true,
    strike: throttled(({ chance }) => ({ 'retry-after': String(chance.below(20)) })),
  },
  '429-date': {
    says: '429 with Retry-After as a date',
    isCertain: true,
    strike: throttled(({ chance, time }) => ({ 'retry-after': new Date(time.now() + chance.below(20_000)).toUTCString() })),
  },
  '429-reset': {
    says: '429 with X-RateLimit-Reset since the epoch',
    isCertain: true,
    strike: throttled(({ chance, time }) => ({ 'x-ratelimit-reset': String(Math.ceil(time.now() / 1000) + chance.below(20)) })),
  },
  '429-negative': { says: '429 with a Retry-After below zero', isCertain: true, strike: throttled(() => ({ 'retry-after': '-5' })) },
  '429-hour': { says: '429 with a Retry-After of an hour', isCertain: true, strike: throttled(() => ({ 'retry-after': '3600' })) },
  500: { says: '500, and nothing is done', strike: refused(500, 'INTERNAL_ERROR') },
  '500-after': {
    says: '500 after it was carried out',

    strike: afterwards(json(500, { error: 'Internal Server Error', code: 'INTERNAL_ERROR' })),
  },
  502: { says: "502 with a proxy's page, and nothing is done", strike: async () => proxied(502) },
  503: {
    says: '503 with Retry-After, and nothing is done',

    strike: refused(503, 'UNAVAILABLE', () => ({ 'retry-after': '2' })),
  },
  '504-after': { says: "504 with a proxy's page, after it was carried out", strike: afterwards(proxied(504)) },
  'redirect-same': {
    says: '307 to another path of the service',
    strike: async ({ request }) => json(307, {}, { location: new URL('/elsewhere', request.url).href }),
  },
  'redirect-other': { says: '307 to another origin', strike: async () => json(307, {}, { location: 'https://evil.example/api/v1/me' }) },
} satisfies Record<string, FaultKind>;

const HOUR_MS = 3_600_000;

/** The clock is set while an answer gets lost. */
const clockSet =
  (by: number): FaultKind['strike'] =>
  async ({ time, serve, chance, memory, latestMs }) => {
    if (!memory.has('set')) time.skewMs += by;
    memory.set('set', 'yes');
    const fate = chance.below(4);
    if (fate === 0) return serve();
    if (fate === 1) return json(429, { error: 'Too Many Requests', code: 'RATE_LIMITED' }, { 'retry-after': String(chance.below(15)) });
    if (fate === 2) await serve();
    else void time.sleep(chance.next() * latestMs).then(serve);
    throw new BrokenWire('ECONNRESET');
  };

export const clockFaults = {
  'clock-forward': {
    says: 'the clock is set forward by an hour, and what was asked may get lost',
    strike: clockSet(HOUR_MS),
  },
  'clock-back': {
    says: 'the clock is set back by an hour, and what was asked may get lost',
    strike: clockSet(-HOUR_MS),
  },
} satisfies Record<string, FaultKind>;

const isTokenCall = (_: unknown, path: string): boolean => path === '/api/oauth/token';

/** The request itself was refused with 401, so it certainly was not carried out. Connecting again only helps if the grant was refused. */
const failedRefresh = { expired: true, befalls: isTokenCall, isCertain: true, isReconnectVain: true } as const;

const page200: WireAnswer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<!DOCTYPE html><html><body><h1>Sign in to this network</h1></body></html>'),
};

export const tokenFaults = {
  'token-expired': { says: 'the access token has expired', expired: true, befalls: isTokenCall, strike: ({ serve }) => serve() },
  'token-revoked': {
    says: 'the connection is revoked while it is used',
    always: true,
    strike: ({ revoke, serve }) => {
      revoke();
      return serve();
    },
  },
  'refresh-page': {
    ...failedRefresh,
    says: "the token has expired, and a proxy's page comes from the token endpoint",
    strike: async () => page200,
  },
  'refresh-503': { ...failedRefresh, says: 'the token has expired, and the token endpoint answers 503', strike: async () => proxied(503) },
  'refresh-dropped': {
    ...failedRefresh,
    says: 'the token has expired, and the connection to the token endpoint is dropped',
    strike: async ({ chance }) => {
      throw new BrokenWire(chance.pick(['ECONNRESET', 'ECONNREFUSED']));
    },
  },
  // A caller that waited may be told that the result is unknown, because n8n sends the request again once its own refresh has succeeded.
  'refresh-silent': {
    ...failedRefresh,
    isCertain: false,
    says: 'the token has expired, and the token endpoint says nothing',
    strike: ({ stall }) => stall(),
  },
  'refresh-429': {
    ...failedRefresh,
    says: 'the token has expired, and the token endpoint takes no more requests',
    strike: throttled(({ chance }) => (chance.happens(0.5) ? { 'retry-after': String(1 + chance.below(60)) } : {})),
  },
  'refresh-refused': {
    ...failedRefresh,
    isReconnectVain: false,
    says: 'the token has expired, and the grant is refused',
    strike: async () => json(400, { error: 'invalid_grant' }),
  },
  'refresh-refused-200': {
    ...failedRefresh,
    isReconnectVain: false,
    says: 'the token has expired, and the grant is refused with status 200',
    strike: async () => json(200, { error: 'invalid_grant' }),
  },
  'refresh-null': {
    ...failedRefresh,
    says: 'the token has expired, and the refresh brings null, or an empty text, in place of a new refresh token',
    strike: async ({ serve, chance }) => {
      const answer = await serve();
      const tokens = JSON.parse(answer.body.toString()) as Record<string, unknown>;
      return { ...answer, body: Buffer.from(JSON.stringify({ ...tokens, refresh_token: chance.pick([null, '']) })) };
    },
  },
  'refresh-late': {
    says: 'the token has expired and the refresh takes five seconds',
    expired: true,
    befalls: isTokenCall,
    strike: async ({ serve, time }) => {
      const answer = await serve();
      await time.sleep(5000);
      return answer;
    },
  },
  'refresh-bare': {
    says: 'the token has expired and the refresh brings no new refresh token',
    expired: true,
    befalls: isTokenCall,
    strike: async ({ serve }) => {
      const answer = await serve();
      const { refresh_token: _, ...tokens } = JSON.parse(answer.body.toString()) as Record<string, unknown>;
      return { ...answer, body: Buffer.from(JSON.stringify(tokens)) };
    },
  },
} satisfies Record<string, FaultKind>;
