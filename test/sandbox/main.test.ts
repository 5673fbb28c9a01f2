import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.ts';
import { send, start, startReceiver, stopAll } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(async () => {
  await stopAll();
  rmSync(folder, { recursive: true });
});

/** The command with these options, and its data in the folder of the test. */
function run(...args: string[]) {
  const command = join(__dirname, '../../tools/commands/sandbox.ts');
  const child = spawn(process.execPath, [command, ...args], { cwd: folder });
  const printed = { out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.error += chunk.toString()));
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, ...printed }));
  return {
    ended,
    /** Everything printed so far once it contains the text. */
    printed: (text: string) =>
      until(() => {
        if (child.exitCode !== null) throw new Error(`It ended before it printed "${text}": ${printed.out}${printed.error}`);
        return printed.out.includes(text) && printed.out;
      }),
    stop: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
  };
}

const origin = (out: string) => /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? '';

describe('npm run sandbox', () => {
  it('prints address, client id and secret, then a line for each delivery, and ends cleanly on Ctrl-C', async () => {
    const receiver = await startReceiver();
    const sandbox = run('--port', '0');
    const out = await sandbox.printed('Deliveries:');
    const [, id = ''] = /Client id +(\S+)/.exec(out) ?? [];
    const [, secret = ''] = /Client secret +(\S+)/.exec(out) ?? [];
    const reply = await send(`${origin(out)}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: id, client_secret: secret, grant_type: 'refresh_token', refresh_token: 'none' }),
    });
    expect(reply.body).toMatchObject({ error: 'invalid_grant' });

    const host = (path: string, body: unknown) =>
      send(`${origin(out)}/host/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-sandbox-host': '1' },
        body: JSON.stringify(body),
      });
    await host('/subscriptions', { url: receiver.url, events: ['BOOKING_CREATED'] });
    await host('/bookings', {});
    await sandbox.printed('attempt 1');
    const { code, out: all, error } = await sandbox.stop('SIGINT');
    expect([code, error]).toEqual([0, '']);
    expect(all).toMatch(
      /\d\d:\d\d:\d\d {2}BOOKING_CREATED dlv_\w+ unsigned to http:\/\/127\.0\.0\.1:\d+\/hook, attempt 1, \d+ ms: delivered \(200\)/,
    );
  });

  it('keeps client id and secret from one start to the next', async () => {
    const printed = async () => {
      const sandbox = run('--port', '0');
      const out = await sandbox.printed('Deliveries:');
      await sandbox.stop('SIGTERM');
      return out.split('\n').filter((line) => line.includes('Client'));
    };
    expect(await printed()).toEqual(await printed());
  });

  it('answers in the form that was asked for, and accepts the redirect address that was given', async () => {
    const options = ['--form', 'errorMessage=present', '--form', 'refusal=422', '--redirect', 'http://localhost:7777/back'];
    const sandbox = run('--port', '0', ...options);
    const out = await sandbox.printed('Deliveries:');
    expect(out).toContain('http://localhost:7777/back');
    expect((await send(`${origin(out)}/api/v1/me`)).body).toHaveProperty('message');
    await sandbox.stop('SIGINT');
  });

  it('advances the clock of a running sandbox: an outage of a day takes no time', async () => {
    const receiver = await startReceiver();
    const sandbox = await start({ forms: { retries: 'days' } });
    sandbox.host.addSecretlessSubscription({ url: receiver.url, events: ['BOOKING_CREATED'] });
    receiver.answers.push(...Array<number>(8).fill(503));
    sandbox.host.book();
    const { code, out } = await run('--port', new URL(sandbox.origin).port, '--forward', '28h').ended;
    const said = /^The clock of the sandbox at http:\S+ is now at 20\S+Z\. Everything that became due was sent\.\n$/;
    expect([code, out]).toEqual([0, expect.stringMatching(said)]);
    expect(sandbox.deliveries()).toMatchObject([{ status: 'failed', given_up: 'after 8 tries' }]);
    expect(receiver.received).toHaveLength(8);
  });

  it('tells how to use the sandbox that already runs there, which also takes the redirect address, and starts no second one', async () => {
    const other = await start();
    const there = ['--port', new URL(other.origin).port];
    const { code, out } = await run(...there, '--redirect', 'http://localhost:7777/back').ended;
    expect([code, out]).toEqual([0, expect.stringContaining(`A sandbox is already running at ${other.origin}. Use that one:`)]);
    for (const shown of [other.client.id, other.client.secret, 'http://localhost:7777/back']) expect(out).toContain(shown);
    expect(other.client.redirectUris).toContain('http://localhost:7777/back');
    const differs = await run(...there, '--form', 'email=lower').ended;
    expect([differs.code, differs.error]).toEqual([1, expect.stringContaining('is already running')]);
  });

  it('says in one sentence that the port is taken, or that no sandbox answers there, and ends with 1', async () => {
    const other = await startReceiver();
    const { port } = new URL(other.url);
    const taken = await run('--port', port).ended;
    expect([taken.code, taken.error]).toEqual([
      1,
      `Port ${port} is taken. Stop what uses it, or choose another with --port (0 takes any free one).\n`,
    ]);
    await stopAll();
    const gone = await run('--port', port, '--forward', '1d').ended;
    expect([gone.code, gone.out, gone.error]).toEqual([
      1,
      '',
      expect.stringMatching(/^No sandbox answers at http:\/\/127\.0\.0\.1:\d+\. Start one [^\n]*\n$/),
    ]);
  });

  it.each([
    ['--port', 'many', '--port takes a whole number from 0 to 65535, not "many".'],
    ['--form', 'list=rows', 'The form list cannot be "rows". It can be: data,'],
    ['--forward', 'tomorrow', '--forward takes a number'],
    ['--colour', 'red', '--colour'],
  ])('refuses %s %s in one sentence', async (option, value, sentence) => {
    const { code, error } = await run(option, value).ended;
    expect([code, error]).toEqual([2, expect.stringContaining(sentence)]);
    expect(error.trim().split('\n')).toHaveLength(1);
  });

  it('lists its options and every form on --help', async () => {
    const { code, out } = await run('--help').ended;
    expect(code).toBe(0);
    expect(out).toContain('list=data | items | results | plural | array');
  });
});
