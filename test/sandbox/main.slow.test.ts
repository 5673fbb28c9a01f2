import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.ts';
import { hostCaller, send, start, startReceiver, stopAll } from './support.ts';

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
    const fields = { client_id: id, client_secret: secret, grant_type: 'refresh_token', refresh_token: 'none' };
    const reply = await send(`${origin(out)}/api/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });
    expect(reply.body).toMatchObject({ error: 'invalid_grant' });

    const host = hostCaller({ origin: origin(out) });
    await host('POST', '/subscriptions', { url: receiver.url, events: ['BOOKING_CREATED'] });
    await host('POST', '/bookings', {});
    await sandbox.printed('attempt 1');
    const { code, out: all, error } = await sandbox.stop('SIGINT');
    expect([code, error]).toEqual([0, '']);
    expect(all).toMatch(
      /\d\d:\d\d:\d\d {2}BOOKING_CREATED dlv_\w+ unsigned to http:\/\/127\.0\.0\.1:\d+\/hook, attempt 1, \d+ ms: delivered \(200\)/,
    );
  });

  it('keeps client id and secret over a restart, and takes forms and redirect addresses', async () => {
    const printed = async () => {
      const sandbox = run('--port', '0', '--form', 'errorMessage=present', '--redirect', 'http://localhost:7777/back');
      const out = await sandbox.printed('Deliveries:');
      expect(out).toContain('http://localhost:7777/back');
      expect((await send(`${origin(out)}/api/v1/me`)).body).toHaveProperty('message');
      await sandbox.stop('SIGTERM');
      return out.split('\n').filter((line) => line.includes('Client'));
    };
    expect(await printed()).toEqual(await printed());
  });

  it('advances the clock of a running sandbox: an outage of a day takes no time', async () => {
    const receiver = await startReceiver();
    const sandbox = await start({ forms: { retries: 'days' } });
    sandbox.host.addSecretlessSubscription({ url: receiver.url, events: ['BOOKING_CREATED'] });
    receiver.answers.push(...Array<number>(8).fill(503));
    sandbox.host.book();
    const { code, out } = await run('--port', new URL(sandbox.origin).port, '--forward', '28h').ended;
    expect([code, out]).toEqual([0, expect.stringMatching(/^The clock of the sandbox at http:\S+ is now at 20\S+Z\./)]);
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

  it('says in one sentence that the port is taken, that no sandbox answers there, or that an option is wrong', async () => {
    const other = await startReceiver();
    const { port } = new URL(other.url);
    const taken = `Port ${port} is taken. Stop what uses it, or choose another with --port (0 takes any free one).\n`;
    expect(await run('--port', port).ended).toMatchObject({ code: 1, error: taken });
    await stopAll();
    for (const [args, expected, sentence] of [
      [['--port', port, '--forward', '1d'], 1, /^No sandbox answers at http:\/\/127\.0\.0\.1:\d+\. Start one [^\n]*\n$/],
      [['--form', 'list=rows'], 2, /^[^\n]*The form list cannot be "rows"\. It can be: data,[^\n]*\n$/],
      [['--forward', 'tomorrow'], 2, /^[^\n]*--forward takes a number[^\n]*\n$/],
    ] as const) {
      const { code, out, error } = await run(...args).ended;
      expect([code, out, error]).toEqual([expected, '', expect.stringMatching(sentence)]);
    }
    expect(await run('--help').ended).toMatchObject({
      code: 0,
      out: expect.stringContaining('list=data | items | results | plural | array'),
    });
  });
});
