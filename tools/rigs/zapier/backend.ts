import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One line of an app's log, as the platform posts it after it has removed secrets. */
export interface LogLine {
  message: string;
  data: Record<string, unknown>;
}

/** An answer to a person's browser. */
export interface Page {
  status: number;
  headers: Record<string, string | string[]>;
  html: string;
}

/**
 * Zapier's side of the wire: the address that deliveries are sent to, the remote calls behind `z.cache`, and the log.
 * It listens on loopback only.
 */
export class Backend {
  readonly cache = new RuntimeCache();
  readonly logs: LogLine[] = [];
  readonly origin: string;
  /** The pages for a person, under a path that only this person knows: they sign in. Without it there are none. */
  pages: { path: string; show: (below: string) => Page | Promise<Page> } | undefined;
  readonly #server: Server;
  readonly #hooks = new Map<string, (request: RawRequest) => void>();
  #next = 1;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  /** @param port 0 uses any free port */
  static async start(port = 0): Promise<Backend> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    return new Backend(server);
  }

  get rpcAddress(): string {
    return `${this.origin}/rpc`;
  }

  get loggingEndpoint(): string {
    return `${this.origin}/logs`;
  }

  /** The redirect address, in the form that Zapier gives its apps. */
  get redirectUri(): string {
    return `${this.origin}/dashboard/auth/oauth/return/AppCLIAPI/`;
  }

  /** Opens one hook address in the form that Zapier uses. Deliveries to it are answered at once and passed to `receive`. */
  openHook(receive: (request: RawRequest) => void): string {
    const number = this.#next++;
    const path = `/hooks/standard/${number}/${crypto.randomUUID().replaceAll('-', '')}/`;
    this.#hooks.set(path, receive);
    return this.origin + path;
  }

  /** Closes a hook address: it now answers 410, which tells the service to stop. */
  closeHook(address: string): void {
    this.#hooks.delete(new URL(address).pathname);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.origin).pathname;
    try {
      const pages = this.pages;
      if (pages && (path === pages.path || path.startsWith(`${pages.path}/`)))
        return await showPage(() => pages.show(path.slice(pages.path.length)), this.origin, request, response);
      if (path === '/logs') return await this.#log(request, response);
      const body = await bodyOf(request);
      if (path === '/rpc') return this.#rpc(body, response);
      if (path.startsWith('/hooks/standard/')) return this.#hook(path, request, body, response);
      send(response, 404, { error: `Nothing is served at ${path}.` });
    } catch (error) {
      if (!response.headersSent) send(response, 500, { error: error instanceof Error ? error.message : String(error) });
    }
  }

  #hook(path: string, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const receive = this.#hooks.get(path);
    if (receive === undefined) return send(response, 410, { status: 'gone' });
    if (request.method === 'DELETE') {
      this.#hooks.delete(path);
      return send(response, 200, { status: 'success' });
    }
    send(response, 200, { status: 'success', attempt: crypto.randomUUID(), id: crypto.randomUUID(), request_id: crypto.randomUUID() });
    receive(rawRequest(request, body));
  }

  #rpc(body: Buffer, response: ServerResponse): void {
    if (!this.cache.available) return send(response, 503, { error: 'The store cannot be reached.' });
    const { id, method, params } = JSON.parse(body.toString()) as { id: string; method: string; params: unknown[] };
    send(response, 200, { id, result: this.cache.call(method, params) });
  }

  /** Reads the lines as they arrive, because the platform ends a log request after 200 ms, even without an answer. */
  async #log(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let rest = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.logs.push(JSON.parse(line) as LogLine);
    });
    const arrivedWhole = await new Promise<boolean>((resolve) =>
      request.once('end', () => resolve(true)).once('error', () => resolve(false)),
    );
    if (arrivedWhole) send(response, 200, {});
  }
}

/** Only for browsers that use a name of this machine: under any other name, a page from elsewhere could read it. */
async function showPage(
  show: () => Page | Promise<Page>,
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { host = '' } = request.headers;
  const { port } = new URL(origin);
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    return send(response, 403, { error: `This page is only available at ${origin}.` });
  const { status, headers, html } = await show();
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...headers,
    })
    .end(html);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Zapier's side of `z.cache`, for one account: the calls that zapier-platform-core makes to its RPC address. */
class RuntimeCache {
  /** If false, every call fails as if Zapier's store could not be reached. */
  available = true;
  readonly #kept = new Map<string, { value: unknown; until: number }>();

  /** @param params as zapier-platform-core sends them; a key with another scope is another key */
  call(method: string, [key, ...params]: unknown[]): unknown {
    switch (method) {
      case 'zcache_get':
        return this.#live(JSON.stringify([key, params[0]]))?.value ?? null;
      case 'zcache_set': {
        const [value, seconds, scope, onlyIfAbsent] = params;
        const name = JSON.stringify([key, scope]);
        if (onlyIfAbsent === true && this.#live(name) !== undefined) return null;
        this.#kept.set(name, { value, until: typeof seconds === 'number' ? Date.now() + seconds * 1000 : Infinity });
        return true;
      }
      case 'zcache_delete':
        return this.#kept.delete(JSON.stringify([key, params[0]]));
      default:
        throw new Error(`There is no remote call named ${method}.`);
    }
  }

  #live(name: string): { value: unknown } | undefined {
    const kept = this.#kept.get(name);
    return kept !== undefined && kept.until > Date.now() ? kept : undefined;
  }
}

/** A delivery in the form in which an app's `perform` finds it in its bundle. */
export interface RawRequest {
  method: string;
  querystring: string;
  headers: Record<string, string>;
  content: string;
}

/**
 * Turns a received request into what Zapier passes to an app: the body as text, and every header except the two
 * that describe the body, with the prefix `Http-` and each part of its name capitalised (`X-TIME-GMT` becomes `Http-X-Time-Gmt`).
 */
function rawRequest({ method = 'POST', url = '', headers }: IncomingMessage, body: Buffer): RawRequest {
  const named = Object.entries(headers).map(([name, value = '']) => [renamed(name), [value].flat().join(', ')] as const);
  return { method, querystring: url.split('?')[1] ?? '', headers: Object.fromEntries<string>(named), content: body.toString('utf8') };
}

function renamed(name: string): string {
  const capitalised = name
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase())
    .join('-');
  return capitalised === 'Content-Type' || capitalised === 'Content-Length' ? capitalised : `Http-${capitalised}`;
}
