import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runCommand, type CommandResult } from '../../tools/process/command.ts';
import { nodeOf } from './node.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { agree } from '../../tools/rigs/mcp/connected.ts';
import { until } from './until.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

/**
 * The environment variables of a reader's terminal, besides the path. It has nothing from this project, npm or jest, except Node's compile
 * cache, which only saves time.
 */
const ofTheirTerminal = ['LANG', 'TERM', 'TZ', 'NODE_COMPILE_CACHE'];

/** Somebody who follows a guide with their own Node.js, in a home folder that is empty at first. */
export class Reader {
  readonly home: string;
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;

  private constructor(home: string, node: string) {
    this.home = home;
    this.node = node;
    const known = ofTheirTerminal.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    this.env = {
      ...(Object.fromEntries(known) as Record<string, string>),
      PATH: [join(home, 'bin'), dirname(node), process.env['PATH']].join(delimiter),
      HOME: home,
      // Packages are installed from local files: nothing is fetched, and npm's notices do not mix with the output.
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    };
  }

  /** @param major one of the `majors` in node.ts */
  static async with(major: number): Promise<Reader> {
    return new Reader(await mkdtemp(join(tmpdir(), 'home ')), await nodeOf(major));
  }

  /** Gives them a browser that only records the address to open. The test visits it. */
  async withBrowser(): Promise<() => Promise<string | undefined>> {
    const program = join(this.home, 'bin', 'xdg-open');
    await mkdir(dirname(program), { recursive: true });
    await writeFile(program, '#!/bin/sh\nprintf %s "$1" > "$HOME/opened.part" && mv "$HOME/opened.part" "$HOME/opened"\n');
    await chmod(program, 0o755);
    return () => readFile(join(this.home, 'opened'), 'utf8').catch(() => undefined);
  }

  /** Runs a line of a guide until it ends, in a shell that only has their environment. */
  run(line: string, cwd: string, more: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
    const given = Object.entries({ ...this.env, ...more }).map(([name, value]) => `${name}=${value}`);
    return runCommand('env', ['-i', ...given, 'bash', '-c', line], { cwd });
  }

  /** The same, for a line that must succeed. @returns its output */
  async must(line: string, cwd: string): Promise<string> {
    const { code, output } = await this.run(line, cwd);
    if (code !== 0) throw new Error(`'${line}' ended with ${code}:\n${output}`);
    return output;
  }

  close(): Promise<void> {
    return rm(this.home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Signs in with a guide's command: types the id and the secret when asked, and agrees on the page that the browser opens.
 *
 * @returns the command's output
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

/** Gives a program a terminal on which it can ask its questions. jest.config.mjs names the tests that need it. */
const script = '/usr/bin/script';

/** The text to type when a question is printed. */
type Answer = readonly [question: RegExp, typed: string];

/**
 * Runs a line in its own terminal, and answers its questions in order.
 *
 * @param env its complete environment
 * @returns its output so far, and its exit code once it has ended
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
