import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { Browser } from '../../tools/rigs/zapier/browser.ts';
import { cli, cliEnvironment, cliFolder } from './cliFolder.ts';

let sandbox: Sandbox;
let app: Awaited<ReturnType<typeof cliFolder>>;

beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
  app = await cliFolder(sandbox);
});
afterAll(async () => {
  await sandbox.stop();
  await app.remove();
});

/** Runs one of the official tool's commands without a login, and returns what it printed. */
async function zapier(args: string[], onOutput: (output: string) => void = () => undefined): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: app.folder,
    // No window opens, because the test itself is the browser.
    env: { ...cliEnvironment(app.folder), BROWSER: 'true' },
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
  expect(await readFile(join(app.folder, '.env'), 'utf8')).toMatch(/authData_access_token='\w+[\s\S]*authData_refresh_token='\w+/);
});

async function consent(address: string): Promise<void> {
  const browser = new Browser();
  const { status } = await browser.press(await browser.open(address), /allow/i);
  expect(status).toBe(200);
}

test('`invoke auth label` names the connection', async () => {
  expect((await zapier(['invoke', 'auth', 'label', '--non-interactive'])).trim()).toBe(
    `${sandbox.account.name} (${sandbox.account.email})`,
  );
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
