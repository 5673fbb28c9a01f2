import fc from 'fast-check';
import { checkBaseUrl, oauthEndpoints } from '../../shared/oauth/oauth.ts';
import { ServiceError } from '../../shared/client/errors.ts';

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
