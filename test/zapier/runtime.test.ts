import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventRows } from '../../shared/events.ts';
import { zapierZip } from '../../tools/build/products.ts';
import { Backend } from '../../tools/rigs/zapier/backend.ts';
import { RuntimeCache, tokenOf } from '../../tools/rigs/zapier/cache.ts';
import { ZapierError } from '../../tools/rigs/zapier/errors.ts';
import { missingFields, resolveInputs } from '../../tools/rigs/zapier/inputs.ts';
import { Lambda } from '../../tools/rigs/zapier/lambda.ts';
import { cleanedRequest, rawRequest } from '../../tools/rigs/zapier/rawRequest.ts';
import { unzip } from '../../tools/rigs/zapier/unzip.ts';

describe('unpacking an archive', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'unzip-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** The real archive with some of its bytes changed. */
  async function spoilt(change: (zip: Buffer) => void): Promise<string> {
    const zip = await readFile(await zapierZip());
    change(zip);
    await writeFile(join(folder, 'spoilt.zip'), zip);
    return join(folder, 'spoilt.zip');
  }

  test('gives the files that were packed', async () => {
    const names = await unzip(await zapierZip(), join(folder, 'app'));
    expect(names).toEqual(expect.arrayContaining(['zapierwrapper.js', 'dist/index.js', 'package.json', 'definition.json']));
    const definition = JSON.parse(await readFile(join(folder, 'app', 'definition.json'), 'utf8')) as { triggers: object };
    expect(Object.keys(definition.triggers)).toHaveLength(eventRows.length);
  });

  test('refuses a file that does not match its checksum', async () => {
    const archive = await spoilt((zip) => zip.writeUInt32LE(1, zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 16));
    await expect(unzip(archive, join(folder, 'app'))).rejects.toThrow(/does not match its checksum/);
  });

  test('refuses to write outside its folder', async () => {
    const archive = await spoilt((zip) => zip.write('../', zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 46));
    await expect(unzip(archive, join(folder, 'app'))).rejects.toThrow(/outside its folder/);
  });

  test('refuses what is not an archive', async () => {
    await writeFile(join(folder, 'text.zip'), 'not an archive');
    await expect(unzip(join(folder, 'text.zip'), folder)).rejects.toThrow(/not a zip archive/);
  });
});

test('headers reach the app as Zapier renames them, and the body as it was received', () => {
  const body = Buffer.from('{"a":  1}');
  const raw = rawRequest({
    method: 'POST',
    url: '/hooks/standard/1/x/?a=b',
    headers: { 'x-time-gmt': 'now', 'content-type': 'application/json', 'content-length': '9' },
    body,
  });
  expect(raw).toEqual({
    method: 'POST',
    querystring: 'a=b',
    headers: { 'Http-X-Time-Gmt': 'now', 'Content-Type': 'application/json', 'Content-Length': '9' },
    content: '{"a":  1}',
  });
  expect(cleanedRequest(raw)).toEqual({ a: 1 });
  expect(cleanedRequest({ ...raw, content: 'no JSON' })).toEqual({});
});

