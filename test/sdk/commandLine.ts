import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runProgram } from '../../sdk/cli/program.ts';
import { Stage } from './stage.ts';

export interface Ran {
  code: number;
  out: string;
  said: string;
}

/** The command line in this process, on a service of its own. */
export class CommandLine {
  readonly stage: Stage;
  readonly folder: string;
  /** The addresses that were opened in a browser. */
  readonly opened: string[] = [];
  /** What the last command has printed and said. */
  readonly out: string[] = [];
  readonly said: string[] = [];
  over = new AbortController();

  private constructor(stage: Stage, folder: string) {
    this.stage = stage;
    this.folder = folder;
  }

  static async open(): Promise<CommandLine> {
    return new CommandLine(await Stage.open(), await mkdtemp(join(tmpdir(), 'line-')));
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
    await this.stage.close();
  }

  /** Runs a command like a script, without a terminal and with a token. */
  async ran(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
    return withKeyboard(new PassThrough(), () => this.typed(args, { SCHEDULING_ACCESS_TOKEN: this.stage.token(), ...env }));
  }

  /** Runs a command with the connection in the folder. */
  async typed(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
    this.out.length = this.said.length = 0;
    this.over = new AbortController();
    const code = await runProgram(args, {
      env: { SCHEDULING_BASE_URL: this.stage.sandbox.baseUrl, SCHEDULING_FOLDER: join(this.folder, 'own'), ...env },
      print: (text) => void this.out.push(text),
      say: (text) => void this.said.push(text),
      signal: this.over.signal,
      openInBrowser: (address) => void this.opened.push(address),
    });
    return { code, out: this.out.join('\n'), said: this.said.join('\n') };
  }
}

/** Does `work` while this is what the process reads from. */
export async function withKeyboard<Result>(keyboard: PassThrough, work: () => Promise<Result>): Promise<Result> {
  const usual = Object.getOwnPropertyDescriptor(process, 'stdin');
  Object.defineProperty(process, 'stdin', { value: keyboard, configurable: true });
  try {
    return await work();
  } finally {
    if (usual !== undefined) Object.defineProperty(process, 'stdin', usual);
  }
}

/** A person at a terminal: answers each question when it is printed. */
interface Person {
  /** All that the terminal has shown. */
  shown(): string;
}

/**
 * Does `work` in front of a person.
 *
 * @param typed what they type, one line for each question; after the last one, they close the terminal
 */
export async function inFrontOf<Result>(typed: readonly string[], work: (person: Person) => Promise<Result>): Promise<Result> {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true });
  const before = keyboard.listenerCount('end');
  let shown = '';
  const left = [...typed];
  const screen = jest.spyOn(process.stderr, 'write').mockImplementation((piece) => {
    shown += String(piece);
    if (/[:?].* $/.test(shown) && String(piece).trim() !== '') {
      const next = left.shift();
      setImmediate(() => (next === undefined ? keyboard.end() : keyboard.write(`${next}\r`)));
    }
    return true;
  });
  const result = await withKeyboard(keyboard, () => work({ shown: () => shown })).finally(() => screen.mockRestore());
  // Nothing waits for the keyboard any more, which would keep the program running.
  expect(keyboard.listenerCount('end')).toBe(before);
  return result;
}
