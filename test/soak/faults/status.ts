import { broken, errorPage, instead, late, lost, signInPage, spoilt } from './answers.ts';
import type { FaultKind, Struck } from './index.ts';

type Strike = FaultKind['strike'];

const refused = (status: number, code: string, headers: (struck: Struck) => Record<string, string> = () => ({})): Strike =>
  instead((struck) => Response.json({ error: `Status ${status}`, code }, { status, headers: headers(struck) }));

/** A refusal of which its sender knows that nothing was done. */
const certain = (status: number, code: string) => ({ isCertain: true, strike: refused(status, code) });

const throttled = (headers: (struck: Struck) => Record<string, string>): Strike => refused(429, 'RATE_LIMITED', headers);

/** 429, with what it says of when to come back. */
const waiting = (headers: (struck: Struck) => Record<string, string>) => ({ isCertain: true, strike: throttled(headers) });

const redirected = (location: (struck: Struck) => string): Strike =>
  instead((struck) => Response.json({}, { status: 307, headers: { location: location(struck) } }));

/** Answers with a wrong status. Nothing is carried out, except before `500-after` and `504-after`. */
export const statusFaults = {
  400: certain(400, 'VALIDATION_ERROR'),
  401: certain(401, 'INVALID_TOKEN'),
  403: certain(403, 'SOME_CODE'),
  // For a deletion, and for a search by id, "not there" is an answer that is believed: a service that lies about it cannot be detected.
  404: {
    ...certain(404, 'NOT_FOUND'),
    befalls: (request, path) => request.method !== 'DELETE' && !/^\/v1\/bookings\/[^/]+$/.test(path),
  },
  '429-bare': waiting(() => ({})),
  '429-seconds': waiting(({ chance }) => ({ 'retry-after': String(chance.below(20)) })),
  '429-hour': waiting(() => ({ 'retry-after': '3600' })),
  500: { strike: refused(500, 'INTERNAL_ERROR') },
  '500-after': { strike: spoilt(() => Response.json({ error: 'Internal Server Error', code: 'INTERNAL_ERROR' }, { status: 500 })) },
  502: { strike: instead(() => errorPage(502)) },
  503: { strike: refused(503, 'UNAVAILABLE', () => ({ 'retry-after': '2' })) },
  '504-after': { strike: spoilt(() => errorPage(504)) },
  'redirect-same': { strike: redirected(({ request }) => new URL('/elsewhere', request.url).href) },
  'redirect-other': { strike: redirected(() => 'https://evil.example/api/v1/me') },
} satisfies Record<string, FaultKind>;

const HOUR_MS = 3_600_000;

/** The clock is set while an answer gets lost, or the rate is refused. */
const clockSet =
  (by: number): Strike =>
  async ({ time, serve, chance, memory, latestMs }) => {
    if (!memory.has('set')) time.skewMs += by;
    memory.set('set', 'yes');
    const fate = chance.below(4);
    if (fate === 0) return serve();
    if (fate === 1) return Response.json({ code: 'RATE_LIMITED' }, { status: 429, headers: { 'retry-after': String(chance.below(15)) } });
    if (fate === 2) await serve();
    else void time.sleep(chance.next() * latestMs).then(serve);
    throw broken('ECONNRESET');
  };

export const clockFaults = {
  'clock-forward': { strike: clockSet(HOUR_MS) },
  'clock-back': { strike: clockSet(-HOUR_MS) },
} satisfies Record<string, FaultKind>;

const ofTokens = { expired: true, befalls: (_: unknown, path: string) => path === '/api/oauth/token' } as const;

/** The request itself was refused with 401, so it certainly was not carried out. Connecting again only helps if the grant was refused. */
const failedRefresh = { ...ofTokens, isCertain: true, isReconnectVain: true } as const;
const endedGrant = { ...ofTokens, isCertain: true } as const;

/** Carries the refresh out, and changes what it brings. */
const changedTokens = (change: (tokens: Record<string, unknown>, struck: Struck) => Record<string, unknown>): Strike =>
  spoilt(async (right, struck) => Response.json(change((await right.json()) as Record<string, unknown>, struck), { status: right.status }));

/** The access token has expired, and something happens to its refresh; or the connection ends while it is used. */
export const tokenFaults = {
  'token-expired': { ...ofTokens, strike: ({ serve }) => serve() },
  'token-revoked': {
    always: true,
    strike: async ({ revoke, serve }) => {
      await revoke();
      return serve();
    },
  },
  'refresh-page': { ...failedRefresh, strike: instead(signInPage) },
  'refresh-503': { ...failedRefresh, strike: instead(() => errorPage(503)) },
  'refresh-dropped': { ...failedRefresh, strike: lost('ECONNRESET', 'ECONNREFUSED') },
  // A caller that waited may be told that the result is unknown, because n8n sends the request again once its own refresh has succeeded.
  'refresh-silent': { ...failedRefresh, isCertain: false, strike: ({ stall }) => stall() },
  'refresh-429': {
    ...failedRefresh,
    strike: throttled(({ chance }) => (chance.happens(0.5) ? { 'retry-after': String(1 + chance.below(60)) } : {})),
  },
  'refresh-refused': { ...endedGrant, strike: instead(() => Response.json({ error: 'invalid_grant' }, { status: 400 })) },
  'refresh-refused-200': { ...endedGrant, strike: instead(() => Response.json({ error: 'invalid_grant' })) },
  // Null, or an empty text, in place of a new refresh token.
  'refresh-null': {
    ...failedRefresh,
    strike: changedTokens((tokens, { chance }) => ({ ...tokens, refresh_token: chance.pick([null, '']) })),
  },
  'refresh-late': { ...ofTokens, strike: late(() => 5000) },
  'refresh-bare': { ...ofTokens, strike: changedTokens(({ refresh_token: _, ...tokens }) => tokens) },
} satisfies Record<string, FaultKind>;
