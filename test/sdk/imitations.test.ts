import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';
import { bookingBody, headersOf, subscribed } from './deliveries.ts';

/** What every supported runtime has. `URL`, `fetch` and the rest of the web's interfaces, and nothing of Node.js. */
const web = {
  ...{
    AbortController,
    AbortSignal,
    atob,
    btoa,
    clearInterval,
    clearTimeout,
    console,
    crypto,
    fetch,
    Headers,
    performance,
    queueMicrotask,
    Request,
  },
  ...{ Response, setInterval, setTimeout, TextDecoder, TextEncoder, URL, URLSearchParams },
};

const throws = (): never => {
  throw new Error('A Node.js API is used which is not supported here.');
};
const throwing = (name: string): PropertyDescriptor => ({ get: throws, configurable: true, enumerable: name !== '' });

/** How a host imitates one of these, by what it does. */
type Imitation = (globals: object) => void;

const property =
  (name: string, descriptor: PropertyDescriptor): Imitation =>
  (globals) =>
    void Object.defineProperty(globals, name, descriptor);
const value = (name: string, given: unknown): Imitation => property(name, { value: given, configurable: true, writable: true });
const ofProcess = (descriptors: PropertyDescriptorMap): Imitation => value('process', Object.defineProperties({}, descriptors));
/** A module that has the name of one of Node.js's and is not it. */
const builtin = (module: unknown): Imitation => value('process', { versions: { node: '24.0.0' }, getBuiltinModule: () => module });
const hashing = (digest: (form: string) => unknown) => ({ createHash: () => ({ update: () => ({ digest }) }) });
const webCrypto = (subtle: PropertyDescriptor): Imitation =>
  value('crypto', Object.defineProperty({ getRandomValues: crypto.getRandomValues.bind(crypto) }, 'subtle', subtle));

const imitations: Readonly<Record<string, Imitation>> = {
  'nothing of Node.js': () => undefined,
  'a process that throws when it is touched': property('process', throwing('process')),
  'a process that is text': value('process', 'browser'),
  'a process that is empty': value('process', {}),
  'a process that is null': value('process', null),
  'a Buffer that throws when it is touched': property('Buffer', throwing('Buffer')),
  'a Buffer that is empty': value('Buffer', {}),
  'an environment that throws': ofProcess({ env: throwing('env') }),
  'an environment whose entries throw': ofProcess({ env: { value: new Proxy({}, { get: throws }) } }),
  'an environment with something for each name': ofProcess({ env: { value: new Proxy({}, { get: () => throws }) } }),
  'an environment with a proxy, and nothing that leads there': ofProcess({ env: { value: { HTTPS_PROXY: 'http://proxy.example:3128' } } }),
  'process.versions that throws': ofProcess({ versions: throwing('versions'), env: { value: {} } }),
  'process.getBuiltinModule that throws when it is touched': ofProcess({ getBuiltinModule: throwing('getBuiltinModule') }),
  'process.getBuiltinModule that throws when it is called': ofProcess({ getBuiltinModule: { value: throws } }),
  'process.getBuiltinModule that is an object': ofProcess({ getBuiltinModule: { value: {} } }),
  'a module without content': builtin({}),
  'no module': builtin(undefined),
  'a module whose functions throw': builtin({ createHash: throws }),
  'a module that hashes to something else': builtin(hashing(() => '00')),
  'a module that knows one form of digits': builtin(hashing((form) => (form === 'hex' ? '00' : throws()))),
  'crypto.subtle that throws when it is touched': webCrypto(throwing('subtle')),
  'no crypto.subtle and no randomUUID': webCrypto({ value: undefined }),
};

/** Uses each entry once, as an application does that is loaded there. */
const uses: Readonly<Record<string, string>> = {
  'index.ts': `entry.createClient({ auth: 'token' }).users.current().then(({ id }) => id === 'usr_1')`,
  'stores/index.ts': `(async () => {
    const claim = await entry.sqlStores(async (statement) => (/RETURNING/.test(statement) ? [{}] : [])).claims.claim('key');
    await claim.release();
    return claim.state === 'mine';
  })()`,
  'changes/index.ts': `typeof entry.createPoller === 'function'`,
  'oauth/index.ts': `(async () => {
    const application = { clientId: 'id', clientSecret: 'secret', redirectUri: 'https://app.example/callback' };
    const { url, attempt } = await entry.createOAuth(application).begin();
    return new URL(url).searchParams.get('code_challenge').length === 43 && attempt.length > 40;
  })()`,
  'testing/index.ts': `entry.signedDelivery('BOOKING_CREATED', 'secret').then(({ body }) => body.includes('BOOKING_CREATED'))`,
  'webhooks/index.ts': `(async () => {
    const keys = [];
    const receiver = entry.createReceiver({ subscription }).on('BOOKING_CREATED', ({ delivery_key, change_key }) => keys.push(delivery_key, change_key));
    const deliver = async (headers) => (await entry.fetchHandler(receiver)(new Request('https://app.example/', { method: 'POST', headers, body }))).status;
    const statuses = [await deliver(headers), await deliver(forged)];
    return statuses.join() === '200,401' && keys.every((key) => key.length === 64);
  })()`,
};

describe.each(Object.entries(uses))('%s', (file, use) => {
  let code = '';
  beforeAll(async () => {
    const bundled = await build({
      entryPoints: [join(root, 'sdk', file)],
      bundle: true,
      format: 'iife',
      globalName: 'entry',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      external: ['node:*'],
      write: false,
      logLevel: 'error',
    });
    code = bundled.outputFiles[0]?.text ?? '';
  });

  test('is loaded where the tests of a page run, which lack much of what a page has', () => {
    const { fetch: _f, Headers: _h, Request: _q, Response: _s, TextDecoder: _d, TextEncoder: _e, crypto: _c, ...jsdom } = web;
    expect(runInContext(`${code};\ntypeof entry`, createContext(jsdom))).toBe('object');
  });

  test.each(Object.entries(imitations))('is loaded and works with %s', async (_, imitate) => {
    const body = bookingBody({ notes: 'ü – €' });
    const given = { subscription: subscribed, body, headers: headersOf({ body }), forged: headersOf({ body, signature: 'sha256=' }) };
    const globals = { ...web, ...given, fetch: async () => Response.json({ id: 'usr_1', email: 'host@example.com' }) };
    imitate(globals);
    const context = createContext(globals);
    expect(await (runInContext(`${code};\n${use}`, context) as unknown)).toBe(true);
  });
});
