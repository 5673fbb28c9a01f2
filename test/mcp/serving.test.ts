import { Agent, get } from 'node:http';
import { listenAt } from '../../mcp/adapter/serving.ts';

it('a server whose places are all taken by idle connections closes those, and the next caller is answered', async () => {
  const { server, address } = await listenAt({ host: '127.0.0.1', port: 0, chosenBy: 'PORT' }, () => new Response('here'));
  const idle = new Agent({ keepAlive: true });
  const calls = (agent: Agent | undefined) =>
    new Promise((resolve) => {
      const request = get(address, { agent }, (response) => response.resume().once('end', () => resolve(response.statusCode)));
      request.once('error', () => resolve('refused'));
    });
  try {
    server.maxConnections = 2;
    expect(await Promise.all([calls(idle), calls(idle)])).toEqual([200, 200]);
    expect([await calls(undefined), await calls(undefined)]).toEqual(['refused', 200]);
  } finally {
    idle.destroy();
    server.close();
  }
});
