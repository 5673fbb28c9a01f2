import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { runProgram, type Connect, type Process } from '../../mcp/program.ts';
import { until } from '../support/until.ts';
import type { Stage } from './stage.ts';

export type Message = Readonly<Record<string, unknown>>;

export const asLine = (message: Message): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

export const callLine = (id: unknown, name: string, more: Message = {}): string =>
  asLine({ id, method: 'tools/call', params: { name, ...more } });

/** What a client of the protocol of 2025 says first. */
export const helloFrom = (capabilities: Message = {}): string =>
  asLine({
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'piped', version: '1.0.0' } },
  });

export const hello = helloFrom();

/** What a client writes to the program, byte by byte, and everything that it gets. */
export class Talk {
  /** Answers, and what else the program sends. */
  readonly answers: Message[] = [];
  /** What the program said to people. */
  said = '';
  readonly #input: Writable;

  constructor({ stdin, stdout, stderr }: { stdin: Writable; stdout: Readable; stderr: Readable }) {
    this.#input = stdin;
    createInterface({ input: stdout }).on('line', (line) => void this.answers.push(JSON.parse(line) as Message));
    stderr.on('data', (piece: Buffer) => (this.said += piece.toString()));
    // What is written to a program that has ended is lost.
    stdin.on('error', () => undefined);
  }

  write(text: string | Buffer): void {
    this.#input.write(text);
  }

  /** The client writes nothing more. */
  end(): void {
    this.#input.end();
  }

  answer = (id: unknown): Promise<Message> => until(() => this.answers.find((each) => each['id'] === id));

  async ask(id: unknown, text: string): Promise<Message> {
    this.write(text);
    return this.answer(id);
  }

  /** The same, once the program knows the client. */
  async greeted(): Promise<this> {
    await this.ask('hello', hello);
    return this;
  }
}

/** The program in the process of the test: with streams in place of its own, and an exit that is only noted. */
export class InProcess extends EventEmitter implements Process {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  exitCode: Process['exitCode'];
  /** Every code that the program wanted to end with. */
  readonly exits: number[] = [];

  constructor(args: readonly string[] = [], env: Readonly<Record<string, string | undefined>> = {}) {
    super();
    [this.argv, this.env] = [['node', 'main.js', ...args], env];
  }

  exit(code: number): void {
    this.exits.push(code);
  }

  /** Runs it until it has ended or serves. */
  run(connect: Connect = () => Promise.reject(new Error('Nobody is there to connect an account.'))): Promise<void> {
    return runProgram(this, connect);
  }

  /** What was written so far, for the program itself and for people. */
  get written(): { out: string; said: string } {
    const [out, said] = [this.stdout, this.stderr].map((stream) => String((stream.read() as Buffer | null) ?? ''));
    return { out: out ?? '', said: said ?? '' };
  }
}

/** The program serving one client, until the stage closes. */
export async function talkTo(stage: Stage, args: readonly string[] = []): Promise<Talk & { own: InProcess }> {
  const own = new InProcess(args, { SCHEDULING_MCP_FOLDER: stage.file.folder });
  stage.later(async () => void own.stdin.end());
  await own.run();
  return Object.assign(new Talk(own), { own });
}
