import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { startSandbox } from '../../sandbox/service.ts';
import { cli, cliEnvironment, cliFolder } from './cliFolder.ts';

jest.setTimeout(10 * 60_000);

/** Gives a program a terminal, on which Zapier's tool asks its questions. */
const terminal = '/usr/bin/script';

test('`invoke create create_booking`, as the guide has it, asks for each field, offers the event types as a list, and books', async () => {
  const sandbox = await startSandbox({ limits: false });
  const { access_token, refresh_token } = sandbox.issueToken();
  const { folder, remove } = await cliFolder(sandbox, { authData_access_token: access_token, authData_refresh_token: refresh_token });
  const child = spawn(terminal, ['-qfec', `'${process.execPath}' '${cli}' invoke create create_booking`, '/dev/null'], {
    cwd: folder,
    env: { ...cliEnvironment(folder), COLUMNS: '200' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const start = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
  /** What a person types at each question, in order. */
  const answers: [question: RegExp, typed: string][] = [
    [/❯ Coffee Chat [^]*\(evt_\w+\)/, '\r'],
    [/Start\b[^]*start_time[^:]*:/, `${start}T09:00:00Z\r`],
    [/invitee_name[^:]*:/, 'Ada Lovelace\r'],
    [/invitee_email[^:]*:/, 'terminal@example.com\r'],
    [/DONE/, '\r'],
  ];
  let all = '';
  let since = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const text = stripVTControlCharacters(chunk.toString());
    all += text;
    since += text;
    const [next] = answers;
    if (answers.length === 5 && /❯ (?!Coffee)[^\n]*\(evt_/.test(since)) {
      // The arrow that points down.
      since = '';
      return void child.stdin.write('\x1b[B');
    }
    if (next === undefined || !next[0].test(since)) return;
    since = '';
    answers.shift();
    child.stdin.write(next[1]);
  });
  const patience = setTimeout(() => child.kill(), 2 * 60_000);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(patience);
  expect({ code, all }).toEqual({ code: 0, all: expect.stringContaining('"status": "CONFIRMED"') as unknown });
  expect(sandbox.bookings().filter(({ invitee_email: email }) => email === 'terminal@example.com')).toHaveLength(1);
  await sandbox.stop();
  await remove();
});
