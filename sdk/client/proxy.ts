/** The route through a company's proxy, on Node.js. */
import type * as NodeHttp from 'node:http';
import type * as NodeHttps from 'node:https';
import type * as NodeNet from 'node:net';
import type * as NodeTls from 'node:tls';
import type { Duplex } from 'node:stream';
import { certificateCodes } from '../../shared/client/networkFaults.ts';
import { NetworkFault } from '../../shared/client/ports.ts';
import { asText, copied } from '../../shared/values.ts';

/**
 * The proxy that the environment sets for a request, as Node.js itself and other programs read it: `HTTPS_PROXY`, or else `HTTP_PROXY`,
 * unless `NO_PROXY` names the host. Lowercase names also count, and take precedence. Like Node.js, this does not read `ALL_PROXY`, which
 * mostly names a proxy for other protocols. Plain HTTP is sent only to this machine, where no proxy is needed.
 *
 * @param env on some hosts, values are not text; such a value counts as not set
 * @param net without it, `NO_PROXY` cannot name networks
 * @returns the proxy's address, or `undefined` if there is none
 */
export function proxyFor(address: string, env: Readonly<Record<string, unknown>>, net?: typeof NodeNet): string | undefined {
  const read = (name: string): string => copied(asText(env[name.toLowerCase()])) || copied(asText(env[name]));
  const proxy = read('HTTPS_PROXY') || read('HTTP_PROXY');
  if (proxy === '' || !address.startsWith('https:') || isExcepted(new URL(address), read('NO_PROXY'), net)) return undefined;
  return proxy;
}

/**
 * An entry of `NO_PROXY`: a host such as `example.com` (and its subdomains), `.example.com`, `*.example.com`, `10.0.0.1` or `[::1]`, or
 * `*`; each with an optional port.
 */
const exception = /^(?:\*?\.)?(?:\[([^\]]+)\]|([^:]+)|([\da-f:]+))(?::(\d+))?$/i;

