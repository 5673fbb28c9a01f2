import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { send, start, startReceiver, stopAll } from './support.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(async () => {
  await stopAll();
  rmSync(folder, { recursive: true });
});

interface Running {
  /** Resolves with everything printed so far once it contains the text. */
  printed(text: string): Promise<string>;
  stop(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; out: string; error: string }>;
}

function run(...args: string[]): Running {
  const child = spawn(process.execPath, [
    join(__dirname, '../../tools/commands/sandbox.ts'),
    '--data',
    join(folder, 'data.sqlite'),
    ...args,
  ]);
  let out = '';
  let error = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const ended = new Promise<{ code: number | null; out: string; error: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, out, error })),
  );
  let over = false;
  void ended.then(() => (over = true));
  return {
    ended,
    stop: (signal) => void child.kill(signal),
    async printed(text) {
      while (!out.includes(text)) {
        if (over) throw new Error(`It ended before it printed "${text}": ${out}${error}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return out;
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
    sandbox.stop('SIGINT');
    const { code, out: all, error } = await sandbox.ended;
    expect([code, error]).toEqual([0, '']);
    expect(all).toMatch(
      /\d\d:\d\d:\d\d {2}BOOKING_CREATED dlv_\w+ unsigned to http:\/\/127\.0\.0\.1:\d+\/hook, attempt 1, \d+ ms: delivered \(200\)/,
    );
  });

  it('keeps client id and secret from one start to the next', async () => {
    const printed = async () => {
      const sandbox = run('--port', '0');
      const out = await sandbox.printed('Deliveries:');
      sandbox.stop('SIGTERM');
      await sandbox.ended;
      return out.split('\n').filter((line) => line.includes('Client'));
    };
    expect(await printed()).toEqual(await printed());
  });

  it('answers in the form that was asked for, and accepts the redirect address that was given', async () => {
    const sandbox = run(
      '--port',
      '0',
      '--form',
      'errorMessage=present',
      '--form',
      'refusal=422',
      '--redirect',
      'http://localhost:7777/back',
    );
    const out = await sandbox.printed('Deliveries:');
    expect(out).toContain('http://localhost:7777/back');
    expect((await send(`${origin(out)}/api/v1/me`)).body).toHaveProperty('message');
    sandbox.stop('SIGINT');
    await sandbox.ended;
  });

  it('advances the clock of a running sandbox: an outage of a day takes no time', async () => {
    const receiver = await startReceiver();
    const sandbox = await start({ forms: { retries: 'days' } });
    sandbox.host.addSecretlessSubscription({ url: receiver.url, events: ['BOOKING_CREATED'] });
    receiver.answers.push(...Array<number>(8).fill(503));
    sandbox.host.book();
    const { code, out } = await run('--port', new URL(sandbox.origin).port, '--forward', '28h').ended;
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^The clock of the sandbox at http:\/\/127\.0\.0\.1:\d+ is now at 20\S+Z\. Everything that became due was sent\.\n$/,
      ),
    ]);
    expect(sandbox.deliveries()).toMatchObject([{ status: 'failed', given_up: 'after 8 tries' }]);
    expect(receiver.received).toHaveLength(8);
  });

  it('says in one sentence that there is no sandbox whose clock it could advance, and ends with 1', async () => {
    const stopped = await start();
    const { port } = new URL(stopped.origin);
    await stopped.stop();
    const { code, out, error } = await run('--port', port, '--forward', '1d').ended;
    expect([code, out, error]).toEqual([
      1,
      '',
      expect.stringMatching(/^No sandbox answers at http:\/\/127\.0\.0\.1:\d+\. Start one [^\n]*\n$/),
    ]);
  });

  it('says in one sentence that the port is taken, and ends with 1', async () => {
    const other = await start();
    const { code, out, error } = await run('--port', new URL(other.origin).port).ended;
    expect([code, out, error]).toEqual([
      1,
      '',
      expect.stringMatching(/^Port \d+ is taken\. Stop what uses it, or choose another with --port \(0 takes any free one\)\.\n$/),
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
