import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call, Stage, textOf } from './stage.ts';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

const refusal = async () => textOf(await call(await stage.served(), 'get_current_user'));

test('an expired token is renewed and kept, whatever else was put into the folder since', async () => {
  await writeFile(join(stage.file.folder, 'a note'), '');
  await stage.connect({ expiresInSeconds: -1 });
  expect((await call(await stage.served(), 'get_current_user')).isError).toBeUndefined();
});

test('a connection that is forgotten while the server runs is gone: a call says which command connects, and works again after it', async () => {
  const client = await stage.served();
  expect((await call(client, 'get_current_user')).isError).toBeUndefined();
  await stage.file.forget();
  expect(textOf(await call(client, 'get_current_user'))).toBe(
    'No account is connected here. Run `npx our-mcp login` in a terminal, then try again.',
  );
  await stage.connect();
  expect((await call(client, 'get_current_user')).isError).toBeUndefined();
});

test('a damaged file is reported, and nothing of it is shown', async () => {
  await writeFile(stage.file.path, '{"tokens": "my secret"');
  const text = await refusal();
  expect(text).toContain('cannot be read');
  expect(text).not.toContain('my secret');
});

test('an expired token whose renewal is refused: a call says to connect again', async () => {
  await stage.connect({ expiresInSeconds: -1 });
  const connected = stage.file.read();
  await stage.file.write({ ...connected, tokens: { ...connected.tokens, refresh_token: 'spent' } });
  expect(await refusal()).toMatch(/has expired or was revoked\.[^]*Reconnect the account\./);
});

test('no token and no secret appears in the output of a tool or in the log, though the service repeats them', async () => {
  await stage.connect({ expiresInSeconds: -1 });
  const { clientSecret, tokens } = stage.file.read();
  const body = { error: 'invalid_request', error_description: `${tokens.refresh_token} ${clientSecret}` };
  stage.sandbox.faults.add({ route: 'POST /api/oauth/token', kind: 'status', status: 400, body, times: 'always' });
  const said = JSON.stringify([await refusal(), stage.logged]);
  for (const secret of [clientSecret, tokens.access_token, String(tokens.refresh_token)]) expect(said).not.toContain(secret);
});
