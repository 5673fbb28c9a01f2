import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { until } from '../support/until.ts';

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
