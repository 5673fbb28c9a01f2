import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { brand } from '../../../shared/brand.ts';

/** The single address at which the outside reaches all of n8n's processes. */
export interface Balancer {
  readonly origin: string;
  stop(): Promise<void>;
}

export interface Routes {
  /** 0 uses any free port. */
  port: number;
  /** The port of the main process: the editor, its REST interface, test webhooks. */
  main: () => number;
  /** The ports of the webhook processors in use. They receive production webhooks in turn. */
  processors: () => readonly number[];
}

/** Error codes of a connection that was never made: the next processor may be tried instead. */
const neverConnected = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL']);

/**
 * Takes the place of nginx or a cloud's load balancer in front of n8n in queue mode: `/webhook/...` goes to the webhook processors,
 * everything else to the main process. If no processor answers, the sender gets 503 with Retry-After: nothing was accepted.
 *
 * A delivery that is sent again goes to the same processor, as long as that one answers, because each only remembers its own deliveries.
 */
export async function startBalancer({ port, main, processors }: Routes): Promise<Balancer> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const isWebhook = incoming.url?.startsWith('/webhook/') ?? false;
    const ports = isWebhook ? processors() : [main()];
    const [signature] = [incoming.headers[`${brand.headerPrefix}-Signature`.toLowerCase()]].flat();
    const first = signature === undefined ? (turn += 1) : placeOf(signature);
    forward(incoming, outgoing, [...ports.slice(first % ports.length), ...ports.slice(0, first % ports.length)]);
  });
  // Longer than any sender keeps a connection, so that none is closed while a delivery is on its way.
  server.keepAliveTimeout = 65_000;
  server.on('upgrade', (incoming, socket, head) => void tunnel(incoming, socket as Socket, head, main()));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A number that is the same each time a delivery arrives, whatever its id. */
const placeOf = (signature: string): number => createHash('md5').update(signature).digest().readUInt32BE();

/** Passes a request to the first port that accepts the connection. Its body is only read once a port has accepted it. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, [port, ...others]: readonly number[]): void {
  if (port === undefined) {
    outgoing
      .writeHead(503, { 'retry-after': '1', 'content-type': 'application/json' })
      .end(JSON.stringify({ message: 'No n8n process answers here at the moment. Send it again.' }));
    return;
  }
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
    answer.pipe(outgoing);
  });
  onward.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => incoming.pipe(onward));
    else incoming.pipe(onward);
  });
  onward.on('error', (error: NodeJS.ErrnoException) => {
    if (outgoing.headersSent) outgoing.destroy();
    else if (neverConnected.has(error.code ?? '')) forward(incoming, outgoing, others);
    // n8n may have accepted it. The sender is told to send it again; a workflow that must handle it only once uses its delivery key.
    else
      outgoing
        .writeHead(502, { 'content-type': 'application/json' })
        .end(JSON.stringify({ message: 'The connection to n8n broke. Send it again.' }));
  });
  outgoing.once('close', () => onward.destroy());
}

/** The live connection of the editor. */
function tunnel(incoming: IncomingMessage, socket: Socket, head: Buffer, port: number): void {
  const onward = connect(port, '127.0.0.1', () => {
    const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
    for (let index = 0; index < incoming.rawHeaders.length; index += 2)
      lines.push(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}`);
    onward.write(`${lines.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  socket.on('error', () => onward.destroy());
}
