import { createServer, type RequestListener, type Server } from 'node:http';
import { listen } from './receiver.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server on this machine, which stops with the test. @returns its port */
export function serve(listener: RequestListener, server = createServer(listener)): Promise<number> {
  servers.push(server);
  return listen(server);
}
