import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { listen } from './receiver.ts';

/** A request that a stand-in received. */
export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

const fine = () => ({ status: 200, body: '{"ok":true}' });

/** Stands in for outside services: records the requests, and responds as the test says. */
export class Outside {
  asked: Asked[] = [];
  answer: (asked: Asked) => { status: number; body: string; type?: string; headers?: Record<string, string> } = fine;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  async start(): Promise<void> {
    await listen(this.#server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  forget(): void {
    this.asked = [];
    this.answer = fine;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const asked = { method, path, headers, body: read(await text(request), headers) };
    this.asked.push(asked);
    const { status, body, type = 'application/json', headers: more } = this.answer(asked);
    response.writeHead(status, { 'content-type': type, ...more }).end(body);
  }
}

/** Parses a body that is JSON or a form. */
const read = (body: string, { 'content-type': type }: IncomingHttpHeaders): Record<string, unknown> =>
  type?.startsWith('application/json') === true && body !== ''
    ? (JSON.parse(body) as Record<string, unknown>)
    : Object.fromEntries(new URLSearchParams(body));

/** A model's response to one request: a tool call, or words for its person. */
export type Turn = { name: string; arguments: Record<string, unknown> } | string;

/** A model's response in OpenAI's format. @param isStreamed as a stream, which older agents request; here, it is a single chunk */
export function completion(turn: Turn, id: string, isStreamed = false): { status: number; body: string; type?: string } {
  const message =
    typeof turn === 'string'
      ? { role: 'assistant', content: turn }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [{ index: 0, id, type: 'function', function: { name: turn.name, arguments: JSON.stringify(turn.arguments) } }],
        };
  const body = JSON.stringify({
    id: 'chat',
    object: isStreamed ? 'chat.completion.chunk' : 'chat.completion',
    created: 0,
    model: 'none',
    choices: [{ index: 0, [isStreamed ? 'delta' : 'message']: message, finish_reason: typeof turn === 'string' ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
  return isStreamed ? { status: 200, type: 'text/event-stream', body: `data: ${body}\n\ndata: [DONE]\n\n` } : { status: 200, body };
}

/** Takes the turns in order, like a real model that has made its decisions, but without its cost. */
export const inTurns = (turns: readonly Turn[]): ((asked: Asked) => ReturnType<typeof completion>) => {
  const left = [...turns];
  return ({ body }) => completion(left.shift() ?? 'I have nothing more to say.', `call_${left.length}`, body['stream'] === true);
};
