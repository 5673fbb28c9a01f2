import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, sep } from 'node:path';
import { parse } from 'yaml';
import { SchedulerOAuth2Api } from '../../n8n/credentials/SchedulerOAuth2Api.credentials.ts';
import { inMarkdown } from '../../tools/build/brand/replace.ts';
import { packageExports, type Exported } from '../../tools/docs/packageReference.ts';
import { anchor } from '../../tools/docs/reference.ts';
import { mustRun } from '../../tools/process/command.ts';
import { redirectUri } from '../../tools/rigs/n8n/session.ts';
import { n8nVersion } from '../../tools/rigs/n8n/install.ts';
import { root } from '../../tools/root.cjs';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { latestCommit, listScan } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { activationPolicy, backgroundPolicy, faultWaitMs, interactivePolicy, zapierStepPolicy } from '../../shared/client/retry.ts';
import { eventRows, listedRows } from '../../shared/events.ts';
import { limits } from '../../shared/limits.ts';
import { allScopes, oauthEndpoints } from '../../shared/oauth/oauth.ts';
import { pollShare } from '../../shared/polling/pace.ts';
import { rememberedDeliveries } from '../../shared/webhooks/memory.ts';
import { throttle } from '../../zapier/adapter/connection.ts';
import { guides, notOurs, withoutCode } from './guides.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The anchors of a document's headings, as Markdown renderers make them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    anchor(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
  );
  const before = (at: number): number => headings.slice(0, at).filter((each) => each === headings[at]).length;
  return new Set(headings.map((heading, at) => (before(at) === 0 ? heading : `${heading}-${before(at)}`)));
}

it.each(guides.map(({ path, text }) => [path, text] as const))('every link of %s leads somewhere', (path, text) => {
  const broken = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^https?:|^mailto:/.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    const full = file === '' ? path : normalize(join(dirname(path), file));
    if (!existsSync(join(root, full))) return [target];
    return anchor !== undefined && !anchorsOf(read(full)).has(anchor) ? [target] : [];
  });
  expect(broken).toEqual([]);
});

it('every document can be reached from the README', () => {
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path) || !/\.md$|^llms\.txt$/.test(path) || !existsSync(join(root, path))) return;
    reached.add(path);
    for (const [, target = ''] of withoutCode(read(path)).matchAll(/\]\(([^)\s#]+)/g))
      if (!/^https?:/.test(target)) follow(normalize(join(dirname(path), target)));
  };
  follow('README.md');
  // Documents next to tests are for people who read the tests.
  expect(guides.map(({ path }) => path).filter((path) => !path.startsWith('test/') && !reached.has(path))).toEqual([]);
});

it('the quick starts use the words that the screens show, and redirect addresses that the sandbox knows', async () => {
  const n8n = read('docs/use/n8n.md').replaceAll(/<!--\/?name-->/g, '');
  expect(n8n).toContain(new SchedulerOAuth2Api().displayName.replace(brand.name, () => inMarkdown(brand.name)));
  expect(n8n).toContain(`n8n-nodes-${brand.slug}`);
  const local = redirectUri('http://localhost:5678');
  expect(n8n).toContain(local);
  const sandbox = await startSandbox();
  try {
    expect(sandbox.client.redirectUris).toContain(local);
  } finally {
    await sandbox.stop();
  }
});

it('Zapier cuts an error after 250 characters, and the sentences of the troubleshooting page are not longer', () => {
  const rows = [...read('docs/reference/troubleshooting.md').matchAll(/^\| \*\*(.+?) \| .+$/gm)].filter(([row]) => !row.includes('n8n'));
  const sentences = rows.map(([, cell = '']) => cell.replaceAll(/<!--\/?name-->|\*\*/g, ''));
  expect(sentences.length).toBeGreaterThan(20);
  expect(sentences.filter(({ length }) => length > 250)).toEqual([]);
});

