import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { brand } from '../../../shared/brand.ts';

/**
 * The addresses that n8n gives to published workflows and their waiting executions. Only the webhook processors answer there. Its editor,
 * its API and the addresses of tests, such as `/webhook-test/`, are in the main process.
 */
const ofProcessors = /^\/(?:webhook|webhook-waiting|form|form-waiting|mcp)\//;

/** The processes, each of which gets a request in turn. The others follow, in case it does not answer. */
export function inTurn(ports: readonly number[]): (key?: string) => number[] {
  let turn = 0;
  return (key) => {
    const first = (key === undefined ? (turn += 1) : placeOf(key)) % ports.length;
    return [...ports.slice(first), ...ports.slice(0, first)];
  };
}

/** A number that is the same each time for what belongs together, such as the tries of a delivery. */
const placeOf = (key: string): number => createHash('md5').update(key).digest().readUInt32BE();

/**
 * Where n8n in queue mode answers: what published workflows answer is at the webhook processors, everything else at the main process.
 *
 * A delivery that is sent again goes to the same processor, as long as that one answers, because each only remembers its own deliveries. So
 * do the requests of an MCP client, whose session is in one process.
 */
export function inQueueMode(main: number, processors: readonly number[]): Route {
  const processor = inTurn(processors);
  return ({ url = '', headers }) => {
    if (!ofProcessors.test(url)) return [main];
    const [signature] = [headers[`${brand.headerPrefix}-Signature`.toLowerCase()]].flat();
    return processor(signature ?? (url.startsWith('/mcp/') ? url.split('?', 1)[0] : undefined));
  };
}

/** The ports that may answer a request, the first one first. */
type Route = (request: IncomingMessage) => readonly number[];

/** Takes the place of nginx or a cloud's load balancer. @param port where it listens; 0 uses any free one */
export async function startBalancer(port: number, route: Route) {
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, route(incoming)));
  // Longer than any sender keeps a connection, so that none is closed while a delivery is on its way.
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

/** Passes a request to the first port that accepts the connection. Its body is only read once a port has accepted it. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, [port, ...others]: readonly number[]): void {
  // It may even have been accepted, if the connection broke: a workflow that must handle it only once uses its delivery key.
  const comeAgain = (): void => void outgoing.writeHead(503, { 'retry-after': '1' }).end('Nobody answers here now. Send it again.');
  if (port === undefined) return comeAgain();
  const headers = {
    ...incoming.headers,
    'x-forwarded-for': incoming.socket.remoteAddress ?? '',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': incoming.headers.host ?? '',
  };
  // n8n may close an idle connection at any time, even while the next delivery is being written to it. So each delivery gets its own.
  const to = { agent: false, host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers };
  const onward = request(to, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    // An answer that breaks off here breaks off there.
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
