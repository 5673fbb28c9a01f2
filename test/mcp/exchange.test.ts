import { undiciClient } from '../../mcp/exchange.ts';
import { exchangeHolds } from '../support/exchangeCases.ts';
import { serve } from '../support/serve.ts';

exchangeHolds(undiciClient('somebody'));

describe('the proxy that Node.js uses', () => {
  const environment = { ...process.env };
  afterEach(() => {
    process.env = { ...environment };
  });

  const ask = (settings: Record<string, string>): Promise<unknown> => {
    Object.assign(process.env, settings);
    return undiciClient('somebody')('http://127.0.0.1:9/me', { method: 'GET', headers: {} }, AbortSignal.timeout(20_000));
  };

  test.each([{ NODE_USE_ENV_PROXY: '1' }, { NODE_OPTIONS: '--use-env-proxy' }])('is used with %j', async (setting) => {
    const port = await serve((_, response) => void response.end('{"id":"a"}'));
    const settings = { HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '' };
    expect(await ask({ ...setting, ...settings })).toMatchObject({ status: 200, body: { id: 'a' } });
  });

  test('is not used otherwise', async () => {
    const port = await serve((_, response) => void response.end('{"id":"a"}'));
    const settings = { NODE_USE_ENV_PROXY: '', NODE_OPTIONS: '', HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '' };
    await expect(ask(settings)).rejects.toMatchObject({ sent: false });
  });
});
