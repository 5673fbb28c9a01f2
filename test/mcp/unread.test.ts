import { connect } from 'node:net';
import { until } from '../support/until.ts';
import { piped, serving, start } from './program.ts';
import { call, Stage } from './stage.ts';
import { asLine, hello } from './talk.ts';

jest.setTimeout(120_000);

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

const isServed = async (client: Parameters<typeof call>[0]): Promise<boolean> =>
  (await call(client, 'get_current_user')).isError === undefined;

describe('a client that starts the program and never reads', () => {
  const list = (id: number): string => asLine({ id, method: 'tools/list' });

  test('is dropped before its answers fill the memory, and another client is served meanwhile', async () => {
    const { client } = await start(stage);
    const { child, said } = await piped(stage);
    child.stdin.write(hello);
    let asked = 0;
    await until(async () => {
      for (let count = 0; count < 500; count += 1) child.stdin.write(list((asked += 1)));
      expect(await isServed(client)).toBe(true);
      return child.exitCode !== null;
    });
    expect([child.exitCode, said()]).toEqual([1, 'The client no longer reads answers, so this program stops.\n']);
  });

  test('and ends its input: the program ends as well, without a message', async () => {
    const { child, said, ended } = await piped(stage);
    child.stdin.write(hello);
    for (let id = 1; id <= 300; id += 1) child.stdin.write(list(id));
    child.stdin.end();
    await ended();
    expect([child.exitCode, said()]).toEqual([0, '']);
  });
});

test('over HTTP a caller who reads no answers is no longer read; others are served, and the program ends when told to', async () => {
  const { address, child } = await serving(stage);
  const client = await stage.client(address);
  const { hostname, port } = new URL(address);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }).padEnd(20_000);
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n`;
  const deaf = connect(Number(port), hostname);
  deaf.on('error', () => undefined);
  deaf.pause();
  const [requests, size] = [5_000, head.length + body.length];
  for (let count = 0; count < requests; count += 1) deaf.write(head + body);

  let [still, left] = [0, -1];
  await until(async () => {
    expect(await isServed(client)).toBe(true);
    still = deaf.bytesWritten > 0 && deaf.writableLength === left ? still + 1 : 0;
    left = deaf.writableLength;
    return still === 20;
  });
  // On a slow machine, the server may have closed the connection by then.
  expect(deaf.destroyed || deaf.writableLength / size > requests / 2).toBe(true);

  child.kill('SIGTERM');
  await until(() => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
  deaf.destroy();
});
