import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';

type AppRequest = Request<Record<string, string>, unknown, Buffer>;

export type Backend = Awaited<ReturnType<typeof startBackend>>;

/**
 * Zapier's side of the wire: the address for deliveries, the remote calls of `z.cache`, and the log. It listens on loopback only.
 *
 * @param port 0 uses any free port
 */
export async function startBackend(port = 0) {
  const cache = createCache();
  /** The lines of the app's log, as the platform sends them after it has removed secrets. */
  const logs: { message: string }[] = [];
  const hooks = new Map<string, (request: RawRequest) => void>();
  const body = express.raw({ type: () => true, limit: '10mb' });
  const server = express()
    // Reads the lines as they arrive, because the platform ends a log request after 200 ms, even without a response.
    .post('/logs', (request, response) => {
      let rest = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) logs.push(JSON.parse(line) as { message: string });
      });
      request.once('end', () => response.json({})).once('error', () => response.destroy());
    })
    .post('/rpc', body, (request: AppRequest, response) => {
      if (!cache.available) return void response.status(503).json({ error: 'The store cannot be reached.' });
      const { id, method, params } = JSON.parse(request.body.toString()) as { id: string; method: string; params: unknown[] };
      response.json({ id, result: cache.call(method, params) });
    })
    .use('/hooks/standard', body, (request: AppRequest, response) => {
      const receive = hooks.get(request.originalUrl.split('?')[0] ?? '');
      if (receive === undefined) return void response.status(410).json({ status: 'gone' });
      response.json({ status: 'success', attempt: crypto.randomUUID(), id: crypto.randomUUID(), request_id: crypto.randomUUID() });
      receive(rawRequest(request));
    })
    .listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    cache,
    logs,
    origin,
    loggingEndpoint: `${origin}/logs`,
    /** Opens a hook address in Zapier's form. Deliveries to it get a response at once and are passed to `receive`. */
    openHook(receive: (request: RawRequest) => void): string {
      const path = `/hooks/standard/1/${crypto.randomUUID().replaceAll('-', '')}/`;
      hooks.set(path, receive);
      return origin + path;
    },
    /** Closes a hook address. It then responds with 410, which tells the service to stop. */
    closeHook: (address: string): unknown => hooks.delete(new URL(address).pathname),
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Zapier's side of `z.cache`, for one account: the calls that zapier-platform-core makes to its RPC address. */
function createCache() {
  const kept = new Map<string, { value: unknown; until: number }>();
  /** The same key with another scope is a different entry. */
  const live = (name: string): { value: unknown } | undefined => {
    const found = kept.get(name);
    return found !== undefined && found.until > Date.now() ? found : undefined;
  };
  return {
    /** If false, every call fails as if Zapier's store could not be reached. */
    available: true,
    /** @param params as zapier-platform-core sends them */
    call(method: string, [key, ...params]: unknown[]): unknown {
      const scoped = (scope: unknown): string => JSON.stringify([key, scope]);
      if (method === 'zcache_get') return live(scoped(params[0]))?.value ?? null;
      if (method === 'zcache_delete') return kept.delete(scoped(params[0]));
      if (method !== 'zcache_set') throw new Error(`There is no remote call named ${method}.`);
      const [value, seconds, scope, onlyIfAbsent] = params;
      if (onlyIfAbsent === true && live(scoped(scope)) !== undefined) return null;
      kept.set(scoped(scope), { value, until: typeof seconds === 'number' ? Date.now() + seconds * 1000 : Infinity });
      return true;
    },
  };
}

/** A delivery in the form that an app's `perform` finds in its bundle. */
export type RawRequest = ReturnType<typeof rawRequest>;

/**
 * Turns a received request into what Zapier passes to an app: the body as text, and every header except the two that describe the body,
 * with the prefix `Http-` and each part of its name capitalised (`X-TIME-GMT` becomes `Http-X-Time-Gmt`).
 */
function rawRequest({ method, originalUrl, headers, body }: AppRequest) {
  const named = Object.entries(headers).map(([name, value = '']): [string, string] => {
    const capitalised = name.replace(/(^|-)([a-z])/g, (letter) => letter.toUpperCase());
    return [/^Content-(?:Type|Length)$/.test(capitalised) ? capitalised : `Http-${capitalised}`, [value].flat().join(', ')];
  });
  const content = Buffer.isBuffer(body) ? body.toString('utf8') : '';
  return { method, querystring: originalUrl.split('?')[1] ?? '', headers: Object.fromEntries(named), content };
}
