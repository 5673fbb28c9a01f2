import http, { Agent } from 'node:http';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { nodeExchange } from '../../sdk/node/exchange.ts';
import { exchangeHolds } from '../support/exchangeCases.ts';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';

const exchange = nodeExchange('somebody');

exchangeHolds(exchange);

test('over the connection of another agent, which does not say when it is connected, a request whose time is over counts as sent, too', async () => {
  let requests = 0;
  const port = await serve(() => (requests += 1));
  const usual = http.globalAgent;
  class Tunnel extends Agent {
    override createConnection(): Duplex {
      const socket = connect(port, '127.0.0.1');
      return Duplex.from({ readable: socket, writable: socket });
    }
  }
  http.globalAgent = new Tunnel();
  try {
    const asked = new AbortController();
    const sending = exchange(`http://127.0.0.1:${port}/`, { method: 'POST', headers: {}, body: '{}' }, asked.signal);
    const fault = sending.catch((error: unknown) => error);
    await until(() => requests > 0);
    asked.abort();
    expect(await fault).toMatchObject({ sent: true, code: 'ETIMEDOUT' });
  } finally {
    http.globalAgent = usual;
  }
});
