import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { SchedulerOAuth2Api } from '../../n8n/credentials/SchedulerOAuth2Api.credentials.ts';
import { inMarkdown } from '../../tools/build/brand/replace.ts';
import { redirectUri } from '../../tools/rigs/n8n/credentials.ts';
import { root } from '../../tools/root.cjs';
import { startSandbox } from '../../sandbox/service.ts';
import { latestCommit, listScan } from '../../shared/assumptions.ts';
import { brand } from '../../shared/brand.ts';
import { activationPolicy, backgroundPolicy, faultWaitMs, interactivePolicy, zapierStepPolicy } from '../../shared/client/retry.ts';
import { limits } from '../../shared/limits.ts';
import { operationLabel } from '../../shared/operations/define.ts';
import { operations, searches } from '../../shared/operations/index.ts';
import { pollShare } from '../../shared/polling/pace.ts';
import { rememberedDeliveries } from '../../shared/webhooks/memory.ts';
import { throttle } from '../../zapier/adapter/throttle.ts';
import { anchorsOf, guides, withoutCode } from './guides.ts';

const run = promisify(execFile);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

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
  const zapier = read('docs/use/zapier.md');
  for (const each of [
    ...searches,
    ...operations.filter(({ name, resource }) => resource === 'booking' && (name === 'create' || name === 'cancel')),
  ])
    expect(zapier).toContain(`*${operationLabel(each)}*`);
});

it('the troubleshooting page shows sentences that the code has, apart from what is filled in', () => {
  const code = globSync(['shared/**/*.ts', 'n8n/adapter/*.ts', 'zapier/adapter/*.ts'], { cwd: root })
    .map((file) => read(file).replaceAll("\\'", "'"))
    .join('\n');
  // Names, quotes, numbers and addresses, and the words next to which the code fills something in.
  const filledIn =
    /<!--name-->.*?<!--\/name-->|"[^"]*"|\S*\d\S*|\S*[@/]\S*|\S*\.example\S*|X-\S+|[A-Z]+_\w+|(?:the )?bookings?|account's|rate limit|expected|but got|this for|an address|[.:;,()*]+/;
  const messages = [...read('docs/reference/troubleshooting.md').matchAll(/^\| \*\*(.+?) \|/gm)].map(([, cell = '']) => cell);
  const phrases = messages.flatMap((cell) => cell.split(filledIn)).map((each) => each.trim());
  expect(messages.length).toBeGreaterThan(30);
  expect(phrases.filter((phrase) => phrase.split(' ').length > 2 && !code.includes(phrase))).toEqual([]);
});

it('the page of limits has the numbers of the code', () => {
  const page = read('docs/reference/limits.md');
  const seconds = (...times: number[]): string => times.map((ms) => `${ms / 1000} s`).join(', ');
  for (const number of [
    `| ${limits.subscriptions} | Each Zap`,
    `| ${limits.subscriptionRequestsPerMinute} a minute`,
    `| ${limits.requestsPerMinute.toLocaleString('en-US')} a minute`,
    `| ${limits.requestsPerMinute * pollShare} a minute for each polling trigger`,
    `| ${limits.tokenExchangesPerMinute} a minute`,
    `Zapier starts ${throttle.limit} steps`,
    `(5xx) | ${backgroundPolicy.attempts} | ${zapierStepPolicy.attempts},`,
    `| ${seconds(faultWaitMs)}.`,
    `| ${seconds(backgroundPolicy.totalWaitMs)}; ${seconds(activationPolicy.totalWaitMs)} while a trigger is set up, ${seconds(interactivePolicy.totalWaitMs)} for`,
    `${seconds(zapierStepPolicy.totalWaitMs)} within the step`,
    `| ${seconds(...backgroundPolicy.readBackMs.slice(1))} | ${seconds(...zapierStepPolicy.readBackMs.slice(1))} |`,
    `once ${latestCommit.seconds} s have passed`,
    `| ${(listScan.pages * limits.pageSize).toLocaleString('en-US')} |`,
    `the last ${rememberedDeliveries.toLocaleString('en-US')} of all triggers`,
  ])
    expect(page).toContain(number);
});

it('the ten lines that verify a delivery are the ones that ship, except for their types', async () => {
  const [, shown = ''] = /```js\n[\s\S]*?(export function isGenuine[\s\S]*?\n}\n)```/.exec(read('docs/guides/verification.md')) ?? [];
  const [source = ''] = /export function isGenuine[\s\S]*?\n}\n/.exec(read('shared/webhooks/signature.ts')) ?? [];
  const plain = async (text: string) => (await transform(text, { loader: 'ts' })).code;
  expect(shown).toContain('timingSafeEqual');
  expect(await plain(source)).toBe(await plain(shown));
});

describe('the pipelines that publish', () => {
  const validator = join(root, 'node_modules', '@action-validator', 'cli', 'cli.mjs');

  it.each(['test.yml', 'release.yml', 'security.yml'])('the pipeline %s is what its host takes', async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'pipeline-'));
    try {
      // The validator does not know this permission yet.
      await writeFile(join(folder, name), read(`.github/workflows/${name}`).replace(/^ +attestations: write\n/m, ''));
      await run(process.execPath, [validator, join(folder, name)]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('every manifest has the names of brand.json, by which people install and start things', () => {
    const manifests = ['n8n/package.json', 'zapier/package.json', 'mcp/package.json', 'mcp/manifest.json', 'sdk/package.json'];
    const named = manifests.map((path) => JSON.parse(read(path)) as { name: string; bin?: object });
    expect(named.map(({ name, bin = {} }) => [name, ...Object.keys(bin)])).toEqual([
      [`n8n-nodes-${brand.slug}`],
      [`${brand.slug}-zapier`],
      [`${brand.slug}-mcp`, `${brand.slug}-mcp`],
      [`${brand.slug}-mcp`],
      [brand.slug, brand.slug],
    ]);
  });

  it('every manifest and the list of changes have the same version', () => {
    const versions = ['.', 'n8n', 'zapier', 'mcp', 'sdk']
      .map((folder) => `${folder}/package.json`)
      .concat('mcp/server.json', 'mcp/manifest.json')
      .map((path) => (JSON.parse(read(path)) as { version: string }).version);
    const [, newest] = /^## (\d\S*)/m.exec(read('CHANGELOG.md')) ?? [];
    expect(new Set([...versions, newest]).size).toBe(1);
  });
});