describe('the store behind z.cache', () => {
  const ada = { user: 'ada', connection: 'ada 1' };
  const adasOther = { user: 'ada', connection: 'ada 2' };
  const bob = { user: 'bob', connection: 'bob 1' };

  test('sets a key only if it is absent, when asked to, and forgets it after its time', () => {
    jest.useFakeTimers({ now: 0 });
    try {
      const cache = new RuntimeCache();
      expect(cache.call('zcache_set', ['key', '"first"', 10, null, true], '', ada)).toBe(true);
      expect(cache.call('zcache_set', ['key', '"second"', 10, null, true], '', ada)).toBeNull();
      expect(cache.call('zcache_get', ['key', null], '', ada)).toBe('"first"');
      jest.setSystemTime(10_001);
      expect(cache.call('zcache_get', ['key', null], '', ada)).toBeNull();
      expect(cache.call('zcache_set', ['key', '"third"', 10, null, true], '', ada)).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  test('keeps scoped keys apart, and cursors apart for each Zap', () => {
    const cache = new RuntimeCache();
    cache.call('zcache_set', ['key', '1', null, ['auth'], null], '', ada);
    expect(cache.call('zcache_get', ['key', null], '', ada)).toBeNull();
    cache.call('set_cursor', ['page-2'], 'one', ada);
    expect([cache.call('get_cursor', [], 'one', ada), cache.call('get_cursor', [], 'other', ada)]).toEqual(['page-2', null]);
    expect(() => cache.call('zcache_drop', [], '', ada)).toThrow(/no remote call/);
  });

  test('shares a key without a scope among all users of the app, and keeps a scoped key for its connection or user', () => {
    const cache = new RuntimeCache();
    const found = (scope: string[] | null) => [ada, adasOther, bob].map((caller) => cache.call('zcache_get', ['key', scope], '', caller));
    cache.call('zcache_set', ['key', '"everybody"', null, null, null], '', ada);
    cache.call('zcache_set', ['key', '"the connection"', null, ['auth'], null], '', ada);
    cache.call('zcache_set', ['key', '"the user"', null, ['user'], null], '', ada);
    expect(found(null)).toEqual(['"everybody"', '"everybody"', '"everybody"']);
    expect(found(['auth'])).toEqual(['"the connection"', null, null]);
    expect(found(['user'])).toEqual(['"the user"', '"the user"', null]);
    cache.call('zcache_set', ['key', '"both"', null, ['auth', 'user'], true], '', bob);
    expect(found(['user', 'auth'])).toEqual([null, null, '"both"']);
    cache.call('zcache_delete', ['key', ['auth']], '', bob);
    expect(found(['auth'])).toEqual(['"the connection"', null, null]);
  });

  test('is accessed by the app on behalf of the user whose step it is', async () => {
    const backend = await Backend.start();
    try {
      const set = (caller: typeof ada) =>
        fetch(backend.rpcAddress, {
          method: 'POST',
          headers: { 'x-token': tokenOf(caller) },
          body: JSON.stringify({ id: '1', method: 'zcache_set', params: ['key', '1', null, ['auth'], true] }),
        });
      expect(await (await set(ada)).json()).toMatchObject({ result: true });
      expect(await (await set(bob)).json()).toMatchObject({ result: true });
      expect(await (await set(ada)).json()).toMatchObject({ result: null });
    } finally {
      await backend.stop();
    }
  });
});

describe('the values of a form, as Zapier hands them to an app', () => {
  const resolve = (fields: Parameters<typeof resolveInputs>[0], raw: Record<string, unknown>, clean = true) =>
    resolveInputs(fields, raw, { timeZone: 'America/New_York', clean });

  test('have the types of their fields; a time without an offset is read in the zone of the Zap', () => {
    const fields = [
      { key: 'at', type: 'datetime' },
      { key: 'count', type: 'integer' },
      { key: 'price', type: 'number' },
      { key: 'yes', type: 'boolean' },
      { key: 'tags', type: 'string', list: true },
    ];
    const raw = { at: '2030-01-31T09:00:00', count: '7', price: '1.5', yes: 'no', tags: 'one' };
    expect(resolve(fields, raw)).toEqual({ at: '2030-01-31T09:00:00-05:00', count: 7, price: 1.5, yes: false, tags: ['one'] });
  });

  test('are filled in by default, and left out when empty unless the app wants them', () => {
    expect(resolve([{ key: 'size', default: '30' }], { size: '', note: '' })).toEqual({ size: '30' });
    expect(resolve([], { note: '' }, false)).toEqual({ note: '' });
    expect(missingFields([{ key: 'name', label: 'Name', required: true }], {})).toEqual(['Name']);
  });
});

test('an error of the app says what Zapier does about it, and when', () => {
  const throttled = new ZapierError('ThrottledError', '{"message":"Wait.","delay":7}');
  expect([throttled.message, throttled.delaySeconds]).toEqual(['Wait.', 7]);
  expect(new ZapierError('HaltedError', '{not JSON').message).toBe('{not JSON');
});

test('a hook address answers 200 while it is open, 410 afterwards, and closes itself on DELETE', async () => {
  const backend = await Backend.start();
  try {
    const received: string[] = [];
    const address = backend.openHook(({ content }) => received.push(content));
    const post = () => fetch(address, { method: 'POST', body: 'hello' });
    expect(await (await post()).json()).toMatchObject({ status: 'success' });
    await fetch(address, { method: 'DELETE' });
    expect((await post()).status).toBe(410);
    expect(received).toEqual(['hello']);
  } finally {
    await backend.stop();
  }
});

test('a step that takes longer than its limit is ended', async () => {
  const lambda = await Lambda.start({
    zip: await zapierZip(),
    prepare: (folder) => writeFile(join(folder, 'zapierwrapper.js'), 'export const handler = () => new Promise(() => undefined);'),
  });
  try {
    await expect(lambda.handle({ command: 'definition' }, 50)).rejects.toMatchObject({ kind: 'TimeoutError' });
  } finally {
    await lambda.stop();
  }
});

test('an app that does not load is reported with its own message', async () => {
  const start = Lambda.start({
    zip: await zapierZip(),
    prepare: (folder) => writeFile(join(folder, 'zapierwrapper.js'), 'throw new Error("no such module");'),
  });
  await expect(start).rejects.toThrow(/does not load[\s\S]*no such module/);
});
