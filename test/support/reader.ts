import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runCommand, type CommandResult } from '../../tools/process/command.ts';
import { nodeOf } from '../../tools/rigs/node.ts';

/**
 * What a reader's terminal has beside the path: nothing of this project, of npm or of jest, but for where Node keeps what it has compiled.
 * That only saves time.
 */
const ofTheirTerminal = ['LANG', 'TERM', 'TZ', 'NODE_COMPILE_CACHE'];

/** Somebody who follows a guide with a Node.js of their own, in a home folder that is empty at first. */
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
      // What they install lies beside it: nothing is fetched, and no news of npm stands between what is printed.
      npm_config_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    };
  }

  /** @param major one of the `majors` in tools/rigs/node.ts */
  static async with(major: number): Promise<Reader> {
    return new Reader(await mkdtemp(join(tmpdir(), 'home ')), await nodeOf(major));
  }

  /** Gives them a browser that only notes what it was to open: the test itself goes there. */
  async withBrowser(): Promise<() => Promise<string | undefined>> {
    const program = join(this.home, 'bin', 'xdg-open');
    await mkdir(dirname(program), { recursive: true });
    await writeFile(program, '#!/bin/sh\nprintf %s "$1" > "$HOME/opened.part" && mv "$HOME/opened.part" "$HOME/opened"\n');
    await chmod(program, 0o755);
    return () => readFile(join(this.home, 'opened'), 'utf8').catch(() => undefined);
  }

  /** Runs a line of a guide to its end, in a shell that has their environment and no other. */
  run(line: string, cwd: string, more: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
    const given = Object.entries({ ...this.env, ...more }).map(([name, value]) => `${name}=${value}`);
    return runCommand('env', ['-i', ...given, 'bash', '-c', line], { cwd });
  }

  /** The same, for a line that has to succeed. @returns what it printed */
  async must(line: string, cwd: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const { code, output } = await this.run(line, cwd, more);
    if (code !== 0) throw new Error(`'${line}' ended with ${code}:\n${output}`);
    return output;
  }

  close(): Promise<void> {
    return rm(this.home, { recursive: true, force: true, maxRetries: 3 });
  }
}
