import type { Asked } from './outside.ts';

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
