import { Server } from '@modelcontextprotocol/server';
import { httpHandler } from '../../mcp/adapter/answerForms.ts';

/** A call whose answer comes when it is asked for. */
function slowCall(accept = 'application/json, text/event-stream') {
  let answer = (): void => undefined;
  const handler = httpHandler(() => {
    const server = new Server({ name: 'slow', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => new Promise((resolve) => (answer = () => resolve({ tools: [] }))));
    return server;
  }, {});
  const left = new AbortController();
  const parsedBody = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };
  const request = new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(parsedBody),
    signal: left.signal,
  });
  return { coming: handler.fetch(request, { parsedBody }), answer: () => answer(), left };
}

describe('a call that takes long', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  it('sends white space meanwhile, so that nothing in between ends the connection, and is JSON as a whole', async () => {
    const { coming, answer } = slowCall();
    await jest.advanceTimersByTimeAsync(31_000);
    const { status, headers, body } = await coming;
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    // Otherwise, nginx would keep the white space to itself.
    expect(headers.get('x-accel-buffering')).toBe('no');
    answer();
    const text = await new Response(body).text();
    expect(text).toMatch(/^ {2}\{/);
    expect(JSON.parse(text)).toMatchObject({ id: 7, result: { tools: [] } });
  });

  it('sends white space to a caller that takes only streams as well', async () => {
    const { coming, answer } = slowCall('text/event-stream');
    await jest.advanceTimersByTimeAsync(31_000);
    const { headers, body } = await coming;
    expect([headers.get('content-type'), headers.get('x-accel-buffering')]).toEqual(['text/event-stream', 'no']);
    answer();
    const [, data = ''] = /^event: message\ndata: {3}(\{.*\})\n\n$/.exec(await new Response(body).text()) ?? [];
    expect(JSON.parse(data)).toMatchObject({ id: 7, result: { tools: [] } });
  });

  it('ends when its caller hangs up, before or after the first white space', async () => {
    for (const waitMs of [1_000, 40_000]) {
      const { coming, left } = slowCall();
      await jest.advanceTimersByTimeAsync(waitMs);
      left.abort();
      const answer = await coming;
      expect((await answer.text()).trim()).toBe('');
      expect(jest.getTimerCount()).toBe(0);
    }
  });
});