it('the page of limits has the numbers of the code', () => {
  const page = read('docs/reference/limits.md');
  const seconds = (...times: number[]): string[] => times.map((ms) => `${ms / 1000} s`);
  const shown = [
    limits.subscriptions,
    `${limits.subscriptionRequestsPerMinute} a minute`,
    `${limits.requestsPerMinute.toLocaleString('en-US')} a minute`,
    `${limits.requestsPerMinute * pollShare} a minute`,
    `${limits.tokenExchangesPerMinute} a minute`,
    throttle.limit,
    backgroundPolicy.attempts,
    zapierStepPolicy.attempts,
    ...seconds(faultWaitMs, backgroundPolicy.totalWaitMs, activationPolicy.totalWaitMs, interactivePolicy.totalWaitMs),
    ...seconds(zapierStepPolicy.totalWaitMs),
    seconds(...backgroundPolicy.readBackMs.slice(1)).join(', '),
    seconds(...zapierStepPolicy.readBackMs.slice(1)).join(', '),
    `${latestCommit.seconds} s`,
    (listScan.pages * limits.pageSize).toLocaleString('en-US'),
    rememberedDeliveries.toLocaleString('en-US'),
  ];
  expect(shown.filter((each) => !new RegExp(`(?<![\\d.,])${each}(?![\\d.,]*\\d)`).test(page))).toEqual([]);
});

it('the guide for polling says how certain each event is that a poll can find', () => {
  const [, section = ''] = read('docs/guides/polling.md').split('\n## How certain each event is\n');
  const rows = [...(section.split('\n## ')[0]?.matchAll(/^\| ([^|]+) \|/gm) ?? [])].slice(2);
  expect(rows.map(([, label]) => label).sort()).toEqual(
    listedRows(eventRows)
      .map(({ label }) => label)
      .sort(),
  );
});

it('every manifest has the names of brand.json, by which people install and start things', () => {
  const manifests = [
    'n8n/package.json',
    'zapier/package.json',
    'mcp/package.json',
    'mcp/manifest.json',
    'hosted/package.json',
    'sdk/package.json',
    'sandbox/package.json',
  ];
  const named = manifests.map((path) => JSON.parse(read(path)) as { name: string; bin?: object });
  expect(named.map(({ name, bin = {} }) => [name, ...Object.keys(bin)])).toEqual([
    [`n8n-nodes-${brand.slug}`],
    [`${brand.slug}-zapier`],
    [`${brand.slug}-mcp`, `${brand.slug}-mcp`],
    [`${brand.slug}-mcp`],
    [`${brand.slug}-mcp-server`, `${brand.slug}-mcp-server`],
    [brand.slug, brand.slug],
    [`${brand.slug}-sandbox`, `${brand.slug}-sandbox`],
  ]);
});

it('every manifest and the list of changes have the same version', () => {
  const versions = ['.', 'n8n', 'zapier', 'mcp', 'hosted', 'sdk', 'sandbox']
    .map((folder) => `${folder}/package.json`)
    .concat('mcp/server.json', 'mcp/manifest.json', 'mcp/.claude-plugin/plugin.json', 'hosted/server.json')
    .concat('package-lock.json', 'hosted/package-lock.json', 'zapier/package-lock.json')
    .map((path) => (JSON.parse(read(path)) as { version: string }).version);
  const [, newest] = /^## (\d\S*)/m.exec(read('CHANGELOG.md')) ?? [];
  expect(new Set([...versions, newest]).size).toBe(1);
});

it('the picture of the architecture shows what imports what', () => {
  const parts = ['shared', 'zapier', 'n8n', 'mcp', 'hosted', 'sdk', 'sandbox'];
  const files = globSync(`{${parts.join()}}/**/*.ts`, { cwd: root, exclude: (path) => notOurs.has(basename(path)) });
  const arrows = files.flatMap((file) => {
    const [part = ''] = file.split(sep);
    const others = [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path).split(sep)[0] ?? '');
    return others.filter((other) => other !== part && parts.includes(other)).map((other) => `${part} --> ${other}`);
  });
  const drawn = [...read('ARCHITECTURE.md').matchAll(/^ {2}(\w+ --> \w+)$/gm)].map(([, arrow]) => arrow);
  expect(drawn.sort()).toEqual([...new Set(arrows)].sort());
});

