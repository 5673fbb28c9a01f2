import fc from 'fast-check';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkBaseUrl, oauthEndpoints } from '../../shared/oauth/oauth.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import { createClient } from '../../shared/client/client.ts';
import { zapierStepPolicy } from '../../shared/client/retry.ts';
import { getCurrentUser } from '../../shared/operations/index.ts';
import { runCase } from '../soak/run.ts';
import { VirtualTime } from '../soak/time.ts';
import { createWorld } from '../soak/world.ts';
import { operationNames, platforms } from '../soak/operations.ts';
import { refusal } from '../support/refusal.ts';
import { serve } from '../support/served.ts';
import { clockOf, fetchTransport } from '../support/service.ts';

it.each([
  'http://service.example/api/v1',
  'ftp://service.example/api/v1',
  'file:///api/v1',
  'javascript:alert(1)//api/v1',
  '//service.example/api/v1',
  'service.example/api/v1',
  '',
  ' ',
  'https://user@service.example/api/v1',
  'https://user:secret@service.example/api/v1',
  'https://service.example/api/v1?x=1',
  'https://service.example/api/v1#x',
  'https://service.example/',
  'https://service.example/api/v2',
  'http://localhost.evil.example/api/v1',
  'http://127.0.0.1.evil.example/api/v1',
  'http://[::ffff:169.254.169.254]/api/v1',
  'http://0.0.0.0/api/v1',
  'http://169.254.169.254/api/v1',
  'http://10.0.0.1/api/v1',
  'http://167772161/api/v1',
  'http://localhost@evil.example/api/v1',
  'https://service.example\\@evil.example/x',
  'https:// service.example/api/v1',
  'https://service.example/api/v1/..',
  'data:text/plain,/api/v1',
])('refuses %j as a base URL, with a sentence that says why', (text) => {
  try {
    throw new Error(`It was taken as ${checkBaseUrl(text)}.`);
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).message).toMatch(/^The base URL cannot be used: .+\.$/);
  }
});

it('whatever text is taken as a base URL is HTTPS or this machine, without a user, and ends in /api/v1', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => `${url}/api/v1`),
    fc
      .webAuthority({ withUserInfo: true, withPort: true, withIPv4Extended: true, withIPv6: true })
      .chain((host) => fc.constantFrom('http', 'https').map((scheme) => `${scheme}://${host}/api/v1`)),
  );
  let taken = 0;
  fc.assert(
    fc.property(text, (given) => {
      let base: string;
      try {
        base = checkBaseUrl(given);
      } catch (error) {
        if (error instanceof ServiceError) return;
        throw error;
      }
      taken += 1;
      const url = new URL(base);
      expect(url.protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)).toBe(true);
      expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
      expect(url.pathname.endsWith('/api/v1')).toBe(true);
      for (const address of Object.values(oauthEndpoints(base))) expect(new URL(address as string).origin).toBe(url.origin);
    }),
    { numRuns: 3000 },
  );
  expect(taken).toBeGreaterThan(100);
});

it('a redirect is not followed over real HTTP, and the token reaches no other origin', async () => {
  const seen: string[] = [];
  const evil = createServer((request, response) => {
    seen.push(JSON.stringify(request.headers));
    response.end('{}');
  });
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  const { sandbox } = await serve();
  const token = 'at_canary-that-must-not-travel';
  const location = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/api/v1/me`;
  for (const status of [301, 302, 303, 307, 308]) {
    sandbox.faults.add({ route: 'GET /v1/me', kind: 'redirect', status, headers: { location } });
    const client = createClient({
      baseUrl: sandbox.baseUrl,
      clock: clockOf(sandbox),
      retryPolicy: zapierStepPolicy,
      transport: fetchTransport(token),
    });
    expect((await refusal(getCurrentUser.run(client, {}, {}))).kind).toBe('redirected');
  }
  expect(seen).toEqual([]);
  await new Promise((resolve) => evil.close(resolve));
});

const everywhere = operationNames.flatMap((operation) => platforms.map((platform) => ({ operation, platform })));

it.each(everywhere)('on $platform $operation asks both helpers not to follow redirects', async ({ operation, platform }) => {
  const world = await createWorld(new VirtualTime(), operation === 'list');
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const { end } = await runCase({ fault: 'redirect-other', operation, platform, seed }, world);
    expect(['done', 'failed', 'unknown']).toContain(end);
  }
  expect(world.elsewhere.requests).toEqual([]);
  await world.sandbox.stop();
});
