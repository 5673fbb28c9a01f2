import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { login } from '../../sdk/node/login.ts';
import { ConnectionFile } from '../../sdk/node/connectionFile.ts';
import { call, Stage, textOf } from './stage.ts';

const ways = { connect: '', folder: 'SCHEDULING_MCP_FOLDER' };

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

const application = () => ({
  baseUrl: stage.sandbox.baseUrl,
  clientId: stage.sandbox.client.id,
  clientSecret: stage.sandbox.client.secret,
});

test('the stored connection can be read by its owner alone', async () => {
  expect((await stat(stage.file.path)).mode & 0o777).toBe(0o600);
  expect((await stat(stage.file.folder)).mode & 0o777).toBe(0o700);
});

describe('a folder that existed before', () => {
  const other = (): Promise<string> => mkdtemp(join(tmpdir(), 'others-'));
  const rightsOf = async (folder: string): Promise<number> => (await stat(folder)).mode & 0o777;

  test("and holds others' files is refused before anybody is asked, and stays open to them", async () => {
    const folder = await other();
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'of somebody else'), '');
    let isAsked = false;
    const asking = { redirectUri: 'http://localhost:9000', patienceMs: 20_000, show: () => void (isAsked = true) };
    await expect(login(new ConnectionFile(folder, ways), application(), asking)).rejects.toThrow(
      `The folder ${folder} contains other files, and the connection needs a private folder. Set SCHEDULING_MCP_FOLDER to an empty or new folder`,
    );
    expect([isAsked, await rightsOf(folder), await readdir(folder)]).toEqual([false, 0o755, ['of somebody else']]);
    await rm(folder, { recursive: true });
  });

  test('and is empty is closed to others', async () => {
    const folder = await other();
    await chmod(folder, 0o755);
    await new ConnectionFile(folder, ways).write(stage.file.read());
    expect(await rightsOf(folder)).toBe(0o700);
    await rm(folder, { recursive: true });
  });

  test('and holds the connection keeps a renewed token, whatever else was put there since', async () => {
    await writeFile(join(stage.file.folder, 'a note'), '');
    await stage.connect({ expiresInSeconds: -1 });
    expect((await call(await stage.served(), 'get_current_user')).isError).toBeUndefined();
  });
});

test('what another process has written is read at once, every time', () => {
  const other = new ConnectionFile(stage.file.folder, ways);
  const written = Array.from({ length: 50 }, (_, index) => `token-${100 + index}`);
  return written.reduce(async (before, access_token) => {
    await before;
    await other.write({ ...stage.file.read(), tokens: { access_token } });
    expect(stage.file.read().tokens.access_token).toBe(access_token);
  }, Promise.resolve());
});

test('without a connection a tool says which command connects', async () => {
  const client = await stage.served();
  await stage.file.forget();
  const result = await call(client, 'get_current_user');
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe('No account is connected here. Run `npx our-mcp login` in a terminal, then try again.');
});

test('a damaged file is reported, and nothing of it is shown', async () => {
  const client = await stage.served();
  await writeFile(stage.file.path, '{"tokens": "my secret"');
  const text = textOf(await call(client, 'get_current_user'));
  expect(text).toContain('cannot be read');
  expect(text).not.toContain('my secret');
});

describe('an access token that has expired', () => {
  test('whose renewal is refused: each call says to connect again', async () => {
    await stage.connect({ expiresInSeconds: -1 });
    const connected = stage.file.read();
    await stage.file.write({ ...connected, tokens: { ...connected.tokens, refresh_token: 'spent' } });
    const result = await call(await stage.served(), 'get_current_user');
    expect(textOf(result)).toContain('has expired or was revoked. Reconnect the account.');
  });

  test('no token and no secret appears in the output of a tool or in the log', async () => {
    await stage.connect({ expiresInSeconds: -1 });
    const { clientSecret, tokens } = stage.file.read();
    stage.sandbox.faults.add({
      route: 'POST /api/oauth/token',
      kind: 'status',
      status: 400,
      body: { error: 'invalid_request', error_description: `${tokens.refresh_token} ${clientSecret}` },
      times: 'always',
    });
    const client = await stage.served();
    const said = JSON.stringify([await call(client, 'get_current_user'), stage.logged]);
    for (const secret of [clientSecret, tokens.access_token, String(tokens.refresh_token)]) expect(said).not.toContain(secret);
  });
});
