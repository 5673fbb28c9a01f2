import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createSecureServer } from 'node:tls';
import { certified } from './certificates.ts';

/** How the proxy responds: it connects, refuses with a status, never responds, or connects and closes the connection. */
type Policy = 'connect' | 403 | 407 | 'silence' | 'breaks';

/**
 * A company's network on this machine. Only the proxy knows the service's host name, and only the company's authority has signed its
 * certificate. The proxy only supports `CONNECT`.
 */
export class CompanyNetwork {
  readonly host = 'scheduling.test';
  readonly baseUrl = `https://${this.host}/api/v1`;
  /** The file with the company's certificate. */
  readonly certificate: string;
  /** The targets that the proxy was asked for, with the credentials that came. */
  readonly asked: [target: string, credentials: string | undefined][] = [];
  policy: Policy = 'connect';
  readonly #folder: string;
  readonly #proxy: HttpServer;
  readonly #service: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(folder: string, proxy: HttpServer, service: Server) {
    [this.#folder, this.#proxy, this.#service] = [folder, proxy, service];
    this.certificate = join(folder, 'company.pem');
    for (const server of [proxy, service]) server.on('connection', (socket: Socket) => this.#keep(socket));
    proxy.on('connect', (request, socket: Socket) => {
      this.asked.push([request.url ?? '', request.headers['proxy-authorization']]);
      if (this.policy === 'silence') return;
      if (this.policy === 'breaks') return void socket.end('HTTP/1.1 200 Connection established\r\n\r\n');
      if (this.policy !== 'connect') return void socket.end(`HTTP/1.1 ${this.policy} Refused\r\ncontent-length: 0\r\n\r\n`);
      const there = this.#keep(connect(portOf(service), '127.0.0.1'));
      there.once('connect', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(there).pipe(socket);
      });
    });
  }

  /** @param service the port of this machine on which the service listens */
  static async open(service: number): Promise<CompanyNetwork> {
    const folder = await mkdtemp(join(tmpdir(), 'company-'));
    const { company, service: own } = certified('scheduling.test');
    await writeFile(join(folder, 'company.pem'), company);
    const proxy = createServer((_, response) => response.writeHead(405).end());
    const secure = createSecureServer(own);
    const network = new CompanyNetwork(folder, proxy, secure);
    secure.on('secureConnection', (socket) =>
      network
        .#keep(socket)
        .pipe(network.#keep(connect(service, '127.0.0.1')))
        .pipe(socket),
    );
    for (const server of [proxy, secure]) await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return network;
  }

  /** The proxy's address. */
  get proxy(): string {
    return `http://127.0.0.1:${portOf(this.#proxy)}`;
  }

  /** The environment variables of a program in this network. */
  get env(): Record<string, string> {
    return { HTTPS_PROXY: this.proxy, NODE_EXTRA_CA_CERTS: this.certificate };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of [this.#proxy, this.#service]) await new Promise((closed) => server.close(closed));
    await rm(this.#folder, { recursive: true, force: true });
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    // The other end may disappear without closing, such as a program that ends.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
