import { runInNewContext } from 'node:vm';
import { credentialTest, oauthDefaults } from '../../n8n/adapter/credential.ts';
import { SchedulerOAuth2Api } from '../../n8n/credentials/SchedulerOAuth2Api.credentials.ts';
import { brand } from '../../shared/brand.ts';

/** The requests of the connection test, for a base URL as it was typed. */
function asked(baseUrl: string): string {
  const [, code = ''] = /^=\{\{ (.*) \}\}$/s.exec(credentialTest().request.baseURL ?? '') ?? [];
  // The JavaScript that n8n evaluates between the brackets.
  return String(runInNewContext(code, { $credentials: { baseUrl } })) + String(credentialTest().request.url);
}

it.each([
  ['https://example.com/api/v1', 'https://example.com/api/v1/me'],
  [' https://example.com/eu/api/v1// ', 'https://example.com/eu/api/v1/me'],
  ['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010/api/v1/me'],
  ['http://localhost:4010/api/v1', 'http://localhost:4010/api/v1/me'],
])('the connection test asks who we are at %j', (typed, address) => {
  expect(asked(typed)).toBe(address);
});

it.each([
  'http://example.com/api/v1',
  'http://localhost.example.com/api/v1',
  'http://127.0.0.1.example.com/api/v1',
  'ftp://localhost/api/v1',
  'https://user:pass@example.com/api/v1',
  'example.com/api/v1',
  '',
])('the connection test sends no token to %j: it requests an address that does not exist and says what is wrong', (typed) => {
  expect(asked(typed)).toBe('https://the-base-address-must-begin-with-https.invalid/me');
});

it('a 404 is reported as a wrong base URL, and never as a user to choose from a list', () => {
  const rule = credentialTest().rules?.find(({ properties }) => 'value' in properties && properties.value === 404);
  expect(rule?.properties.message).toBe(`No ${brand.name} service was found at this base URL. Enter one like ${brand.baseUrl}.`);
});

it.each([
  ['https://book.example.com/api/v1', 'https://book.example.com'],
  ['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010'],
  ['http://localhost:4010/api/v1/', 'http://localhost:4010'],
  ['http://book.example.com/api/v1', ''],
  ['https://someone@book.example.com/api/v1', ''],
  ['javascript:alert(1)', ''],
])('the addresses of OAuth follow the base URL %s', (baseUrl, origin) => {
  const { properties } = new SchedulerOAuth2Api();
  const evaluated = (name: string): unknown => {
    const expression = (properties.find((property) => property.name === name)?.default as string).replace(/^=\{\{|\}\}$/g, '');
    return runInNewContext(expression, { $self: { baseUrl } });
  };
  expect([evaluated('authUrl'), evaluated('accessTokenUrl')]).toEqual([`${origin}/oauth/authorize`, `${origin}/api/oauth/token`]);
});

describe('an address of OAuth that the service has somewhere else', () => {
  const tokenUrl = 'https://login.example.com/token';
  beforeEach(() => (brand.oauth.tokenUrl = tokenUrl));
  afterEach(() => delete brand.oauth.tokenUrl);

  it.each([
    [brand.baseUrl, tokenUrl],
    ['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010/api/oauth/token'],
  ])("is used for the service's own base URL, and for no other: %s", (baseUrl, address) => {
    const evaluated = (expression: string): unknown => runInNewContext(expression.replace(/^=\{\{|\}\}$/g, ''), { $self: { baseUrl } });
    expect(evaluated(oauthDefaults().tokenUrl)).toBe(address);
    expect(evaluated(oauthDefaults().authorizeUrl)).toBe(`${new URL(baseUrl).origin}/oauth/authorize`);
    expect(credentialTest().request.url).toBe('/me');
  });
});
