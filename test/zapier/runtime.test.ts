import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zapierZip } from '../../tools/build/products.ts';
import { Backend } from '../../tools/rigs/zapier/backend.ts';
import { RuntimeCache } from '../../tools/rigs/zapier/cache.ts';
import { resolveInputs } from '../../tools/rigs/zapier/inputs.ts';
import { Lambda } from '../../tools/rigs/zapier/lambda.ts';
import { cleanedRequest, rawRequest } from '../../tools/rigs/zapier/rawRequest.ts';

test('headers reach the app as Zapier renames them, and the body as it was received', () => {
  const headers = { 'x-time-gmt': 'now', 'content-type': 'application/json', 'content-length': '9' };
  const raw = rawRequest({ method: 'POST', url: '/hooks/standard/1/x/?a=b', headers, body: Buffer.from('{"a":  1}') });
  const renamed = { 'Http-X-Time-Gmt': 'now', 'Content-Type': 'application/json', 'Content-Length': '9' };
  expect(raw).toEqual({ method: 'POST', querystring: 'a=b', headers: renamed, content: '{"a":  1}' });
  expect([cleanedRequest(raw), cleanedRequest({ ...raw, content: 'no JSON' })]).toEqual([{ a: 1 }, {}]);
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

  test('shares a key without a scope among all users of the app, and keeps a scoped key for its connection or user', () => {
    const cache = new RuntimeCache();
    const found = (scope: string[] | null) => [ada, adasOther, bob].map((caller) => cache.call('zcache_get', ['key', scope], '', caller));
    cache.call('zcache_set', ['key', '"everybody"', null, null, null], '', ada);
    cache.call('zcache_set', ['key', '"the connection"', null, ['auth'], null], '', ada);
    cache.call('zcache_set', ['key', '"the user"', null, ['user'], null], '', ada);
    expect(found(null)).toEqual(['"everybody"', '"everybody"', '"everybody"']);
    expect(found(['auth'])).toEqual(['"the connection"', null, null]);
    expect(found(['user'])).toEqual(['"the user"', '"the user"', null]);
  });
});

test('the values of a form have the types of their fields; a time without an offset is read in the zone of the Zap', () => {
  const fields = [
    { key: 'at', type: 'datetime' },
    { key: 'count', type: 'integer' },
    { key: 'yes', type: 'boolean' },
    { key: 'tags', type: 'string', list: true },
    { key: 'size', default: '30' },
  ];
  const raw = { at: '2030-01-31T09:00:00', count: '7', yes: 'no', tags: 'one', size: '', note: '' };
  const given = { at: '2030-01-31T09:00:00-05:00', count: 7, yes: false, tags: ['one'], size: '30' };
  expect(resolveInputs(fields, raw, { timeZone: 'America/New_York', clean: true })).toEqual(given);
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

/** The archive with another wrapper. */
const started = async (wrapper: string) =>
  Lambda.start({ zip: await zapierZip(), prepare: (folder) => writeFile(join(folder, 'zapierwrapper.js'), wrapper) });

test('a step that takes longer than its limit is ended', async () => {
  const lambda = await started('export const handler = () => new Promise(() => undefined);');
  await expect(lambda.handle({ command: 'definition' }, 50)).rejects.toMatchObject({ kind: 'TimeoutError' });
  await lambda.stop();
});

test('an app that does not load is reported with its own message', async () => {
  await expect(started('throw new Error("no such module");')).rejects.toThrow(/does not load[\s\S]*no such module/);
});
