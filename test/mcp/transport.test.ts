import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { DirectCalls } from '../../mcp/directCalls.ts';
import { Wire, type Ends } from '../../mcp/wire.ts';

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the transport over two streams', () => {
  const ping = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'ping' });

  /** The transport, what came out of it, and what happened to it. */
  async function opened(ends: Partial<Ends> = {}, input = new PassThrough()) {
    const output = new PassThrough();
    const happened: string[] = [];
    const got: unknown[] = [];
    const wire = new Wire({ input, output, takes: () => false, sends: () => undefined, ended: () => happened.push('ended'), ...ends });
    wire.onmessage = (message) => got.push(message);
    wire.onerror = ({ name, message }) => happened.push(`${name}: ${message}`);
    wire.onclose = () => happened.push('closed');
    await wire.start();
    const written = (): string[] => {
      const pieces: string[] = [];
      for (let piece = output.read() as unknown; piece !== null; piece = output.read()) pieces.push((piece as Buffer).toString());
      return pieces;
    };
    return { wire, input, got, happened, written };
  }

  test('writes all answers of one moment at once, in their order, and those of the next moment after them', async () => {
    const { wire, written } = await opened();
    await Promise.all([wire.send(ping(1)), wire.send(ping(2))]);
    expect(written()).toEqual([]);
    await soon();
    expect(written()).toEqual([`${JSON.stringify(ping(1))}\n${JSON.stringify(ping(2))}\n`]);
    await wire.send(ping(3));
    await soon();
    expect(written()).toEqual([`${JSON.stringify(ping(3))}\n`]);
  });

  test('writes what was sent before it is closed, and nothing after that', async () => {
    const { wire, written } = await opened();
    await wire.send(ping(1));
    await wire.close();
    expect(written()).toEqual([`${JSON.stringify(ping(1))}\n`]);
    await expect(wire.send(ping(2))).rejects.toThrow('The connection is closed.');
    await soon();
    expect(written()).toEqual([]);
  });

  test('takes no message that came together with the one that closed it', async () => {
    const taken: unknown[] = [];
    const { wire, input } = await opened({
      takes: (message) => {
        taken.push(message);
        void wire.close();
        return true;
      },
    });
    input.write(`${JSON.stringify(ping(1))}\n${JSON.stringify(ping(2))}\n`);
    await soon();
    expect(taken).toEqual([ping(1)]);
  });

  test('tells once that it has ended, and reads nothing more', async () => {
    const { wire, input, got, happened } = await opened();
    input.write(`${JSON.stringify(ping(1))}\n`);
    await soon();
    await wire.close();
    await wire.close();
    input.write(`${JSON.stringify(ping(2))}\n`);
    await soon();
    input.destroy();
    await soon();
    expect([got, happened]).toEqual([[ping(1)], ['ended', 'closed']]);
    expect(input.isPaused()).toBe(true);
  });

  test.each<[string, (input: PassThrough) => unknown, string[]]>([
    ['ends', (input) => input.end(), ['ended', 'closed']],
    ['is taken away', (input) => input.destroy(), ['ended', 'closed']],
    ['fails', (input) => input.destroy(new Error('broken')), ['Error: broken', 'ended', 'closed']],
  ])('ends when its input %s', async (_, end, expected) => {
    const { input, happened } = await opened();
    end(input);
    await soon();
    await soon();
    expect(happened).toEqual(expected);
  });

  test('ends when its input ends, even if that stays open', async () => {
    const { input, happened } = await opened({}, new PassThrough({ autoDestroy: false }));
    input.end();
    await soon();
    expect(happened).toEqual(['ended', 'closed']);
  });

  test('joins a message that comes in pieces, and keeps apart messages that come together', async () => {
    const { input, got } = await opened();
    const text = Buffer.from(`${JSON.stringify({ ...ping(1), params: { note: 'Grüße 🙂' } })}\n${JSON.stringify(ping(2))}\n`);
    for (const at of [1, 60, text.length - 1]) {
      input.write(text.subarray(0, at));
      await soon();
      input.write(text.subarray(at));
      await soon();
    }
    for (const byte of text) {
      input.write(Buffer.of(byte));
      await soon();
    }
    const both = [{ ...ping(1), params: { note: 'Grüße 🙂' } }, ping(2)];
    expect(got).toEqual([...both, ...both, ...both, ...both]);
  });

  test('skips what is no JSON, reports what is no message, and goes on', async () => {
    const { input, got, happened } = await opened();
    input.write(`no JSON\n\n{"jsonrpc":"1.0"}\n${JSON.stringify(ping(1))}\n`);
    await soon();
    expect(got).toEqual([ping(1)]);
    expect(happened).toHaveLength(1);
  });

  test('reports what a taker throws, and goes on', async () => {
    let failures = 1;
    const { input, got, happened } = await opened({
      takes: () => {
        if (failures-- > 0) throw new TypeError('wrong');
        return false;
      },
    });
    for (const id of [1, 2]) input.write(`${JSON.stringify(ping(id))}\n`);
    await soon();
    expect([got, happened]).toEqual([[ping(2)], ['TypeError: wrong']]);
  });

  test('takes a message of ten million bytes, even after others, and ends at one that is longer', async () => {
    const { input, got, happened } = await opened();
    const most = 10_000_000;
    for (let count = 0; count < 2; count += 1) {
      const line = `${JSON.stringify(ping(count))}\n`.padStart(most + 1);
      for (const piece of [line.slice(0, most), line.slice(most)]) {
        input.write(piece);
        await soon();
        await soon();
      }
    }
    expect([got, happened]).toEqual([[ping(0), ping(1)], []]);
    // What follows a long message begins a message of its own.
    for (const text of [`${JSON.stringify(ping(2))}\n `.padStart(6_000_000), `${JSON.stringify(ping(3))}\n`]) {
      input.write(text);
      await soon();
      await soon();
    }
    expect([got.slice(2), happened]).toEqual([[ping(2), ping(3)], []]);
    input.write(Buffer.alloc(most, ' '));
    await soon();
    await soon();
    expect(happened).toEqual([]);
    input.write(' ');
    await soon();
    expect(happened).toEqual([`RangeError: A message is longer than ${most} bytes.`, 'ended', 'closed']);
  });

  test('needs nobody who listens', async () => {
    const { wire, input, happened } = await opened();
    delete wire.onmessage;
    input.emit('data', Buffer.from(`${JSON.stringify(ping(1))}\n`));
    expect(happened).toEqual([]);
    delete wire.onerror;
    delete wire.onclose;
    expect(() => input.emit('data', Buffer.from('[]\n'))).not.toThrow();
    expect(() => input.emit('error', new Error('broken'))).not.toThrow();
    expect(() => input.emit('data', Buffer.alloc(10_000_001, ' '))).not.toThrow();
    await expect(wire.close()).resolves.toBeUndefined();
    const other = await opened();
    delete other.wire.onclose;
    await expect(other.wire.close()).resolves.toBeUndefined();
    await expect(wire.send(ping(1))).rejects.toThrow('closed');
  });
});

