import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { root } from '../../tools/root.cjs';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

/** `npm start` itself, as far as it can be started without npm. */
async function start(...args: string[]): Promise<{ code: number | null; output: string; lines: string[] }> {
  const asUsual = ['-c', 'umask 022; exec "$@"', 'sh'];
  const command = [process.execPath, join(root, 'tools', 'run.mjs'), 'tools/commands/start.ts', ...args];
  const child = spawn('sh', [...asUsual, ...command], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, lines: output.trimEnd().split('\n') };
}

describe('npm start -- --once', () => {
  let folder: string;
  let first: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'npm start '));
    await chmod(folder, 0o755);
    first = await start('--once', '--data', folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

  it('ends with code 0 and says that the main job is done', () => {
    expect(first.lines.at(-1)).toMatch(/^main job: ok, 3 bookings, 9 deliveries verified, 4 forged ones refused/);
    expect(first.code).toBe(0);
  });

  it.each(['n8n', 'Zapier'])('shows that both sides received the booking made by %s, verified, and how fast', (maker) => {
    for (const receiver of ['n8n', 'Zapier']) {
      expect(first.output).toMatch(new RegExp(`^ +${maker} +${receiver} +BOOKING_CREATED +\\S+ .* verified +\\d+ ms$`, 'm'));
    }
  });

  it('keeps its data: a second start connects nothing anew and books once more on each side', async () => {
    const second = await start('--once', '--data', folder);
    expect(second.lines.at(-1)).toMatch(/^main job: ok, 3 bookings, 6 deliveries verified/);
    expect(second.output).not.toContain('community package');
    const kept = records(folder, 'bookings').filter(
      (booking) => booking['notes'] === 'Booked by a workflow' || booking['invitee_name'] === 'Grace Hopper',
    );
    expect(kept).toHaveLength(4);
  });

  it('keeps its data for its user alone, whatever rights new files have here: database, key, login and all the rest', async () => {
    const open: string[] = [];
    for (const entry of ['', ...(await readdir(folder, { recursive: true }))]) {
      const status = await lstat(join(folder, entry));
      // What a package brings along is public; the folder above it is closed.
      if (status.isSymbolicLink() || entry.includes('node_modules')) continue;
      if ((status.mode & 0o077) !== 0) open.push(`${entry} ${(status.mode & 0o777).toString(8)}`);
    }
    expect(open).toEqual([]);
  });

  it('prints no secret, and keeps tokens only where the platform keeps them, encrypted', async () => {
    const [client] = records(folder, 'clients');
    const signingSecrets = records(folder, 'subscriptions').map((subscription) => String(subscription['signing_secret']));
    expect(signingSecrets).not.toHaveLength(0);
    const { password } = JSON.parse(await readFile(join(folder, 'memory.json'), 'utf8')) as { password: string };
    const encryptionKey = await readFile(join(folder, 'n8n', 'encryption-key'), 'utf8');
    for (const secret of [String(client?.['secret']), password, encryptionKey, ...signingSecrets]) {
      expect(secret.length).toBeGreaterThan(12);
      expect(first.output).not.toContain(secret);
    }
    const n8nDatabase = await readFile(join(folder, 'n8n', '.n8n', 'database.sqlite'), 'latin1');
    expect(n8nDatabase).not.toContain(String(client?.['secret']));
    expect(n8nDatabase).not.toMatch(/"access_token":"|refresh_token":"/);
  });
});

describe('npm start, where it cannot', () => {
  it('says which port is taken and how to choose another', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, output } = await start('--once', '--n8n-port', String(port));
    server.close();
    expect(output).toContain(`Port ${port} is taken. Stop what listens there, or choose another port: npm start -- --n8n-port `);
    expect(output).toMatch(/main job: failed at 'the ports are free'/);
    expect(code).toBe(1);
  });

  it('names an option that it does not know', async () => {
    const { code, output } = await start('--twice');
    expect(output).toContain("'--twice'");
    expect(code).toBe(1);
  });
});

/** What the sandbox of a stopped start has kept, read from its file. */
function records(folder: string, table: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, 'sandbox.sqlite'), { readOnly: true });
  try {
    return database
      .prepare(`SELECT record FROM ${table} ORDER BY seq`)
      .all()
      .map((row) => JSON.parse(String(row['record'])) as Record<string, unknown>);
  } finally {
    database.close();
  }
}
