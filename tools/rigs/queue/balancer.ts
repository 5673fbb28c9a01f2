import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { brand } from '../../../shared/brand.ts';

/**
 * The addresses of published workflows and their waiting executions, which only the webhook processors serve. n8n's editor, its API and the
 * addresses of tests, such as `/webhook-test/`, are in the main process.
 */
const ofProcessors = /^\/(?:webhook|webhook-waiting|form|form-waiting|mcp)\//;

/** Gives each request the ports in turn. The others follow, in case the first does not respond. */
export function inTurn(ports: readonly number[]): (key?: string) => number[] {
  let turn = 0;
  return (key) => {
    const first = (key === undefined ? (turn += 1) : placeOf(key)) % ports.length;
    return [...ports.slice(first), ...ports.slice(0, first)];
  };
}

/** A number that is the same for requests that belong together, such as the tries of a delivery. */
const placeOf = (key: string): number => createHash('md5').update(key).digest().readUInt32BE();

/**
 * The routes of n8n in queue mode: published workflows to the webhook processors, everything else to the main process.
 *
 * A repeated delivery goes to the same processor, as long as that responds, because each remembers only its own deliveries. So do the
 * requests of an MCP client, whose session is in one process.
 */
export function inQueueMode(main: number, processors: readonly number[]): Route {
  const processor = inTurn(processors);
  return ({ url = '', headers }) => {
    if (!ofProcessors.test(url)) return [main];
    const [signature] = [headers[`${brand.headerPrefix}-Signature`.toLowerCase()]].flat();
    return processor(signature ?? (url.startsWith('/mcp/') ? url.split('?', 1)[0] : undefined));
  };
}

/** The ports that may serve a request, in order of preference. */
type Route = (request: IncomingMessage) => readonly number[];

/** Stands in for nginx or a cloud's load balancer. @param port where it listens; 0 uses any free one */
export async function startBalancer(port: number, route: Route) {
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, route(incoming)));
  // Longer than any sender keeps a connection, so that none is closed while a delivery is in transit.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Passes a request to the first port that accepts the connection. Its body is read only after that. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, [port, ...others]: readonly number[]): void {
  // If the connection broke, the request may have been accepted. A workflow that must handle it only once uses its delivery key.
  const comeAgain = (): void => void outgoing.writeHead(503, { 'retry-after': '1' }).end('Nobody answers here now. Send it again.');
  if (port === undefined) return comeAgain();
  const headers = {
    ...incoming.headers,
    'x-forwarded-for': incoming.socket.remoteAddress ?? '',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': incoming.headers.host ?? '',
  };
  // n8n may close an idle connection at any time, even while the next delivery is being written to it, so each delivery gets its own.
  const to = { agent: false, host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers };
  const onward = request(to, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    // A response that breaks off here also breaks off at the sender.
    pipeline(answer, outgoing, () => undefined);
  });
  let isConnected = false;
  onward.once('socket', (socket) =>
    socket.once('connect', () => {
      isConnected = true;
      incoming.pipe(onward);
    }),
  );
  onward.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy();
    else if (isConnected) comeAgain();
    else forward(incoming, outgoing, others);
  });
  outgoing.once('close', () => onward.destroy());
}
