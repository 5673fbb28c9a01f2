import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';

type AppRequest = Request<Record<string, string>, unknown, Buffer>;

/** One line of an app's log, as the platform posts it after it has removed secrets. */
interface LogLine {
  message: string;
  data: Record<string, unknown>;
}

/** An answer to a person's browser. */
export interface BrowserAnswer {
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
  pages: { path: string; show: (below: string, method: string) => BrowserAnswer | Promise<BrowserAnswer> } | undefined;
  readonly #server: Server;
  readonly #hooks = new Map<string, (request: RawRequest) => void>();

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const body = express.raw({ type: () => true, limit: '10mb' });
    const app = express()
      .use(async (request, response, next) => {
        if (!(await this.#show(request, response))) next();
      })
      .post('/logs', (request, response) => this.#log(request, response))
      .post('/rpc', body, (request: AppRequest, response) => this.#rpc(request, response))
      .use('/hooks/standard', body, (request: AppRequest, response) => this.#hook(request, response));
    server.on('request', app);
  }

  /** @param port 0 uses any free port */
  static async start(port = 0): Promise<Backend> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new Backend(server);
  }

  get loggingEndpoint(): string {
    return `${this.origin}/logs`;
  }

  /** Opens one hook address in the form that Zapier uses. Deliveries to it are answered at once and passed to `receive`. */
  openHook(receive: (request: RawRequest) => void): string {
    const path = `/hooks/standard/1/${crypto.randomUUID().replaceAll('-', '')}/`;
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

  /** Shows a page, only to browsers that use a name of this machine: under any other name, a page from elsewhere could read it. */
  async #show({ path, method, headers: { host } }: Request, response: Response): Promise<boolean> {
    if (this.pages === undefined || !`${path}/`.startsWith(`${this.pages.path}/`)) return false;
    const { port } = new URL(this.origin);
    if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
      response.status(403).json({ error: `This page is only available at ${this.origin}.` });
      return true;
    }
    const { status, headers, html } = await this.pages.show(path.slice(this.pages.path.length), method);
    response.status(status).set({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', ...headers });
    response.type('html').send(html);
    return true;
  }

  #hook(request: AppRequest, response: Response): void {
    const receive = this.#hooks.get(request.originalUrl.split('?')[0] ?? '');
    if (receive === undefined) return void response.status(410).json({ status: 'gone' });
    response.json({ status: 'success', attempt: crypto.randomUUID(), id: crypto.randomUUID(), request_id: crypto.randomUUID() });
    receive(rawRequest(request));
  }

  #rpc(request: AppRequest, response: Response): void {
    if (!this.cache.available) return void response.status(503).json({ error: 'The store cannot be reached.' });
    const { id, method, params } = JSON.parse(request.body.toString()) as { id: string; method: string; params: unknown[] };
    response.json({ id, result: this.cache.call(method, params) });
  }

  /** Reads the lines as they arrive, because the platform ends a log request after 200 ms, even without an answer. */
  #log(request: Request, response: Response): void {
    let rest = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.logs.push(JSON.parse(line) as LogLine);
    });
    request.once('end', () => response.json({})).once('error', () => response.destroy());
  }
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
function rawRequest({ method, originalUrl, headers, body }: AppRequest): RawRequest {
  const named = Object.entries(headers).map(([name, value = '']) => [renamed(name), [value].flat().join(', ')] as const);
  const content = Buffer.isBuffer(body) ? body.toString('utf8') : '';
  return { method, querystring: originalUrl.split('?')[1] ?? '', headers: Object.fromEntries<string>(named), content };
}

function renamed(name: string): string {
  const capitalised = name.replace(/(^|-)([a-z])/g, (letter) => letter.toUpperCase());
  return capitalised === 'Content-Type' || capitalised === 'Content-Length' ? capitalised : `Http-${capitalised}`;
}