describe('calls that do not go through the SDK', () => {
  /** Calls of tools that end when they are told to. */
  function calls() {
    const answers: unknown[] = [];
    const begun: { name: string; given: unknown; signal: AbortSignal; end: (result: object) => void; fail: (why: Error) => void }[] = [];
    const direct = new DirectCalls(
      (name, given, signal) =>
        name === 'of the SDK' ? undefined : new Promise((end, fail) => begun.push({ name, given, signal, end, fail })),
      (message) => answers.push(message),
    );
    return { direct, begun, answers };
  }
  const call = (id: unknown, more: Record<string, unknown> = {}, params: unknown = { name: 'get', arguments: { id: 1 } }) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params,
    ...more,
  });
  const cancel = (requestId: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

  test('are answered under their id', async () => {
    const { direct, begun, answers } = calls();
    for (const id of [0, -1, 'one', '']) expect(direct.takes(call(id))).toBe(true);
    expect(begun.map(({ name, given }) => ({ name, given }))).toEqual(Array(4).fill({ name: 'get', given: { id: 1 } }));
    begun.forEach(({ end }, place) => end({ content: [place] }));
    await soon();
    expect(answers).toEqual([0, -1, 'one', ''].map((id, place) => ({ jsonrpc: '2.0', id, result: { content: [place] } })));
  });

  test.each<[string, unknown]>([
    ['no object', 'tools/call'],
    ['nothing', null],
    ['of another protocol', call(1, { jsonrpc: '1.0' })],
    ['another request', call(1, { method: 'tools/list' })],
    ['without an id', call(undefined)],
    ['with an id that is neither a text nor a whole number', call(1.5)],
    ['with null as its id', call(null)],
    ['with more than a call has', call(1, { more: true })],
    ['without parameters', { jsonrpc: '2.0', id: 1, method: 'tools/call' }],
    ['with parameters that are a text', call(1, {}, 'get')],
    ['without the name of a tool', call(1, {}, { arguments: {} })],
    ['with a name that is no text', call(1, {}, { name: 7 })],
    ['with arguments that are a list', call(1, {}, { name: 'get', arguments: [] })],
    ['with metadata that are a text', call(1, {}, { name: 'get', _meta: 'x' })],
    ['with an unknown parameter', call(1, {}, { name: 'get', task: {} })],
    ['of a tool that needs the SDK', call(1, {}, { name: 'of the SDK' })],
    ['a cancellation of no call', { jsonrpc: '2.0', method: 'notifications/cancelled' }],
    ['a cancellation of an unknown call', cancel(1)],
    ['a cancellation of a call whose id is an object', cancel({})],
  ])('are not these, which the SDK has to see: %s', (_, message) => {
    const { direct, begun } = calls();
    expect([direct.takes(message), begun]).toEqual([false, []]);
  });

  test('may lack arguments, and have metadata', () => {
    const { direct, begun } = calls();
    expect(direct.takes(call(1, {}, { name: 'get', _meta: { progressToken: 1 } }))).toBe(true);
    expect(begun[0]?.given).toEqual({});
  });

  test('under an id that is in use go through the SDK; the id is free once its call was answered or cancelled', async () => {
    const { direct, begun } = calls();
    expect([direct.takes(call(1)), direct.takes(call(1))]).toEqual([true, false]);
    begun[0]?.end({});
    await soon();
    expect([direct.takes(call(1)), direct.takes(cancel(1)), direct.takes(call(1)), direct.takes(call(1))]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    // What comes of the cancelled call concerns neither its successor nor the client.
    begun[1]?.end({});
    await soon();
    expect(direct.takes(call(1))).toBe(false);
  });

  test('are not answered once they are cancelled, and learn of it', async () => {
    const { direct, begun, answers } = calls();
    direct.takes(call(1));
    // Only a cancellation cancels, whatever else names the call.
    expect([direct.takes({ ...cancel(1), method: 'notifications/progress' }), begun[0]?.signal.aborted]).toEqual([false, false]);
    expect([direct.takes(cancel(1)), begun[0]?.signal.aborted]).toEqual([true, true]);
    begun[0]?.end({});
    await soon();
    expect([answers, direct.takes(cancel(1))]).toEqual([[], false]);
  });

  test('learn that the client has gone', () => {
    const { direct, begun } = calls();
    for (const id of [1, 2]) direct.takes(call(id));
    direct.end();
    expect(begun.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  test('that fail are answered with an error of the protocol', async () => {
    const { direct, begun, answers } = calls();
    direct.takes(call(1));
    begun[0]?.fail(new Error('It broke.'));
    await soon();
    expect(answers).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'It broke.' } }]);
  });
});