it('the recipe for Docker installs what the build makes, before the n8n that all tests run on starts, and answers only this machine', () => {
  const { services, volumes } = parse(read('examples/docker/compose.yaml')) as {
    services: Record<
      'n8n' | 'package',
      { image: string; volumes: string[]; depends_on?: object; environment?: object; command?: string[] }
    >;
    volumes: object;
  };
  for (const { image } of Object.values(services)) expect(image).toBe(`n8nio/n8n:${n8nVersion}`);
  expect(services.n8n.depends_on).toHaveProperty('package');
  expect(services.package.volumes).toContain('../../.local/package:/package:ro');
  expect(services.package.command?.join()).toContain('cd /home/node/.n8n/nodes && npm install --legacy-peer-deps --prefix .');
  for (const service of Object.values(services)) expect(service.volumes).toContain(`${Object.keys(volumes).join()}:/home/node/.n8n`);
  expect(services.n8n.environment).toMatchObject({ N8N_LISTEN_ADDRESS: '127.0.0.1', N8N_WEBHOOK_URL: 'http://localhost:5678/' });
});

it('the MCP server for many users reads each setting that its recipe for containers sets, and its README lists them all', () => {
  const named = (text: string): string[] =>
    [
      ...new Set(
        text.match(/\b[A-Z]+(?:_[A-Z]+)*_(?:URL|ID|SECRET|KEYS|FOLDER|PROXIES|REQUESTS|INSIDE|CLIENTS|PROXY)\b|\b(?:HOST|PORT)\b/g),
      ),
    ].sort();
  const [, help = ''] = /settingsHelp = `([^`]*)`/.exec(read('hosted/settings.ts')) ?? [];
  const { services } = parse(read('hosted/compose.yaml')) as { services: { mcp: { environment: object } } };
  const image = /^ENV (.*)$/m.exec(read('hosted/Containerfile'))?.[1]?.matchAll(/(\w+)=/g) ?? [];
  const set = [...Object.keys(services.mcp.environment), ...[...image].map(([, name = '']) => name)].filter((name) => name !== 'NODE_ENV');
  expect(set.length).toBeGreaterThan(5);
  expect(set.filter((name) => !named(help).includes(name))).toEqual([]);
  expect(named(read('hosted/README.md').split('## Settings')[1] ?? '')).toEqual(named(help));
});

describe('the package for developers', () => {
  let exported: Exported[] = [];
  beforeAll(async () => {
    exported = [...packageExports().values()].flat();
  });

  it('explains the purpose of everything that it exports', () => {
    expect(exported.filter(({ purpose }) => purpose === '').map(({ id }) => id)).toEqual([]);
  });

  it('exports every type that a declaration names', () => {
    // Types that every TypeScript program knows.
    const known =
      'AbortSignal AsyncIterable Date Error Exclude Extract Partial Pick Promise Readonly Record Request RequestInit Required Response URL URLSearchParams Uint8Array';
    const names = new Set([...exported.map(({ name }) => name), ...known.split(' ')]);
    const unknown = exported.flatMap(({ id, declaration }) => {
      const plain = declaration.replaceAll(/\/\*[^]*?\*\/|'[^'\n]*'|"[^"\n]*"/g, '');
      const parameters = /[<[]([A-Z]\w*) (?:extends|in) |<([A-Z]\w*)>\(|^(?:interface|type) \w+<([A-Z]\w*)/g;
      const own = [...plain.matchAll(parameters)].flatMap(([, ...each]) => each);
      const named = [...plain.matchAll(/(?<![\w.])[A-Z]\w*/g)].map(([each]) => each);
      return named.filter((each) => !names.has(each) && !own.includes(each)).map((each) => `${id}: ${each}`);
    });
    expect(unknown).toEqual([]);
  });
});

it('the ten lines that verify a delivery accept those of the reference, and none that was changed', async () => {
  const [, program = ''] = /```js\n([\s\S]*?)\n```/.exec(read('docs/guides/verification.md')) ?? [];
  const page = read('docs/reference/triggers.md');
  const [, secret] = /for the secret `([^`]+)`/.exec(page) ?? [];
  const shown = new RegExp(`^${brand.headerPrefix}-Signature: (.+)\\n\\n(.*)$`, 'gm');
  const deliveries = [...page.matchAll(shown)].map(([, signature, body]) => ({ body, signature, secret }));
  const ask = `for (const { body, signature, secret } of ${JSON.stringify(deliveries)})
  console.log(isGenuine(body, signature, secret), isGenuine(body + ' ', signature, secret), isGenuine(body, undefined, secret), isGenuine(body, signature, 'other'));`;
  const printed = await mustRun(process.execPath, ['--input-type=module', '--eval', `${program}\n${ask}`], { cwd: root });
  expect(printed).toBe('true false false false\n'.repeat(eventRows.length));
});

