import { parseJSONRPCMessage, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';

/** Longer than any message. Bytes. */
const mostOfLine = 10_000_000;

const newline = 10;

export interface Ends {
  input: Readable;
  output: Writable;
  /** Takes a message before the SDK sees it. @returns whether it is dealt with */
  takes: (message: unknown) => boolean;
  /** Called before each message that is sent. */
  sends: () => void;
  /** Called once when the connection ends. */
  ended: () => void;
}

/**
 * The SDK's transport over standard input and output, in less time: each line is read once, and all answers of one moment are written at
 * once. It ends when its input does, or when a line is too long.
 */
export class Wire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #ends: Ends;
  /** The pieces of a line whose end has not come yet. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #toWrite = '';
  #isClosed = false;

  constructor(ends: Ends) {
    this.#ends = ends;
  }

  async start(): Promise<void> {
    const { input } = this.#ends;
    input.on('data', this.#read);
    input.on('error', this.#fail);
    input.on('end', this.#end);
    input.on('close', this.#end);
  }

  /** Answers are written when everything else of this moment is done. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed.');
    this.#ends.sends();
    if (this.#toWrite === '') setImmediate(this.#write);
    this.#toWrite += serializeMessage(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#ends.input.pause();
    this.#write();
    this.#ends.ended();
    this.onclose?.();
  }

  readonly #end = (): void => void this.close();

  readonly #fail = (error: Error): void => this.onerror?.(error);

  readonly #write = (): void => {
    const text = this.#toWrite;
    this.#toWrite = '';
    if (text !== '') this.#ends.output.write(text);
  };

  readonly #read = (piece: Buffer): void => {
    let from = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
      this.#take(this.#whole(piece.subarray(from, end)));
      from = end + 1;
    }
    if (from === piece.length) return;
    this.#begun.push(piece.subarray(from));
    this.#begunBytes += piece.length - from;
    if (this.#begunBytes <= mostOfLine) return;
    this.onerror?.(new RangeError(`A message is longer than ${mostOfLine} bytes.`));
    this.#end();
  };

  /** A line with what came of it before. */
  #whole(rest: Buffer): string {
    if (this.#begun.length === 0) return rest.toString();
    const line = Buffer.concat([...this.#begun, rest]).toString();
    this.#begun = [];
    this.#begunBytes = 0;
    return line;
  }

  #take(line: string): void {
    // A message may close the connection. Nobody would get the answers to those that came with it.
    if (this.#isClosed) return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      // Not a message: the SDK skips such lines, too.
      return;
    }
    try {
      if (!this.#ends.takes(message)) this.onmessage?.(parseJSONRPCMessage(message));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}