function isExcepted({ hostname, port }: URL, list: string, net: typeof NodeNet | undefined): boolean {
  const host = unbracketed(hostname);
  return list.split(/[\s,]+/).some((each) => {
    if (each === '*') return true;
    const [, network = '', bits] = /^([\da-f.:]+)\/(\d+)$/i.exec(each) ?? [];
    if (bits !== undefined) return net !== undefined && isWithin(host, network, Number(bits), net);
    const [, bracketed, plain, address, only] = exception.exec(each) ?? [];
    const name = (bracketed ?? plain ?? address)?.toLowerCase();
    if (name === undefined || (only !== undefined && only !== (port || '443'))) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

/** Whether a host is an address within a network, such as `10.0.0.0/8`. */
function isWithin(host: string, network: string, bits: number, net: typeof NodeNet): boolean {
  const family = net.isIPv6(host) ? 'ipv6' : 'ipv4';
  if (net.isIP(host) === 0 || net.isIP(network) !== net.isIP(host) || bits > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new net.BlockList();
  list.addSubnet(network, bits, family);
  return list.check(host, family);
}

const unbracketed = (host: string): string => host.replace(/^\[|\]$/g, '');

/** What Node.js's HTTP client tells its `connect` function about the connection that it needs. */
interface Target {
  hostname: string;
  /** Empty for the default port. */
  port: string;
}

type Dispatcher = NonNullable<RequestInit['dispatcher']>;

/** The class of Node.js's built-in HTTP client. */
type Agent = new (options: { connect: (target: Target, done: (fault: Error | null, socket: Duplex | null) => void) => void }) => Dispatcher;

/** One per proxy, because each keeps connections open for later requests. */
const dispatchers = new Map<string, Dispatcher>();

/**
 * The option of the runtime's `fetch` that sends a request through the environment's proxy. Node.js itself reads these variables only if
 * `NODE_USE_ENV_PROXY` is set, and Node.js 20 never does; Bun and Deno always do.
 *
 * @returns no option if there is no proxy, if the runtime or the application has chosen another way to send requests, or if the runtime
 * only imitates Node.js
 */
export function throughProxy(address: string): { dispatcher?: Dispatcher } {
  try {
    const net = process.getBuiltinModule('node:net');
    const proxy = proxyFor(address, process.env, net);
    const OwnAgent = proxy === undefined ? undefined : agentOfRuntime();
    if (proxy === undefined || OwnAgent === undefined) return {};
    const [http, https] = [process.getBuiltinModule('node:http'), process.getBuiltinModule('node:https')];
    const node = { http, https, net, tls: process.getBuiltinModule('node:tls') };
    const dispatcher =
      dispatchers.get(proxy) ??
      new OwnAgent({
        connect: (target, done) =>
          void tunnel(proxy, target, node).then(
            (socket) => done(null, socket),
            (fault: unknown) => done(fault as Error, null),
          ),
      });
    dispatchers.set(proxy, dispatcher);
    return { dispatcher };
  } catch {
    // Node.js before 20.16 has no `getBuiltinModule`, and some hosts throw for each part of Node.js that they lack.
    return {};
  }
}

/** Node.js exposes its dispatcher under these symbols (the second until version 25). undici's `setGlobalDispatcher` replaces it. */
const places = ['undici.globalDispatcher.2', 'undici.globalDispatcher.1'].map((name) => Symbol.for(name));

/**
 * The class of the runtime's dispatcher; `undefined` if this is not Node.js, or if someone has set another dispatcher, such as one with a
 * proxy.
 */
function agentOfRuntime(): Agent | undefined {
  // Node.js loads its HTTP client when one of its classes is first used.
  Reflect.get(globalThis, 'Response');
  const current = places.map((place) => Reflect.get(globalThis, place) as Dispatcher | undefined).find((each) => each !== undefined);
  return current?.constructor.name === 'Agent' ? (current.constructor as Agent) : undefined;
}

interface Node {
  http: typeof NodeHttp;
  https: typeof NodeHttps;
  net: typeof NodeNet;
  tls: typeof NodeTls;
}

/** How long connecting through the proxy to the service may take. Milliseconds. */
const connectMs = 10_000;

/**
 * Opens a connection to the service through the proxy (`CONNECT`, RFC 9110), encrypted end to end.
 *
 * @throws NetworkFault for a request that was certainly not sent. Its code is `PROXY_` with the status of the proxy's refusal, such as
 * `PROXY_407`, or with the error of the connection to the proxy, such as `PROXY_ECONNREFUSED`; `PROXY_TUNNEL_` with the error of the
 * encrypted connection inside it; otherwise the code of a certificate error
 */
async function tunnel(proxy: string, { hostname, port }: Target, { http, https, net, tls }: Node): Promise<Duplex> {
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  const to = URL.canParse(address) ? new URL(address) : undefined;
  if (to === undefined || !/^https?:$/.test(to.protocol)) throw new NetworkFault('PROXY_ERR_INVALID_URL', false);
  const target = `${hostname}:${port || '443'}`;
  const headers: Record<string, string> = { host: target };
  if (to.username !== '') headers['proxy-authorization'] = `Basic ${base64(`${decoded(to.username)}:${decoded(to.password)}`)}`;
  const isSecure = to.protocol === 'https:';
  const asking = (isSecure ? https : http).request({
    hostname: unbracketed(to.hostname),
    port: to.port || (isSecure ? 443 : 80),
    method: 'CONNECT',
    path: target,
    headers,
    agent: false,
  });
  let pending: { destroy(fault: Error): unknown } = asking;
  const late = setTimeout(
    () => pending.destroy(Object.assign(new Error('The connection took too long.'), { code: 'ETIMEDOUT' })),
    connectMs,
  );
  try {
    const socket = await new Promise<Duplex>((resolve, reject) => {
      asking.once('error', (fault: Error) => reject(new NetworkFault(`PROXY_${codeOf(fault)}`, false, [to.hostname, to.port])));
      asking.once('connect', ({ statusCode = 0 }, connected, first: Buffer) => {
        if (statusCode < 200 || statusCode > 299) {
          connected.destroy();
          return reject(new NetworkFault(`PROXY_${statusCode}`, false));
        }
        if (first.length > 0) connected.unshift(first);
        resolve(connected);
      });
      asking.end();
    });
    const host = unbracketed(hostname);
    // For an IP address there is no server name: the certificate is checked against `host`.
    const name = net.isIP(host) === 0 ? { servername: host } : {};
    const secured = tls.connect({ socket, host, ...name, ALPNProtocols: ['http/1.1'] });
    pending = secured;
    return await new Promise<Duplex>((resolve, reject) => {
      secured.once('error', (fault: Error) => reject(new NetworkFault(inTunnel(codeOf(fault)), false)));
      secured.once('secureConnect', () => resolve(secured));
    });
  } finally {
    clearTimeout(late);
  }
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** A part of an address with its escapes decoded. A lone "%" is kept. */
const decoded = (part: string): string =>
  new URLSearchParams(`part=${part.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('part') ?? '';

/**
 * A certificate error concerns the service, or a proxy that decrypts the traffic. Any other error comes from the proxy's own connection.
 */
const inTunnel = (code: string): string => (certificateCodes.includes(code) ? code : `PROXY_TUNNEL_${code}`);

const codeOf = (fault: Error): string => String((fault as NodeJS.ErrnoException).code ?? fault.name);