describe('the guide for generic clients', () => {
  const guide = read('docs/guides/generic-clients.md');
  const section = (heading: string): string => guide.split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? '';
  const rowsOf = (text: string): string[][] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2)
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
  const codes = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner);

  let sandbox: Sandbox;
  beforeAll(async () => void (sandbox = await startSandbox()));
  afterAll(() => sandbox.stop());

  const settingsOf = (heading: string): Map<string, string> =>
    new Map(rowsOf(section(heading)).map(([name = '', value = '']) => [name, value]));
  const origin = new URL(brand.baseUrl).origin;
  /** The guide's address, with the sandbox in place of the service. */
  const here = (address: string): string => address.replace(origin, sandbox.origin);

  it('both settings tables name the addresses and the permissions that the core uses', () => {
    const endpoints = oauthEndpoints(brand.baseUrl);
    for (const [heading, authorize, token, scope] of [
      ['## n8n: the HTTP Request node', 'Authorization URL', 'Access Token URL', 'Scope'],
      ['### Connection', 'Authorize URI', 'Token URI', 'Scopes'],
    ] as const) {
      const settings = settingsOf(heading);
      expect(codes(settings.get(authorize) ?? '')).toEqual([endpoints.authorizeUrl]);
      expect(codes(settings.get(token) ?? '')).toEqual([endpoints.tokenUrl]);
      expect(codes(settings.get(scope) ?? '').join(' ')).toBe(allScopes);
    }
  });

  /** The value at `data.id`, or at `data[].id` of the first entry. */
  function at(body: unknown, path: string): unknown {
    return path.split('.').reduce<unknown>((holder, key) => {
      const found = (holder as Record<string, unknown> | undefined)?.[key.replace('[]', '')];
      return key.endsWith('[]') ? (found as unknown[])[0] : found;
    }, body);
  }

  it('every request of the table for Make is answered as the table says, one after another', async () => {
    const { access_token: token } = sandbox.issueToken();
    const type = sandbox.eventTypes().find(({ name }) => name === 'Coffee Chat');
    const known: Record<string, string> = { 'event type': type?.id ?? '', 'webhook address': 'http://127.0.0.1:9/make' };
    const fill = (text: string): string => text.replaceAll(/<([^>]+)>/g, (_, name: string) => known[name] ?? `nothing is known of ${name}`);
    const rows = rowsOf(section('### Requests'));
    expect(rows).toHaveLength(11);
    const [id = ''] = codes(rows.find(([step]) => step === 'Create a booking')?.[5] ?? '');
    for (const [step = '', method = '', address = '', query = '', content = '', answer = ''] of rows) {
      const url = new URL(fill(here(codes(address)[0] ?? '')));
      for (const pair of codes(query)) url.searchParams.set(...(fill(pair).split('=') as [string, string]));
      const body = codes(content)[0];
      const response = await fetch(url, {
        method,
        redirect: 'error',
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: fill(body) }),
      });
      const text = await response.text();
      expect([step, response.status, text]).toEqual([step, Number(answer.split(',')[0]), text]);
      const reply: unknown = text === '' ? undefined : JSON.parse(text);
      const [path] = codes(answer);
      if (path !== undefined) expect([step, typeof at(reply, path)]).toEqual([step, 'string']);
      if (path !== undefined) known[path] = String(at(reply, path));
      if (step === 'Create a booking') known['booking'] = String(at(reply, id));
      if (step === 'Subscribe a custom webhook') known['subscription'] = String(at(reply, id));
    }
    expect(sandbox.bookings().find(({ id }) => id === known['booking'])).toMatchObject({
      status: 'CANCELLED',
      cancellation_reason: 'An example',
      locale: 'fr',
    });
    expect(sandbox.subscriptions()).toEqual([]);
  });
});
