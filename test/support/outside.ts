import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came to a stand-in. */
export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** Stands in for the services outside: takes down what it is asked and answers as it is told. */
export class Outside {
  asked: Asked[] = [];
  answer: (asked: Asked) => { status: number; body: string; type?: string; headers?: Record<string, string> } = () => ({
    status: 200,
    body: '{"ok":true}',
  });
  #server: Server | undefined;

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const asked = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: read(text, request.headers),
        };
        this.asked.push(asked);
        const { status, body, type = 'application/json', headers } = this.answer(asked);
        response.writeHead(status, { 'content-type': type, ...headers }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server?.address() as AddressInfo).port}`;
  }

  forget(): void {
    this.asked = [];
    this.answer = () => ({ status: 200, body: '{"ok":true}' });
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

/** A body in JSON, or that of a form. */
const read = (text: string, { 'content-type': type }: IncomingHttpHeaders): Record<string, unknown> =>
  type?.startsWith('application/json') === true && text !== ''
    ? (JSON.parse(text) as Record<string, unknown>)
    : Object.fromEntries(new URLSearchParams(text));

/** What a model says to one request: that a tool be called, or the words for its person. */
export type Turn = { name: string; arguments: Record<string, unknown> } | string;

/** The answer of a model that speaks as OpenAI's does. */
export function completion(turn: Turn, id: string): { status: number; body: string } {
  const message =
    typeof turn === 'string'
      ? { role: 'assistant', content: turn }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: turn.name, arguments: JSON.stringify(turn.arguments) } }],
        };
  return {
    status: 200,
    body: JSON.stringify({
      id: 'chat',
      object: 'chat.completion',
      created: 0,
      model: 'none',
      choices: [{ index: 0, message, finish_reason: typeof turn === 'string' ? 'stop' : 'tool_calls' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  };
}

/** Takes one turn after the other, as a real model does that has decided, without what it costs. */
export const inTurns = (turns: readonly Turn[]): ((asked: Asked) => { status: number; body: string }) => {
  const left = [...turns];
  return () => completion(left.shift() ?? 'I have nothing more to say.', `call_${left.length}`);
};
