import type { Sandbox } from '../../sandbox/service.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/connected.ts';
import type { Reader } from './reader.ts';
import { until } from './until.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

/**
 * Signs in with a guide's command: types the id and the secret when asked, and agrees on the page that the browser is sent to.
 *
 * @returns what the command has printed
 */
export async function signIn(
  reader: Reader,
  sandbox: Sandbox,
  line: string,
  cwd: string,
  more: Record<string, string> = {},
): Promise<string> {
  const opened = await reader.withBrowser();
  const redirect = `http://localhost:${await freePort()}`;
  sandbox.allowRedirect(redirect);
  const { said, end } = inTerminal(`${line} --redirect ${redirect}`, {
    cwd,
    env: { ...reader.env, ...more },
    answers: [
      [/Client id[^]*:/, sandbox.client.id],
      [/Client secret[^]*:/, sandbox.client.secret],
    ],
  });
  const address = await until(opened);
  expect(said()).toContain(address);
  await agree(address);
  expect([await end, said()]).toEqual([0, expect.stringContaining('Connected as Morgan Host (morgan@host.example).')]);
  expect(said()).not.toContain(sandbox.client.secret);
  return said();
}

/** Gives a program a terminal to ask its questions on. jest.config.mjs names the tests that need it. */
const script = '/usr/bin/script';

/** What is typed when a question is printed. */
export type Answer = readonly [question: RegExp, typed: string];

/**
 * Runs a line in a terminal of its own, and answers its questions in their order.
 *
 * @param env all of its environment
 * @returns what it has printed so far, and its exit code once it has ended
 */
export function inTerminal(
  line: string,
  { cwd, env, answers = [] }: { cwd: string; env: Readonly<Record<string, string>>; answers?: readonly Answer[] },
): { said: () => string; end: Promise<number | null> } {
  const child = spawn(script, ['-qfec', line, '/dev/null'], { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const left = [...answers];
  let [all, since] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => {
    const text = stripVTControlCharacters(piece.toString());
    all += text;
    since += text;
    const [next] = left;
    if (next === undefined || !next[0].test(since)) return;
    since = '';
    left.shift();
    child.stdin.write(`${next[1]}\r`);
  });
  const end = once(child, 'close').then(([code]) => code as number | null);
  return { said: () => all, end };
}
