import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/v4';
import { SCOPES } from '../../sandbox/guard.ts';
import { ENDPOINTS, type Endpoint } from '../../sandbox/openapi/endpoints.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { operations } from '../../shared/operations/index.ts';
import { formFor } from '../contract/fixtures.ts';
import { caller, start, textAt, type Reply } from './support.ts';
import { errorOf, madeWith, oneOf, pageIn, recordIn } from '../support/wire.ts';

const hook = { url: 'http://127.0.0.1:9/hook', events: ['BOOKING_CREATED'] };

/** The body of a request, as the form of its operation has it. */
function bodyFor({ method, path }: Endpoint, sandbox: Sandbox): unknown {
  const address = `${method.toUpperCase()} /v1${path.replace('{id}', ':id')}`;
  const operation = operations.find(({ endpoint }) => endpoint === address);
  if (method !== 'post' || operation === undefined) return undefined;
  const { [`${operation.resource}_id`]: _inPath, ...body } = formFor(operation, sandbox, true);
  return body;
}

it.each(ENDPOINTS)(
  '$method $path answers as described, with $scope scope, only a valid token of an account with the Pro plan, about its own records',
  async (endpoint) => {
    const { method, path, scope, answer } = endpoint;
    const sandbox = await start({ forms: { slots: 'shared' } });
    const ids: Record<string, string | undefined> = {
      bookings: sandbox.bookings().findLast(({ status }) => status === 'CONFIRMED')?.id,
      'event-types': sandbox.eventTypes()[0]?.id,
      contacts: sandbox.contacts()[0]?.id,
      hooks: sandbox.host.addSecretlessSubscription({ url: 'http://127.0.0.1:9/', events: ['CONTACT_CREATED'] }).id,
    };
    const sent = bodyFor(endpoint, sandbox);
    const request = (token: string, id = ids[path.split('/')[1] ?? ''] ?? ''): Promise<Reply> =>
      caller(sandbox, token)(method.toUpperCase(), path.replace('{id}', id), sent);
    const tokenFor = (given: Parameters<typeof sandbox.issueToken>[0]) => sandbox.issueToken(given).access_token;
    for (const token of ['', 'wrong', tokenFor({ expiresInSeconds: 0 })]) {
      const reply = await request(token);
      expect(reply).toMatchObject({ status: 401, body: errorOf('Unauthorized', 'INVALID_TOKEN') });
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    const free = sandbox.addAccount({ plan: 'FREE' }).id;
    expect(await request(tokenFor({ accountId: free }))).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } });
    if (scope !== 'any') {
      const reply = await request(tokenFor({ scopes: SCOPES.filter((each) => each !== scope) }));
      expect(reply).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
      expect(reply.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
    }
    if (path.includes('{id}')) {
      const notFound = { status: 404, body: { code: 'NOT_FOUND' } };
      expect(await request(tokenFor({}), 'nothing')).toMatchObject(notFound);
      expect(await request(tokenFor({ accountId: sandbox.addAccount().id }))).toMatchObject(notFound);
    }
    const { status, body } = await request(tokenFor({ scopes: [scope === 'any' ? 'contacts:read' : scope] }));
    expect(status).toBe(answer.status);
    if (answer.schema === undefined) expect(body).toBeUndefined();
    else expect(strict(answer.schema).safeParse(body).error).toBeUndefined();
  },
);

/**
 * The same schema, but it refuses properties that it does not name. Otherwise nobody would notice a field that is answered and not
 * described.
 */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject)
    return z.strictObject(Object.fromEntries(Object.entries(schema.shape).map(([key, inner]) => [key, strict(inner as z.ZodType)])));
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType));
  return schema;
}

describe('subscriptions', () => {
  it('show their signing secret at creation and never again', async () => {
    const lines: string[] = [];
    const sandbox = await start({ log: (line) => lines.push(line) });
    const call = caller(sandbox);
    const created = await call('POST', '/hooks', hook);
    const secret = textAt(created.body, 'signing_secret');
    expect(created.body).toEqual(
      madeWith(
        { id: expect.stringMatching(/^sub_/), ...hook, active: true, created_at: expect.any(String) },
        expect.stringMatching(/^whsec_.{43}$/),
      ),
    );
    const list = await call('GET', '/hooks');
    expect(pageIn(list.body).records).toEqual([recordIn(created.body)]);
    for (const shown of [list.text, JSON.stringify(sandbox.subscriptions()), JSON.stringify(sandbox.requests()), lines.join('\n')])
      expect(shown).not.toContain(secret);
  });

  it('are 25 at most (section 8), counted while they are active', async () => {
    const sandbox = await start({ limits: false });
    const call = caller(sandbox);
    const subscribe = async () => (await call('POST', '/hooks', hook)).status;
    for (let count = 0; count < 25; count += 1) expect(await subscribe()).toBe(201);
    expect(await call('POST', '/hooks', hook)).toMatchObject({
      status: 403,
      body: errorOf('Subscription limit reached', 'SUBSCRIPTION_LIMIT'),
    });
    const [first, second] = sandbox.subscriptions().map(({ id }) => id);
    sandbox.host.setActive(first ?? '', false);
    expect([await subscribe(), await subscribe()]).toEqual([201, 403]);
    expect(() => sandbox.host.setActive(first ?? '', true)).toThrow('maximum of 25 active');
    await call('DELETE', `/hooks/${second}`);
    expect([await subscribe(), await subscribe()]).toEqual([201, 403]);
  });

  it('are accepted on this machine, and on others if the sandbox is told to', async () => {
    const [sandbox, open] = [await start({ limits: false }), await start({ allowNonLoopback: true })];
    for (const url of ['http://localhost:9/x', 'http://127.8.9.10:99/x?y=1', 'http://[::1]:9/', 'http://2130706433/'])
      expect(await caller(sandbox)('POST', '/hooks', { ...hook, url })).toMatchObject({ status: 201, body: oneOf({ url }) });
    for (const host of [
      'example.com',
      '169.254.169.254',
      '[::ffff:169.254.169.254]',
      '0.0.0.0',
      '127.0.0.1.example.com',
      '10.0.0.1#127.0.0.1',
    ]) {
      const url = `http://${host}/`;
      const reply = await caller(sandbox)('POST', '/hooks', { ...hook, url });
      expect([url, reply.status, reply.text]).toEqual([url, 400, expect.stringContaining('--allow-non-loopback')]);
    }
    expect((await caller(open)('POST', '/hooks', { ...hook, url: 'https://example.com/hook' })).status).toBe(201);
  });
});
