import assert from 'node:assert/strict';
import type { Fault } from '../../../sandbox/service.ts';
import type { ZapierErrorKind } from '../../../tools/rigs/zapier/errors.ts';
import { book, introCall } from './booking.ts';
import { calls, onSandbox, refused, same, type Check, type Part, type Stage } from './stage.ts';

/** One refusal of the service, and what the person is told about it. */
const told = (title: string, fault: Omit<Fault, 'route' | 'kind'>, kind: ZapierErrorKind, ...parts: (string | RegExp)[]): Check => ({
  title,
  run: async (stage) => {
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', times: 'always', ...fault });
    await refused(stage.zapier.invoke('authentication.test'), kind, ...parts);
  },
});

/** One form of "come back later" (G16), and the delay for which Zapier holds the step. */
const held = (title: string, headers: () => Record<string, string>, expected: { from: number; to: number }): Check => ({
  title: `a 429 with ${title} holds the step for as long as the service says`,
  run: async (stage) => {
    stage.sandbox.faults.add({
      route: 'GET /v1/me',
      kind: 'status',
      times: 'always',
      status: 429,
      headers: headers(),
      body: { error: 'Rate limit exceeded', code: 'RATE_LIMITED' },
    });
    const { delaySeconds = -1 } = await refused(stage.zapier.invoke('authentication.test'), 'ThrottledError', 'has been reached');
    assert.ok(delaySeconds >= expected.from && delaySeconds <= expected.to, `It waits ${delaySeconds} seconds.`);
  },
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

/** Something wrong in the form, and the words that name the field. Nothing is booked. */
const badInput = (title: string, more: (stage: Stage) => Record<string, unknown>, ...parts: (string | RegExp)[]): Check => ({
  title: `${title} ends in a sentence that names the field, and nothing is booked`,
  run: async (stage) => {
    const raw = introCall(stage, more(stage));
    const before = stage.sandbox.bookings().length;
    await refused(book(stage, raw), 'AppError', ...parts);
    assert.equal(stage.sandbox.bookings().length, before);
  },
});

export const errors: Part = {
  name: 'Errors',
  checks: [
    told(
      '403 without a known code shows the words of the service and both remedies',
      { status: 403, body: { error: 'Not for you', code: 'E_7' } },
      'AppError',
      'Not for you',
      'Reconnect',
      'Upgrade',
    ),
    told('500 says that nothing is wrong with what was sent', { status: 500 }, 'AppError', 'could not answer', 'Try again'),
    told(
      "a proxy's page is not shown to people",
      { status: 502, body: '<html><body><h1>Bad gateway</h1></body></html>' },
      'AppError',
      'status 502',
      /^(?!.*<h)/,
    ),
    told(
      'an answer in an unknown form is an error that names its keys, never an invented record',
      { status: 200, body: { ok: true } },
      'AppError',
      'GET /v1/me',
      '"ok"',
    ),
    told(
      'a redirect is not followed',
      { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
      'AppError',
      'redirect',
      'access token',
    ),
    {
      title: '403 for a scope names the permission that the endpoint needs',
      run: async (stage) => {
        const { zapier } = stage;
        const saved = zapier.connection;
        zapier.connection = {
          label: '',
          authData: { access_token: stage.sandbox.issueToken({ scopes: ['event_types:read'] }).access_token },
        };
        try {
          await refused(book(stage, introCall(stage)), 'AppError', 'bookings:write', 'Reconnect the account and accept all permissions');
          await refused(zapier.step('searches.find_contact', { email: 'a@example.com' }), 'AppError', 'contacts:read');
          await refused(zapier.turnOn('booking_created'), 'AppError', 'webhooks:manage');
        } finally {
          zapier.connection = saved;
        }
      },
    },
    {
      title: 'a free account is told to upgrade, wherever it is used',
      run: (stage) =>
        onSandbox(stage, {}, async (own) => {
          own.sandbox.host.setPlan('FREE');
          const { message } = await refused(own.zapier.turnOn('booking_created'), 'AppError', 'Upgrade', 'Pro plan');
          assert.doesNotMatch(message, /is a Zap/);
        }),
    },
    held('a delay in seconds', () => ({ 'retry-after': '7' }), { from: 7, to: 7 }),
    held('a date', () => ({ 'retry-after': inSeconds(30).toUTCString() }), { from: 28, to: 31 }),
    held('X-RateLimit-Reset in seconds', () => ({ 'x-ratelimit-reset': '12' }), { from: 12, to: 12 }),
    held('RateLimit-Reset as a time since the epoch', () => ({ 'ratelimit-reset': String(Math.ceil(inSeconds(40).getTime() / 1000)) }), {
      from: 38,
      to: 42,
    }),
    held('no word about when', () => ({}), { from: 60, to: 60 }),
    {
      title: 'a 503 that says when the service is back holds the step until then',
      run: async (stage) => {
        stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', times: 'always', status: 503, headers: { 'retry-after': '20' } });
        const { delaySeconds } = await refused(stage.zapier.invoke('authentication.test'), 'ThrottledError', 'could not answer');
        assert.equal(delaySeconds, 20);
      },
    },
    {
      title: 'the documented limit of ten subscription requests a minute holds the eleventh',
      run: (stage) =>
        onSandbox(stage, { limits: {} }, async (own) => {
          for (let count = 0; count < 10; count += 1) await own.zapier.turnOn('booking_created');
          const { delaySeconds = 0 } = await refused(own.zapier.turnOn('booking_created'), 'ThrottledError', 'has been reached');
          assert.ok(delaySeconds > 0 && delaySeconds <= 60);
        }),
    },
    {
      title: 'a service that cannot be reached is named, with what to check',
      run: async ({ zapier }) => {
        const { environment } = zapier;
        zapier.environment = { ...environment, BASE_URL: 'http://127.0.0.1:9/api/v1' };
        try {
          await refused(zapier.invoke('authentication.test'), 'AppError', 'could not be reached at 127.0.0.1:9', 'ECONNREFUSED');
        } finally {
          zapier.environment = environment;
        }
      },
    },
    {
      title: "an error carries the service's code for it, or the kind of error if there is none",
      run: async ({ sandbox, zapier }) => {
        const codes = [];
        for (const body of [{ error: 'No', code: 'E_7' }, { error: 'No' }]) {
          sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 422, body });
          codes.push((await refused(zapier.invoke('authentication.test'), 'AppError')).code);
        }
        same(codes, ['E_7', 'invalid']);
      },
    },
    {
      title: 'a request that got a 403 is not sent again',
      run: async (stage) => {
        stage.sandbox.forgetRequests();
        stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 403, times: 'always' });
        await refused(stage.zapier.invoke('authentication.test'), 'AppError');
        assert.equal(calls(stage, 'GET', '/v1/me').length, 1);
      },
    },
    badInput('an event type that does not exist', () => ({ event_type_id: 'evt_nowhere' }), 'event type', 'evt_nowhere'),
    badInput('a start in the past', () => ({ start_time: '2020-01-31T09:00:00Z' }), '"Start"'),
    badInput('an unknown language', () => ({ locale: 'de' }), '"Language"', 'en, es, fr'),
    badInput('a time that is taken', (stage) => ({ start_time: stage.sandbox.host.book().start_time }), 'not free', 'Choose another start'),
    badInput(
      'an event type that is switched off',
      (stage) => ({ event_type_id: stage.sandbox.eventTypes().find(({ active }) => !active)?.id }),
      '"Event Type"',
    ),
  ],
};
