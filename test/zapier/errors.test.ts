import nock from 'nock';
import { createAppTester } from 'zapier-platform-core';
import { brand } from '../../shared/brand.ts';
import { clock } from '../../zapier/adapter/connection.ts';
import { environment } from '../../zapier/adapter/environment.ts';
import app from '../../zapier/app.ts';
import { authentication } from '../../zapier/authentication.ts';

const appTester = createAppTester(app);
const origin = 'https://scheduling.example';
const me = () => nock(origin).get('/api/v1/me');
const check = () => appTester(authentication.test, { authData: { access_token: 'at_1' } } as never);

beforeEach(() => void (process.env['BASE_URL'] = `${origin}/api/v1`));
afterEach(() => {
  Reflect.deleteProperty(process.env, 'BASE_URL');
  jest.restoreAllMocks();
  nock.cleanAll();
});
afterAll(() => nock.restore());

/** Fails with this answer, also when it is asked again. The platform puts an error of the app into its message as JSON. */
async function failure(status: number, body: object, headers: Record<string, string> = {}): Promise<{ name: string; said: unknown }> {
  me().reply(status, body, headers).persist();
  jest.spyOn(clock, 'sleep').mockResolvedValue();
  const { name, message } = await check().then(
    () => fail('It should have failed.'),
    (error: unknown) => error as Error,
  );
  return { name, said: JSON.parse(message) as unknown };
}

test.each([
  [{ 'retry-after': '7' }, 7],
  // The length of the documented windows.
  [{}, 60],
])('a 429 with %j holds the step for %d seconds (G16)', async (headers, delay) => {
  const { name, said } = await failure(429, { error: 'Rate limit exceeded', code: 'RATE_LIMITED' }, headers);
  expect([name, said]).toEqual(['ThrottledError', { message: expect.stringContaining('has been reached') as string, delay }]);
});

test('a 503 that says when the service is back holds the step until then', async () => {
  expect(await failure(503, {}, { 'retry-after': '20' })).toMatchObject({ name: 'ThrottledError', said: { delay: 20 } });
});

test.each([
  [{ error: 'No', code: 'E_7' }, 'E_7'],
  [{ error: 'No' }, 'invalid'],
])("an error carries the service's code for it, or the kind of error if there is none", async (body, code) => {
  expect(await failure(422, body)).toEqual({ name: 'AppError', said: { message: expect.any(String) as string, code, status: 422 } });
});

test('a read that failed is tried once more, after up to a second', async () => {
  me().reply(500);
  me().reply(200, { data: { id: 'usr_1', email: 'ada@example.com', name: 'Ada' } });
  jest.spyOn(Math, 'random').mockReturnValue(0.3);
  const sleep = jest.spyOn(clock, 'sleep').mockResolvedValue();
  expect(await check()).toMatchObject({ id: 'usr_1', label: 'Ada (ada@example.com)' });
  expect(sleep.mock.calls).toEqual([[300]]);
});

// Zapier's own command line tool sends none.
test('a code is exchanged without a verifier if there is none', async () => {
  let sent = '';
  nock(origin)
    .post('/api/oauth/token', (form: object) => ((sent = Object.keys(form).join()), true))
    .reply(200, { access_token: 'at_1', token_type: 'Bearer' });
  const inputData = { code: 'c', redirect_uri: 'http://localhost:9000' };
  expect(await appTester(authentication.oauth2Config.getAccessToken, { inputData } as never)).toMatchObject({ access_token: 'at_1' });
  expect(sent).toContain('redirect_uri');
  expect(sent).not.toContain('code_verifier');
});

test('without a BASE_URL the app uses the address of the brand', () => {
  for (const [given, used] of [
    ['', brand.baseUrl],
    ['https://test.example/api/v1', 'https://test.example/api/v1'],
  ] as const) {
    process.env['BASE_URL'] = given;
    expect(environment().baseUrl).toBe(used);
  }
});

test('a BASE_URL that is no HTTPS address is said to be wrong, and no secret is sent to it', async () => {
  process.env['BASE_URL'] = 'http://scheduling.example/api/v1';
  const inputData = { code: 'c', redirect_uri: 'http://localhost:9000' };
  for (const work of [check(), appTester(authentication.oauth2Config.getAccessToken, { inputData } as never)])
    await expect(work).rejects.toThrow(/base URL.*https:\/\//);
});
