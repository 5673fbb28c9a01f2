import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { appendFile, cp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows } from '../../shared/events.ts';
import { zapierFolder } from '../../tools/build/products.ts';
import { localFolder } from '../../tools/process/localFolder.ts';
import { majors } from '../../tools/rigs/node.ts';
import { root } from '../../tools/root.cjs';
import { Reader } from '../support/reader.ts';
import { until } from '../support/until.ts';
import { commandBlocks } from './guides.ts';

/** The commands of one document, in order. */
const commandsOf = (path: string): string[] => commandBlocks.filter((block) => block.path === path).flatMap(({ commands }) => commands);

describe.each(majors)('with Node.js %d in an empty home folder', (major) => {
  let reader: Reader;
  const children: ChildProcess[] = [];
  beforeAll(async () => void (reader = await Reader.with(major)));
  afterAll(async () => {
    for (const { pid = 0, exitCode, signalCode } of children) if (exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
    await reader.close();
  });

  test("the sandbox starts, prints what the guides say, ends with Ctrl-C, and leaves nothing in the reader's home folder", async () => {
    expect(commandsOf('docs/guides/sandbox.md')).toContain('npm run sandbox');
    const line = 'exec npm run sandbox -- --port 0 --data :memory:';
    const child = spawn('bash', ['-c', line], { cwd: root, env: { ...reader.env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    children.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
    await until(() => {
      if (child.exitCode !== null) throw new Error(said);
      return said.includes('Deliveries:');
    });
    for (const promised of ['Base URL', 'Client id', 'Client secret', 'Host page']) expect(said).toContain(promised);
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await until(() => child.exitCode !== null || child.signalCode !== null);
    expect(said).not.toMatch(/Error|Warning/);
    expect(await reader.must('ls -A | grep -v npm || true', reader.home)).toBe('');
  });

  test('the ten lines that verify a delivery accept the genuine ones, and none that was changed', async () => {
    const read = (path: string): string => readFileSync(join(root, path), 'utf8');
    const [, program = ''] = /```js\n([\s\S]*?)\n```/.exec(read('docs/guides/verification.md')) ?? [];
    await writeFile(join(reader.home, 'verify.mjs'), program);
    const page = read('docs/reference/triggers.md');
    const [, secret] = /for the secret `([^`]+)`/.exec(page) ?? [];
    const shown = new RegExp(`^${brand.headerPrefix}-Signature: (.+)\\n\`{3}\\n\\n\`{3}json\\n(.*)$`, 'gm');
    const deliveries = [...page.matchAll(shown)].map(([, signature, body]) => ({ body, signature, secret }));
    const ask = `import { isGenuine } from './verify.mjs';
for (const { body, signature, secret } of ${JSON.stringify(deliveries)})
  console.log(isGenuine(body, signature, secret), isGenuine(body + ' ', signature, secret), isGenuine(body, undefined, secret), isGenuine(body, signature, 'other'));`;
    await writeFile(join(reader.home, 'ask.mjs'), ask);
    expect(await reader.must('node ask.mjs', reader.home)).toBe('true false false false\n'.repeat(eventRows.length));
  });
});

// The tool itself needs Node.js 22. npx runs it with the one that the project brings.
test("Zapier's own tool, with the oldest Node.js, checks the app and names the connected account, as the guide shows it", async () => {
  const reader = await Reader.with(majors[0] ?? 0);
  const sandbox = await startSandbox();
  // A copy, because the tool keeps the connection in a file there, and must not touch a developer's own.
  const copy = await localFolder('zapier-releases-');
  try {
    const folder = join(copy, 'zapier');
    await cp(await zapierFolder(), folder, { recursive: true });
    await symlink(join(root, 'tools'), join(copy, 'tools'), 'junction');
    const { access_token: access, refresh_token: refresh } = sandbox.issueToken();
    const { id, secret } = sandbox.client;
    const kept = `CLIENT_ID='${id}'\nCLIENT_SECRET='${secret}'\nBASE_URL='${sandbox.baseUrl}'\nauthData_access_token='${access}'\nauthData_refresh_token='${refresh}'\n`;
    await appendFile(join(folder, '.env'), kept);
    const wanted = commandsOf('docs/provider/zapier.md').filter((line) => /^export |validate |auth label$/.test(line));
    expect(wanted).toHaveLength(3);
    const printed = await reader.must(wanted.join(' && '), folder);
    expect(printed).toContain(`${sandbox.account.name} (${sandbox.account.email})`);
  } finally {
    await sandbox.stop();
    await rm(copy, { recursive: true, force: true });
    await reader.close();
  }
});
