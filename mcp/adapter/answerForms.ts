import type { EventEmitter } from 'node:events';

/** The forms of an answer. */
const [whole, stream] = ['application/json', 'text/event-stream'];

/**
 * Serves a caller in a form that it takes. The protocol asks callers to name both, and some name one, or a wildcard, or nothing, which means
 * each (RFC 9110). Only a caller that takes neither is refused.
 */
export async function inFormOf(request: Request, serve: (request: Request) => Promise<Response>): Promise<Response> {
  const { headers } = request;
  const ranges = (headers.get('accept') || '*/*').split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase());
  const isTaken = (form: string): boolean => [form, `${form.split('/', 1)[0] ?? ''}/*`, '*/*'].some((range) => ranges.includes(range));
  if (isTaken(whole) || isTaken(stream)) headers.set('accept', `${whole}, ${stream}`);
  const answer = await serve(request);
  if (isTaken(stream) || answer.headers.get('content-type') !== stream) return answer;
  // It ends with the answer, and nothing comes before it that the caller needs.
  const last = [...(await answer.text()).matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? '';
  return new Response(last, { status: answer.status, headers: { 'content-type': whole } });
}

/** Whether the connection took the whole answer: otherwise nobody can have read it. */
export const isSentBy = (outgoing: EventEmitter): Promise<boolean> =>
  new Promise((resolve) => void outgoing.once('finish', () => resolve(true)).once('close', () => resolve(false)));
