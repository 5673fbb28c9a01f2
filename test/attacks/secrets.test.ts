import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { memoryStore } from '../../sdk/oauth/index.ts';
import { readTokens } from '../../shared/oauth/oauth.ts';
import { root } from '../../tools/root.cjs';
import { unzip } from '../../tools/build/zip.ts';
import { operationNames, operations, type OperationName } from '../soak/operations.ts';
import { chance } from '../soak/random.ts';
import { VirtualTime } from '../soak/time.ts';
import { createWorld, type Wire, type World } from '../soak/world.ts';

/** Ten secrets, each recognisable wherever it turns up. */
const canaries = {
  accessToken: 'at_CANARY01',
  refreshToken: 'rt_CANARY02',
  clientSecret: 'cs_CANARY03',
  renewedAccess: 'at_CANARY06',
  renewedRefresh: 'rt_CANARY07',
  code: 'code_CANARY08',
  verifier: 'verifier_CANARY09',
  cookie: 'session=CANARY10',
  proxy: 'Basic CANARY11',
  echoed: 'at_CANARY12',
} as const;
const anyCanary = /CANARY\d\d/;

let world: World;
let written: string[];
beforeEach(async () => {
  world = await createWorld(new VirtualTime(), true);
  written = [];
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((chunk: string | Uint8Array) => written.push(String(chunk)) > 0);
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const)
    jest.spyOn(console, name).mockImplementation((...words: unknown[]) => void written.push(inspect(words)));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await world.sandbox.stop();
});

const connection = () => ({
  ...world.connect(false, chance(1)),
  clientSecret: canaries.clientSecret,
  tokens: memoryStore({ access_token: canaries.accessToken, refresh_token: canaries.refreshToken }),
});

let attempts = 0;
/** An operation on a connection whose secrets are the canaries. */
const prepared = (name: OperationName, wire: Wire) =>
  operations[name].prepare(world, { wire, time: world.time, connection: connection() }, `${name}-${(attempts += 1)}`);

/** Answers like the service, with tokens that replace the canaries, so that only the client itself can leak the canaries. */
const served = (): Wire => {
  const { access_token: real } = world.sandbox.issueToken({ expiresInSeconds: 1_000_000_000 });
  return (request) => {
    const own = new Request(request);
    own.headers.set('authorization', `Bearer ${real}`);
    return world.wire(own);
  };
};

/** Answers that send back everything they can get hold of. */
const echoing =
  (status: number): Wire =>
  async ({ headers }) =>
    Response.json(
      {
        error: `Refused Bearer ${canaries.echoed}`,
        code: 'SOME_CODE',
        message: `You sent ${headers.get('authorization')}`,
        details: [{ field: 'authorization', message: `was Bearer ${canaries.accessToken}` }],
      },
      { status, headers: { 'set-cookie': canaries.cookie, 'www-authenticate': canaries.proxy } },
    );

const inAllForms = (value: unknown) =>
  [
    JSON.stringify(value) ?? '',
    inspect(value, { depth: 12, showHidden: true }),
    String(value),
    value instanceof Error ? `${value.stack}` : '',
  ].join('\n');

/** Breaks the connection the way HTTP clients do: their errors carry the request, including the token, in all the usual places. */
const breaking: Wire = (request) => {
  const sent = `${request.method} ${request.url} authorization: ${request.headers.get('authorization')}`;
  const behind = Object.assign(new Error(sent), { code: 'ECONNRESET', syscall: 'read' });
  return Promise.reject(
    Object.assign(new Error('socket hang up', { cause: behind }), {
      code: 'ECONNRESET',
      config: request,
      options: request,
      request: { _header: sent },
      response: { config: request },
    }),
  );
};

describe('the package', () => {
  it.each(operationNames)(
    '%s shows no token when the connection breaks, although the error of the HTTP client contains it',
    async (name) => {
      let broken = 0;
      const wire: Wire = (request) => {
        broken += Number(request.headers.get('authorization') === `Bearer ${canaries.accessToken}`);
        return breaking(request);
      };
      const attempt = prepared(name, wire);
      const told = await attempt.run().catch((error: unknown) => error);
      expect(broken).toBeGreaterThan(0);
      expect(inAllForms(told) + written.join('\n')).not.toMatch(anyCanary);
    },
  );

  it.each(operationNames)('%s puts no secret into its output, its errors or the log', async (name) => {
    for (const wire of [served(), ...[400, 401, 403, 404, 409, 422, 429, 500, 503].map(echoing)]) {
      const attempt = prepared(name, wire);
      const told = await attempt.run().catch((error: unknown) => error);
      const shown = inAllForms(told);
      // The service may show its own data. But if it echoes a token, the token is removed because its form gives it away.
      expect(shown).not.toMatch(anyCanary);
    }
    expect(written.join('\n')).not.toMatch(anyCanary);
  });
});

it.each(['invalid_grant', `Refused Bearer ${canaries.accessToken}`])(
  'a token call that is refused (%s) reveals no code, verifier or token',
  (error) => {
    for (const status of [400, 401, 403, 429, 500]) {
      let refused: unknown;
      try {
        readTokens({
          status,
          headers: {},
          body: {
            error,
            code: `Bearer ${canaries.renewedAccess}`,
            error_description: `${canaries.code} ${canaries.verifier} ${canaries.renewedAccess} ${canaries.renewedRefresh}`,
          },
        });
      } catch (thrown) {
        refused = thrown;
      }
      expect(refused).toBeDefined();
      expect(inAllForms(refused)).not.toMatch(anyCanary);
    }
  },
);

it('the token goes into the header and nowhere else', async () => {
  const sent: { url: string; body: string; headers: Record<string, string> }[] = [];
  const inner = served();
  const watched: Wire = async (request) => {
    sent.push({ url: request.url, body: await request.clone().text(), headers: Object.fromEntries(request.headers) });
    return inner(request);
  };
  for (const name of operationNames) {
    await prepared(name, watched).run();
  }
  expect(sent.length).toBeGreaterThan(8);
  for (const { url, body, headers } of sent) {
    const { authorization, ...others } = headers;
    expect(authorization).toBe(`Bearer ${canaries.accessToken}`);
    expect(url + body + JSON.stringify(others)).not.toMatch(anyCanary);
  }
});

/**
 * Built outside the tests' module loader.
 * @returns the file that people use
 */
const built = (product: 'n8nTarball' | 'zapierZip') =>
  execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', `import { ${product} } from './tools/build/products.ts'; console.log(await ${product}());`],
    { cwd: root, encoding: 'utf8' },
  )
    .trim()
    .split('\n')
    .at(-1) ?? '';

it('neither package holds a secret, a path of this machine, or a file that its users do not need', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  try {
    execFileSync('tar', ['-xzf', built('n8nTarball'), '-C', folder]);
    await unzip(built('zapierZip'), join(folder, 'zapier'));
    const own = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.parentPath.includes('node_modules'),
    );
    expect(own.length).toBeGreaterThan(20);
    for (const { name, parentPath } of own) {
      expect(`${parentPath}/${name}`.slice(folder.length)).not.toMatch(/\.env|\.pem|id_rsa|\.sqlite|sandbox|soak/);
      const content = readFileSync(join(parentPath, name), 'latin1');
      expect({
        name,
        found: /CANARY|whsec_[A-Za-z0-9_-]{20}|\b(?:at|rt|cs)_[A-Za-z0-9_-]{20}|BEGIN [A-Z ]*PRIVATE KEY/.exec(content)?.[0],
      }).toEqual({ name, found: undefined });
      expect({ name, isOurs: content.includes(`${root}/`) }).toEqual({ name, isOurs: false });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
