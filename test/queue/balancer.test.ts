import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startBalancer, type Balancer } from '../../tools/rigs/queue/balancer.ts';
import { brand } from '../../shared/brand.ts';

let servers: Server[] = [];
let balancer: Balancer | undefined;
afterEach(async () => {
  await balancer?.stop();
  for (const server of servers) server.closeAllConnections();
  for (const server of servers.splice(0)) server.close();
});

const names = ['main', 'processor 1', 'processor 2'];

/** A main process and two processors, each of which answers with its name. @returns their ports */
async function behind(answer: (name: string) => RequestListener = (name) => (_, response) => response.end(name)): Promise<number[]> {
  servers = names.map((name) => createServer(answer(name)).listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  balancer = await startBalancer({ port: 0, main: () => ports[0] ?? 0, processors: () => ports.slice(1) });
  return ports;
}

async function ask(path: string, delivery?: string, id = delivery): Promise<{ status: number; text: string; again: string | null }> {
  const response = await fetch(`${balancer?.origin}${path}`, {
    method: 'POST',
    body: '{}',
    ...(delivery === undefined
      ? {}
      : { headers: { [`${brand.headerPrefix}-Delivery-ID`]: id ?? '', [`${brand.headerPrefix}-Signature`]: `sha256=${delivery}` } }),
  });
  return { status: response.status, text: await response.text(), again: response.headers.get('retry-after') };
}

const stopped = (server: Server | undefined): Promise<unknown> => new Promise((resolve) => server?.close(resolve));

describe('the load balancer before n8n', () => {
  test('sends production webhooks to the processors in turn, and everything else to the main process', async () => {
    await behind();
    const production = [await ask('/webhook/a'), await ask('/webhook/a'), await ask('/webhook/a'), await ask('/webhook/a')];
    expect(production.map(({ text }) => text).sort()).toEqual(['processor 1', 'processor 1', 'processor 2', 'processor 2']);
    expect((await ask('/webhook-test/a')).text).toBe('main');
    expect((await ask('/rest/settings')).text).toBe('main');
  });

  test('sends a delivery that comes again where it went before, and counts it once', async () => {
    await behind();
    for (const delivery of ['dlv_1', 'dlv_2', 'dlv_3', 'dlv_4', 'dlv_5']) {
      const [first, again] = [await ask('/webhook/a', delivery), await ask('/webhook/a', delivery)];
      expect(again.text).toBe(first.text);
    }
    expect(balancer?.taken).toEqual(new Set(['dlv_1', 'dlv_2', 'dlv_3', 'dlv_4', 'dlv_5']));
    expect(balancer?.answers).toEqual(new Map([[200, 10]]));
  });

  test('sends a delivery that is replayed under other ids where the genuine one went', async () => {
    await behind();
    const replays = ['dlv_1', 'dlv_2', 'dlv_3', 'dlv_4', 'dlv_5', 'dlv_6'].map((id) => ask('/webhook/a', 'one', id));
    expect(new Set((await Promise.all(replays)).map(({ text }) => text)).size).toBe(1);
  });

  test('goes on with the other processor where one is gone, and gives 503 and when to come again where none is left', async () => {
    await behind();
    await stopped(servers[1]);
    const others = await Promise.all(Array.from({ length: 8 }, (_, index) => ask('/webhook/a', `dlv_${index}`)));
    expect(new Set(others.map(({ text }) => text))).toEqual(new Set(['processor 2']));
    await stopped(servers[2]);
    expect(await ask('/webhook/a', 'dlv_9')).toMatchObject({ status: 503, again: '1' });
  });

  test('gives 502, and asks no other, where a processor breaks off: it may have taken the delivery', async () => {
    await behind((name) => (request, response) => (name === 'main' ? response.end(name) : request.socket.destroy()));
    expect((await ask('/webhook/a', 'dlv_1')).status).toBe(502);
    expect(balancer?.answers).toEqual(new Map([[502, 1]]));
  });
});
