import { spawn, type ChildProcess } from 'node:child_process';

interface Answer {
  id?: number;
  result?: unknown;
  error?: unknown;
}

/**
 * The minimum that a client of the protocol does over standard input and output: it sends a line and receives a line. The time of a call is
 * therefore the time of the server and of the connection, whatever language the client is written in.
 */
export class LineClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;

  private constructor(program: string, env: Record<string, string>) {
    this.#child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#child.stdout === null) throw new Error(`${program} has no output.`);
    let begun = '';
    // `readline` would take longer for a line than reading what is in it.
    this.#child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (begun + piece).split('\n');
      begun = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line) as Answer);
    });
  }

  static async start(program: string, env: Record<string, string>): Promise<LineClient> {
    const client = new LineClient(program, env);
    await client.ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    });
    client.#write({ method: 'notifications/initialized' });
    return client;
  }

  /** @throws what the server answered, if that is not a result */
  async ask(method: string, params: unknown): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#write({ id, method, params });
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result;
  }

  async call(name: string, given: Record<string, unknown>): Promise<unknown> {
    return this.ask('tools/call', { name, arguments: given });
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    await ended;
  }

  /** The same for a client that has calls under way for which nobody waits any more. */
  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }

  #take(answer: Answer): void {
    if (answer.id === undefined) return;
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  #write(message: Record<string, unknown>): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
