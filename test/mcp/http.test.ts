import { request } from 'node:http';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/** A request as a browser or a program would send it, because `fetch` does not let anyone set a host. */
function ask(address: string, headers: Record<string, string> = {}, body = message): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      address,
      { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers } },
      (response) => {
        let text = '';
        response.on('data', (piece: Buffer) => (text += piece.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

test('a program of this machine is served', async () => {
  const { address } = await stage.serve();
  const { status, text } = await ask(address);
  expect(status).toBe(200);
  expect(text).toContain('create_booking');
});

test('it listens on this machine alone', async () => {
  const { address } = await stage.serve();
  expect(new URL(address).hostname).toBe('127.0.0.1');
});

test.each([
  ['a host name that somebody bent towards this machine', { host: 'attacker.example' }],
  ['a page of another origin', { origin: 'https://attacker.example' }],
  ['another page of this machine', { origin: 'http://localhost:3000' }],
  ['a page without an origin of its own', { origin: 'null' }],
])('%s is refused, and nothing is called', async (_, headers) => {
  const { address } = await stage.serve();
  const { status, text } = await ask(address, headers);
  expect(status).toBe(403);
  expect(text).not.toContain('create_booking');
});

test('its own origin is accepted, because no other page of this machine has it', async () => {
  const { address } = await stage.serve();
  expect((await ask(address, { origin: new URL(address).origin })).status).toBe(200);
});

test('a page whose host was allowed may call it', async () => {
  const { address } = await stage.serve({}, { origins: ['inspector.example'] });
  expect((await ask(address, { origin: 'https://inspector.example' })).status).toBe(200);
  expect((await ask(address, { origin: 'https://attacker.example' })).status).toBe(403);
});

test('if a key is set, only callers with the key are served', async () => {
  const { address } = await stage.serve({}, { key: 'a long key' });
  expect((await ask(address)).status).toBe(401);
  expect((await ask(address, { authorization: 'Bearer another' })).status).toBe(401);
  expect((await ask(address, { authorization: 'Bearer a long key' })).status).toBe(200);
});

test('a form from a web page, which needs no permission from the browser, is not accepted', async () => {
  const { address } = await stage.serve();
  expect((await ask(address, { 'content-type': 'text/plain' })).status).toBe(415);
});

test('a message that is larger than any call is refused without being read', async () => {
  const { address } = await stage.serve();
  expect(
    (
      await ask(
        address,
        {},
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'create_booking', arguments: { notes: 'x'.repeat(2_000_000) } },
        }),
      )
    ).status,
  ).toBe(413);
});

test('its other paths do not exist', async () => {
  const { address } = await stage.serve();
  expect((await ask(address.replace('/mcp', '/'))).status).toBe(404);
});
