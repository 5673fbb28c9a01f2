import { spawn } from 'node:child_process';
import { appendFile, cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { builtFolder } from '../../tools/build/products.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { localFolder } from '../../tools/process/command.ts';
import { agree } from '../../tools/rigs/mcp/connected.ts';
import { root } from '../../tools/root.cjs';
import { inTerminal } from '../support/reader.ts';

/** Zapier's official command line tool. */
const cli = join(root, 'node_modules', 'zapier-platform-cli', 'src', 'bin', 'run');

let sandbox: Sandbox;
/** A copy of the built app's folder, because the tool keeps the connection in a file there, and must not touch a developer's own. */
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
  const built = await builtFolder('zapier');
  folder = await localFolder('zapier-cli-');
  for (const part of ['package.json', 'dist']) await cp(join(built, part), join(folder, part), { recursive: true });
  const { client, baseUrl } = sandbox;
  await appendFile(join(folder, '.env'), `CLIENT_ID='${client.id}'\nCLIENT_SECRET='${client.secret}'\nBASE_URL='${baseUrl}'\n`);
  // NODE_ENV would switch the platform to its test mode. No window opens, because the test itself is the browser.
  const { NODE_ENV: _, DISPLAY: _display, ...environment } = process.env as Record<string, string>;
  env = { ...environment, DISABLE_ZAPIER_ANALYTICS: '1', HOME: folder, BROWSER: 'true' };
});
afterAll(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs one of the official tool's commands without a login, and returns what it printed. */
async function zapier(args: string[], onOutput: (output: string) => void = () => undefined): Promise<string> {
  const child = spawn(process.execPath, [cli, 'invoke', ...args, '--non-interactive'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [result, all] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (result += chunk.toString()));
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      all += chunk.toString();
      onOutput(all);
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`zapier-platform ${args.join(' ')} ended with ${code}:\n${all}`);
  return result;
}

test('`invoke auth start` connects an account through the consent page and keeps the tokens in .env, and `invoke auth label` names it', async () => {
  const port = await freePort();
  const redirectUri = `http://localhost:${port}`;
  sandbox.allowRedirect(redirectUri);
  let consenting: Promise<unknown> | undefined;
  await zapier(['auth', 'start', '--debug', '--local-port', String(port), '--redirect-uri', redirectUri], (output) => {
    const [, address] = /authorizeUrl: (\S+)/.exec(output) ?? [];
    // The tool prints the address before it listens for the answer, which is its next step.
    if (address !== undefined && output.includes('Opening browser')) consenting ??= agree(address, /allow/i);
  });
  await consenting;
  expect(await readFile(join(folder, '.env'), 'utf8')).toMatch(/authData_access_token='\w+[\s\S]*authData_refresh_token='\w+/);
  expect((await zapier(['auth', 'label'])).trim()).toBe(`${sandbox.account.name} (${sandbox.account.email})`);
});

test('`invoke create create_booking`, as the guide has it, asks for each field, offers the event types, and books; `invoke search` finds it', async () => {
  const day = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
  const { said, end } = inTerminal(`'${process.execPath}' '${cli}' invoke create create_booking --timezone Asia/Tokyo`, {
    cwd: folder,
    env: { ...env, COLUMNS: '200' },
    answers: [
      [/❯ [^\n]*\(evt_\w+\)/, ''],
      [/Start\b[^]*start_time[^:]*:/, `${day}T12:00:00`],
      [/invitee_name[^:]*:/, 'Ada Lovelace'],
      [/invitee_email[^:]*:/, 'cli@example.com'],
      [/❯ >>> DONE/, ''],
      // Once more, because the event type asks questions.
      [/❯ >>> DONE/, ''],
    ],
  });
  expect([await end, said()]).toEqual([0, expect.stringContaining('"status": "CONFIRMED"')]);
  const [kept, ...others] = sandbox.bookings().filter(({ invitee_email: email }) => email === 'cli@example.com');
  expect(others).toEqual([]);
  expect(Date.parse(kept?.start_time ?? '')).toBe(Date.parse(`${day}T12:00:00+09:00`));
  const found: unknown = JSON.parse(await zapier(['search', 'find_booking', '-i', JSON.stringify({ email: 'cli@example.com' })]));
  expect(found).toMatchObject({ results: [{ id: kept?.id }] });
});
