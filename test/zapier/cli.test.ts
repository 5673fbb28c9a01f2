import { spawn } from 'node:child_process';
import { appendFile, cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { zapierFolder } from '../../tools/build/products.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { localFolder } from '../../tools/process/localFolder.ts';
import { root } from '../../tools/root.cjs';
import { Browser } from '../../tools/rigs/zapier/browser.ts';

/** Each command starts a large program again. */

let sandbox: Sandbox;
/** A copy of the app's folder, because the tool keeps the connection in a file there, and must not touch a developer's own. */
let folder: string;

beforeAll(async () => {
  const built = await zapierFolder();
  sandbox = await startSandbox({ limits: false });
  folder = await localFolder('zapier-cli-');
  for (const part of ['package.json', 'dist']) await cp(join(built, part), join(folder, part), { recursive: true });
  await appendFile(
    join(folder, '.env'),
    `CLIENT_ID='${sandbox.client.id}'\nCLIENT_SECRET='${sandbox.client.secret}'\nBASE_URL='${sandbox.baseUrl}'\n`,
  );
});

afterAll(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs one of the official tool's commands without a login, and returns what it printed. */
async function zapier(args: string[], onOutput: (output: string) => void = () => undefined): Promise<string> {
  const cli = join(root, 'node_modules', 'zapier-platform-cli', 'src', 'bin', 'run');
  // No window opens, because the test itself is the browser. NODE_ENV would switch the platform to its test mode.
  const { NODE_ENV: _, DISPLAY: _display, ...environment } = process.env;
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { ...environment, DISABLE_ZAPIER_ANALYTICS: '1', BROWSER: 'true', HOME: folder },
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

const invoke = async (...args: string[]): Promise<unknown> => JSON.parse(await zapier(['invoke', ...args, '--non-interactive']));

test('`invoke auth start` connects an account through the consent page and keeps the tokens in .env', async () => {
  const port = await freePort();
  const redirectUri = `http://localhost:${port}`;
  sandbox.allowRedirect(redirectUri);
  let consenting: Promise<unknown> | undefined;
  await zapier(
    ['invoke', 'auth', 'start', '--non-interactive', '--debug', '--local-port', String(port), '--redirect-uri', redirectUri],
    (output) => {
      const [, address] = /authorizeUrl: (\S+)/.exec(output) ?? [];
      // The tool prints the address before it listens for the answer, which is its next step.
      if (address !== undefined && output.includes('Opening browser')) consenting ??= consent(address);
    },
  );
  await consenting;
  expect(await readFile(join(folder, '.env'), 'utf8')).toMatch(/authData_access_token='\w+[\s\S]*authData_refresh_token='\w+/);
});

async function consent(address: string): Promise<void> {
  const browser = new Browser();
  const { status } = await browser.press(await browser.open(address), /allow/i);
  expect(status).toBe(200);
}

test('`invoke auth test`, `label` and `refresh` use the connection', async () => {
  expect(await invoke('auth', 'test')).toMatchObject({ email: sandbox.account.email });
  expect((await zapier(['invoke', 'auth', 'label', '--non-interactive'])).trim()).toBe(
    `${sandbox.account.name} (${sandbox.account.email})`,
  );
  await zapier(['invoke', 'auth', 'refresh', '--non-interactive']);
  expect(await invoke('auth', 'test')).toMatchObject({ email: sandbox.account.email });
});

test('`invoke create` books, with the time read in the zone that was asked for', async () => {
  const type = sandbox.eventTypes().find(({ name }) => name === 'Intro Call');
  const day = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
  const input = { event_type_id: type?.id, start_time: `${day}T09:00:00`, invitee_name: 'Ada Lovelace', invitee_email: 'cli@example.com' };
  const made = await invoke('create', 'create_booking', '--inputData', JSON.stringify(input), '--timezone', 'Asia/Tokyo');
  const [kept] = sandbox.bookings().filter(({ invitee_email: email }) => email === 'cli@example.com');
  expect(made).toMatchObject({ id: kept?.id, status: 'CONFIRMED' });
  expect(Date.parse(kept?.start_time ?? '')).toBe(Date.parse(`${day}T09:00:00+09:00`));
});

test('`invoke search` finds what was booked', async () => {
  const found = await invoke('search', 'find_booking', '--inputData', JSON.stringify({ email: 'cli@example.com' }));
  expect(found).toMatchObject({ results: [{ invitee_email: 'cli@example.com' }] });
});

test('`invoke trigger` of an instant trigger gives nothing, because there is no delivery, and no error', async () => {
  expect(await invoke('trigger', 'booking_created')).toEqual([]);
});

test('`invoke auth template` shows where the token goes', async () => {
  expect(await invoke('auth', 'template')).toMatchObject({
    supported: true,
    template: { headers: { Authorization: 'Bearer {{bundle.authData.access_token}}' } },
  });
});
