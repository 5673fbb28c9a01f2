import { Transform, type Readable, type TransformCallback, type Writable } from 'node:stream';
import {
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type Server,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { isObject, parsed } from '../shared/values.ts';
import { asMeant } from './adapter/requestForms.ts';

/** How much of all responses together a client may leave unread: more than it ever requests at once. Bytes. */
const maxUnread = 64_000_000;

/** Longer than any message. Bytes. */
const maxMessage = 10_000_000;

/** How long a client that sends nothing more may take to read its responses. Milliseconds. */
const readingMs = 5_000;

/** A process that serves the client that started it. */
export interface ServingProcess {
  stdin: Readable;
  stdout: Writable;
  exit(code: number): void;
}

/** Serves one client over standard input and output, until its input ends. */
export function serveClient(makeServer: () => Server, log: (line: string) => void, own: ServingProcess): void {
  const { stdin, stdout } = own;
  let hasGone = false;
  stdout.on('error', () => {
    // A client that has gone reads no more responses.
    hasGone = true;
    own.exit(0);
  });
  // The SDK adds a listener for each unread response.
  stdout.setMaxListeners(0);
  stdin.once('end', () => {
    let unread = stdout.writableLength;
    const look = (): void => {
      if (stdout.writableLength > 0 && stdout.writableLength === unread) own.exit(0);
      unread = stdout.writableLength;
    };
    // Unread responses keep this process alive; the timer does not.
    setInterval(look, readingMs).unref();
  });
  const meant = new Meant((answer) => void transport.send(answer).catch(() => undefined));
  const transport: BoundedTransport = new BoundedTransport(stdin.pipe(meant), stdout, () => {
    log('The client no longer reads responses, so this program stops.');
    own.exit(1);
  });
  serveStdio(makeServer, { transport, onerror: ({ name }) => hasGone || log(`A message was not understood (${name}).`) });
}

/**
 * Corrects messages, one on each line, to what their sender meant. Anything longer than a message is passed on unchanged, and the SDK
 * refuses it.
 */
class Meant extends Transform {
  readonly #answer: (answer: JSONRPCErrorResponse) => void;
  #begun: Buffer[] = [];
  #bytes = 0;

  /** @param answer takes the response to a request that is not understood: the SDK sends none, so its sender would wait forever */
  constructor(answer: (answer: JSONRPCErrorResponse) => void) {
    super();
    this.#answer = answer;
  }

  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    let from = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      const line = Buffer.concat([...this.#begun, piece.subarray(from, end)]).toString();
      for (const each of asMeantLines(line, this.#answer)) this.push(`${each}\n`);
      [this.#begun, this.#bytes, from] = [[], 0, end + 1];
    }
    this.#begun.push(piece.subarray(from));
    this.#bytes += piece.length - from;
    if (this.#bytes > maxMessage) this.push(Buffer.concat(this.#begun.splice(0)));
    done();
  }
}

/**
 * Anything that is not a message, or is nested too deeply to be serialized, is passed on unchanged. Of several messages, each gets its own
 * line.
 */
function asMeantLines(line: string, answer: (answer: JSONRPCErrorResponse) => void): string[] {
  const said = parsed(line);
  if (typeof said !== 'object') return [line];
  try {
    return [asMeant(said)].flat().map((message) => {
      const text = JSON.stringify(message);
      if (isObject(message) && 'method' in message && 'id' in message && !isMessage(message)) answer(notUnderstood(message['id']));
      return text;
    });
  } catch {
    return [line];
  }
}

function isMessage(said: object): boolean {
  try {
    return Boolean(parseJSONRPCMessage(said));
  } catch {
    return false;
  }
}

const notUnderstood = (id: unknown): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  ...((typeof id === 'string' || typeof id === 'number') && { id }),
  error: {
    code: ProtocolErrorCode.InvalidRequest,
    message:
      'This is not a JSON-RPC 2.0 request: its id must be a string or a whole number, its method a string, and its params an object.',
  },
});

/** The SDK's transport with a limit on unread responses, which collect in this process. A client that exceeds it has failed. */
class BoundedTransport extends StdioServerTransport {
  readonly #output: Writable;
  readonly #full: () => void;

  constructor(input: Readable, output: Writable, full: () => void) {
    super(input, output, { maxBufferSize: maxMessage });
    this.#output = output;
    this.#full = full;
  }

  /** Ends when the message has left this process. @throws if the client has closed the pipe */
  override async send(message: JSONRPCMessage): Promise<void> {
    if (this.#output.writableLength > maxUnread) this.#full();
    await super.send(message);
    await new Promise<void>((resolve, reject) => this.#output.write('', (error) => (error ? reject(error) : resolve())));
  }
}
