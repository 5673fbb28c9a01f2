import type { Bundle, ZObject } from 'zapier-platform-core';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { authentication } from '../../zapier/authentication.ts';

/** Its delay is for how many seconds the step is held. */
class Throttled extends Error {
  readonly delay: number;

  constructor(message: string, delay: number) {
    super(message);
    this.delay = delay;
  }
}
class Expired extends Error {}
class Refused extends Error {
  override name = 'RefreshAuthError';
}
/** If its status is a 4xx, Zapier ends the connection. */
class AppError extends Error {
  readonly status: number | undefined;

  constructor(message: string, _: string, status?: number) {
    super(message);
    this.status = status;
  }
}

let sandbox: Sandbox;
/** Seconds, as Zapier's store counts them. */
let now = 0;
beforeEach(async () => {
  now = 0;
  // The refresh token stays the same, so that only the claim decides.
  sandbox = await startSandbox({ forms: { rotation: 'keep' } });
  Object.assign(process.env, { BASE_URL: sandbox.baseUrl, CLIENT_ID: sandbox.client.id, CLIENT_SECRET: sandbox.client.secret });
});
afterEach(() => {
  jest.restoreAllMocks();
  return sandbox.stop();
});

/** A step. Its store keeps each value for the given number of seconds. */
function step(): ZObject {
  const kept = new Map<string, { value: unknown; until: number }>();
  const alive = (key: string) => {
    const found = kept.get(key);
    return found !== undefined && now < found.until ? found.value : null;
  };
  return {
    cache: {
      get: async (key: string) => alive(key),
      set: async (key: string, value: unknown, seconds: number, _: unknown, onlyIfAbsent: boolean) => {
        if (onlyIfAbsent && alive(key) !== null) return false;
        kept.set(key, { value, until: now + seconds });
        return true;
      },
      delete: async (key: string) => kept.delete(key),
    },
    console: { log: () => undefined },
    errors: { ThrottledError: Throttled, ExpiredAuthError: Expired, RefreshAuthError: Refused, Error: AppError },
    request: async ({ url, method, headers, body }: { url: string; method: string; headers: Record<string, string>; body: string }) => {
      const response = await fetch(url, { method, headers, body });
      // The platform's middleware, before anybody sees the body.
      if (response.status === 401) throw new Refused();
      return { status: response.status, headers: response.headers, data: await response.json(), content: '' };
    },
  } as unknown as ZObject;
}

const refresh = (z: ZObject, authData: Record<string, string>) =>
  authentication.oauth2Config.refreshAccessToken(z, { authData } as unknown as Bundle);
const tokenCalls = () => sandbox.requests().filter(({ path }) => path === '/api/oauth/token');

test('a second refresh with the same token is held for a minute, and passes after 61 seconds', async () => {
  const { refresh_token } = sandbox.issueToken();
  const z = step();
  await refresh(z, { refresh_token });
  now = 59;
  await expect(refresh(z, { refresh_token })).rejects.toThrow(Throttled);
  expect(tokenCalls()).toHaveLength(1);
  now = 61;
  expect(await refresh(z, { refresh_token })).toHaveProperty('access_token');
  expect(tokenCalls()).toHaveLength(2);
});

test.each([
  [0, 5],
  [0.999, 10],
])('the steps that are held come back after 5 to 10 seconds, not all at once (%d)', async (random, delay) => {
  const { refresh_token } = sandbox.issueToken();
  const z = step();
  await refresh(z, { refresh_token });
  jest.spyOn(Math, 'random').mockReturnValue(random);
  await expect(refresh(z, { refresh_token })).rejects.toMatchObject({ delay });
});

test('a refresh of one connection holds no other', async () => {
  const z = step();
  for (const { refresh_token } of [sandbox.issueToken(), sandbox.issueToken()])
    expect(await refresh(z, { refresh_token })).toHaveProperty('access_token');
});

test.each([[{}], [{ refresh_token: '' }]])(
  'a refresh without a refresh token (%j) is not sent, holds nobody, and asks to reconnect',
  async (authData) => {
    const z = step();
    for (let time = 0; time < 2; time += 1) await expect(refresh(z, authData)).rejects.toThrow(Expired);
    await expect(refresh(z, authData)).rejects.toThrow(/Reconnect the account/);
    expect(tokenCalls()).toEqual([]);
  },
);

test('a failed refresh says that nothing was carried out, and the next one may try at once', async () => {
  const { refresh_token } = sandbox.issueToken();
  const z = step();
  sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 503, body: {} });
  await expect(refresh(z, { refresh_token })).rejects.toThrow(
    /^Nothing was done, because the connection to .* could not be renewed: .*status 503/,
  );
  expect(await refresh(z, { refresh_token })).toHaveProperty('access_token');
});

const refusalOf = async (): Promise<unknown> => {
  const { refresh_token } = sandbox.issueToken();
  return Promise.resolve(refresh(step(), { refresh_token })).catch((reason: unknown) => reason);
};

test("a wrong client secret, named in a 400, is the maker's mistake: no connection ends, and nobody is asked to reconnect", async () => {
  sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 400, body: { error: 'invalid_client' } });
  const error = await refusalOf();
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    status: undefined,
    message: expect.stringContaining('does not accept the client id and secret') as string,
  });
  expect((error as Error).message).not.toMatch(/reconnect/i);
});

test('a 401, whose body the platform hides, ends no connection, and says how to tell a wrong client secret from an ended grant', async () => {
  process.env['CLIENT_SECRET'] = 'wrong';
  const error = await refusalOf();
  expect(error).toBeInstanceOf(AppError);
  expect((error as Error).message).toMatch(/status 401.*If other connections work, reconnect.*client id and secret/);
});
