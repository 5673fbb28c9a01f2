import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../sdk/index.ts';
import { ConnectionFile, newConnectionId, storeIn } from '../../sdk/node/connectionFile.ts';
import { ownAccount } from '../../sdk/node/index.ts';
import { clearUp, openWritesIn } from '../../sdk/node/openWrites.ts';
import { settingsIn } from '../../sdk/node/settings.ts';
import { pendingForMs } from '../../shared/writes/index.ts';
import { brand } from '../../shared/brand.ts';
import { failureOf, Stage } from './stage.ts';

let stage: Stage;
let folder: string;
beforeEach(async () => {
  stage = await Stage.open();
  folder = await mkdtemp(join(tmpdir(), 'own-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await stage.close();
});

const ways = { connect: 'connect', folder: 'FOLDER' };
async function connected(place = folder): Promise<ConnectionFile> {
  const { access_token, refresh_token } = stage.sandbox.issueToken();
  const { clientId, clientSecret, baseUrl } = stage.application;
  const file = new ConnectionFile(place, ways);
  await file.write({ id: newConnectionId(), baseUrl, clientId, clientSecret, tokens: { access_token, refresh_token } });
  return file;
}

test('the account for scripts is that of an access token, or the one that the command line connected, with its service', async () => {
  const own = { SCHEDULING_FOLDER: folder, SCHEDULING_ACCESS_TOKEN: '', SCHEDULING_BASE_URL: 'https://elsewhere.example/api/v1' };
  expect(() => ownAccount(own)).toThrow('No account is connected here.');
  await connected();
  const given = ownAccount(own);
  expect(given.baseUrl).toBe(stage.sandbox.baseUrl);
  expect((await createClient(given).users.current()).email).toBe(stage.sandbox.account.email);
  const token = { auth: 'token', baseUrl: 'https://elsewhere.example/api/v1' };
  expect(ownAccount({ ...own, SCHEDULING_ACCESS_TOKEN: 'token' })).toEqual(token);
});

test.each([
  [{ SCHEDULING_FOLDER: '/own', APPDATA: '/app' }, '/own'],
  [{ SCHEDULING_FOLDER: '', APPDATA: '/app', XDG_CONFIG_HOME: '/xdg' }, join('/app', brand.slug)],
  [{ APPDATA: '', XDG_CONFIG_HOME: '/xdg' }, join('/xdg', brand.slug)],
  [{}, join(homedir(), '.config', brand.slug)],
])('with %j, the connection is kept in %s', (env, place) => {
  const { file, ...others } = settingsIn({ ...env, SCHEDULING_ACCESS_TOKEN: '', SCHEDULING_CLIENT_ID: '', SCHEDULING_BASE_URL: '' });
  expect([file.folder, others]).toEqual([place, { baseUrl: brand.baseUrl }]);
});

describe('the file of a connection', () => {
  test('that cannot be read is reported, with what to do, and nothing of it is shown', async () => {
    const file = new ConnectionFile(folder, ways);
    await mkdir(file.path);
    expect(() => file.read()).toThrow(`The connection in ${file.path} cannot be read (EISDIR).`);
    await rm(file.path, { recursive: true });
    // An id becomes part of a path.
    const wrongId = JSON.stringify({ ...(await connected()).read(), id: '../0123456789ab' });
    for (const text of ['', '{"id": "my secret"', '{"id": "zz", "tokens": {"access_token": "my secret"}}', wrongId]) {
      await writeFile(file.path, text);
      const error = (await failureOf(Promise.resolve().then(() => file.read()))) as Error;
      expect(error).toMatchObject({ kind: 'unauthenticated', message: `The connection in ${file.path} cannot be read.` });
    }
  });

  test('is for its owner alone, in a folder of its own: beside what this program leaves there, and beside nothing else', async () => {
    for (const [at, name] of ['connection.lock', 'open-0123456789abcdef', ''].entries()) {
      const place = join(folder, String(at), 'own');
      if (name !== '') {
        await mkdir(place, { recursive: true, mode: 0o755 });
        await writeFile(join(place, name), '');
      }
      await connected(place);
      expect([(await stat(place)).mode & 0o777, (await stat(join(place, 'connection.json'))).mode & 0o777]).toEqual([0o700, 0o600]);
    }
    await writeFile(join(folder, 'reopen-1'), '');
    await expect(connected()).rejects.toThrow('Set FOLDER to an empty or new folder.');
  });

  test('keeps the rest when its tokens are renewed, and takes its open writes along when it is deleted', async () => {
    const file = await connected();
    const before = file.read();
    const store = storeIn(file);
    expect(await store.read()).toEqual({ ...before.tokens, connection: before.id });
    await store.write({ access_token: 'a', refresh_token: 'b' });
    expect(file.read()).toEqual({ ...before, tokens: { access_token: 'a', refresh_token: 'b' } });
    await store.write({ access_token: 'c' });
    expect(file.read().tokens).toStrictEqual({ access_token: 'c' });
    await openWritesIn(file.openWrites(before.id)).set('key', { a: 1 });
    await store.delete();
    expect(await readdir(folder)).toEqual([]);
    expect(() => file.read()).toThrow('No account is connected here.');
  });
});

describe('open writes', () => {
  const place = (): string => join(folder, 'a', 'open');

  test('are kept for every process of their owner, each under its key; damaged ones count as missing', async () => {
    expect(await openWritesIn(place()).set('one', { a: 1 })).toBe(true);
    await openWritesIn(place()).set('two', [2]);
    const other = openWritesIn(place());
    expect([await other.get('one'), await other.get('two'), await other.get('three')]).toEqual([{ a: 1 }, [2], undefined]);
    await other.delete('one');
    await other.delete('three');
    expect(await other.get('one')).toBeUndefined();
    const [name = '', ...more] = await readdir(place());
    expect([name, more]).toEqual([expect.stringMatching(/^[a-f0-9]{64}\.json$/), []]);
    expect([(await stat(place())).mode & 0o777, (await stat(join(place(), name))).mode & 0o777]).toEqual([0o700, 0o600]);
    await writeFile(join(place(), name), '{');
    expect(await other.get('two')).toBeUndefined();
  });

  test('in a place that cannot be written are not kept, and this is said', async () => {
    await writeFile(join(folder, 'file'), '');
    const nowhere = openWritesIn(join(folder, 'file'));
    expect([await nowhere.set('one', 1), await nowhere.get('one'), await nowhere.delete('one')]).toEqual([false, undefined, undefined]);
  });

  test('are removed when nobody asks for them any more, and not before', async () => {
    for (const key of ['one', 'two']) await openWritesIn(place()).set(key, 1);
    const [old = '', young = ''] = await readdir(place());
    const ago = (milliseconds: number): Date => new Date(Date.now() - milliseconds);
    await utimes(join(place(), old), ago(pendingForMs + 1_000), ago(pendingForMs + 1_000));
    await utimes(join(place(), young), ago(pendingForMs - 60_000), ago(pendingForMs - 60_000));
    await clearUp(place());
    expect(await readdir(place())).toEqual([young]);
  });
});
