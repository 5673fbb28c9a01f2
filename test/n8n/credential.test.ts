import { runInNewContext } from 'node:vm';
import { credentialTest, oauthDefaults } from '../../n8n/adapter/credential.ts';
import { brand } from '../../shared/brand.ts';

/** What n8n evaluates: the JavaScript between the brackets. */
const evaluated = (expression = '', context: object): unknown => runInNewContext(expression.replace(/^=\{\{|\}\}$/g, ''), context);
const oauthAt = (baseUrl: string) =>
  [oauthDefaults().authorizeUrl, oauthDefaults().tokenUrl].map((each) => evaluated(each, { $self: { baseUrl } }));
const refused = 'https://the-base-address-must-begin-with-https.invalid';

it.each([
  ['https://example.com/api/v1', 'https://example.com', 'https://example.com/api/v1'],
  [' https://example.com/eu/api/v1// ', 'https://example.com', 'https://example.com/eu/api/v1'],
  ['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010', 'http://127.0.0.1:4010/api/v1'],
  ['http://localhost:4010/api/v1/', 'http://localhost:4010', 'http://localhost:4010/api/v1'],
  ['http://example.com/api/v1', '', refused],
  ['http://localhost.example.com/api/v1', '', refused],
  ['https://user:pass@example.com/api/v1', '', refused],
  ['javascript:alert(1)', '', refused],
  ['', '', refused],
])(
  'the addresses of OAuth and the connection test follow the base URL %j, and no secret goes to one that is not safe',
  (baseUrl, origin, tested) => {
    expect(oauthAt(baseUrl)).toEqual([`${origin}/oauth/authorize`, `${origin}/api/oauth/token`]);
    const { baseURL, url } = credentialTest().request;
    expect(`${String(evaluated(baseURL, { $credentials: { baseUrl } }))}${url}`).toBe(`${tested}/me`);
  },
);

it('a 404 is reported as a wrong base URL, and never as a user to choose from a list', () => {
  const rule = credentialTest().rules?.find(({ properties }) => 'value' in properties && properties.value === 404);
  expect(rule?.properties.message).toBe(`No ${brand.name} service was found at this base URL. Enter one like ${brand.baseUrl}.`);
});

it("an address of OAuth that the service has somewhere else is used for the service's own base URL, and for no other", () => {
  const tokenUrl = 'https://login.example.com/token';
  brand.oauth.tokenUrl = tokenUrl;
  try {
    expect(oauthAt(brand.baseUrl)).toEqual([`${new URL(brand.baseUrl).origin}/oauth/authorize`, tokenUrl]);
    expect(oauthAt('http://127.0.0.1:4010/api/v1')[1]).toBe('http://127.0.0.1:4010/api/oauth/token');
  } finally {
    delete brand.oauth.tokenUrl;
  }
});
