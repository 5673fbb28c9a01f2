import { proxyFor } from '../sdk/client/proxy.ts';
import { copied } from '../shared/values.ts';
import { brand } from '../shared/brand.ts';
import { checkBaseUrl } from '../shared/client/index.ts';
import { limits } from '../shared/limits.ts';
import { isLoopback, readRegisteredClients, type RegisteredClient } from './signIn/clients.ts';
import { readKeys, type Key } from './database/vault.ts';

/** What an operator sets. */
export interface Settings {
  /** Where people and assistants reach this server: an origin. */
  origin: string;
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  keys: readonly Key[];
  /** Of PostgreSQL; `undefined` for a file in `folder`. */
  databaseUrl: string | undefined;
  folder: string;
  host: string;
  port: number;
  /** Registered by hand, beside those that register themselves. */
  clients: readonly RegisteredClient[];
  /** Hosts inside the operator's own network whose client documents may be read, such as `assistants.internal:8443`. */
  insideHosts: readonly string[];
  /** How many proxies the operator has in front of this server: as many addresses at the end of `X-Forwarded-For` are believed. */
  proxies: number;
  /** How many token requests a minute the service allows this application; `undefined` if that is not known before it refuses one. */
  tokenRequests: number | undefined;
  /** Whether the way out is through a proxy. Clients' documents are only read directly, where it is known which machine answers. */
  isBehindProxy: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

export const settingsHelp = `Settings, from the environment:
  SCHEDULING_MCP_URL       where people and assistants reach this server, such as https://mcp.example.com (required)
  SCHEDULING_CLIENT_ID     the application of this server at ${brand.name} (required); register the redirect
  SCHEDULING_CLIENT_SECRET address <SCHEDULING_MCP_URL>/callback for it
  SCHEDULING_MCP_KEYS      encrypts what is kept: name:key, several separated by commas, the newest first (required)
  DATABASE_URL             postgres://…, for any number of processes; without it, a file serves one process
  SCHEDULING_MCP_FOLDER    where that file is (./data)
  HOST, PORT               where it listens (127.0.0.1, 4031)
  SCHEDULING_BASE_URL      another address of the service (${brand.baseUrl})
  SCHEDULING_MCP_PROXIES   how many proxies are in front of this server (0): who asks is then in X-Forwarded-For
  SCHEDULING_MCP_TOKEN_REQUESTS
                           how many token requests a minute the service allows this application (${limits.tokenExchangesPerMinute})
  SCHEDULING_MCP_INSIDE    hosts in your own network whose client documents may be read, separated by commas
  SCHEDULING_MCP_CLIENTS   clients that you register by hand: a JSON list with client_id, redirect_uris and client_name of
                           each, and client_secret if it has one
  HTTPS_PROXY, NO_PROXY    the way through a company's network`;

/** @throws an error for operators that names every setting which is missing or wrong */
export function readSettings(env: Env): Settings {
  const wrong: string[] = [];
  const text = (name: string): string | undefined => copied(env[name] ?? '') || undefined;
  const needed = (name: string): string => {
    const value = text(name);
    if (value === undefined) wrong.push(`${name} is missing.`);
    return value ?? '';
  };
  const tried = <Value>(read: () => Value, otherwise: Value): Value => {
    try {
      return read();
    } catch (error) {
      wrong.push((error as Error).message);
      return otherwise;
    }
  };
  const numberFrom = (name: string, least: number, most: number): number | undefined => {
    const value = text(name);
    if (value !== undefined && !(Number.isInteger(Number(value)) && Number(value) >= least && Number(value) <= most))
      wrong.push(`${name} must be a number from ${least} to ${most}.`);
    return value === undefined ? undefined : Number(value);
  };
  const databaseUrl = text('DATABASE_URL');
  if (databaseUrl !== undefined && !/^postgres(?:ql)?:\/\//.test(databaseUrl))
    wrong.push('DATABASE_URL must begin with postgres://. Without it, a file is used.');
  const address = needed('SCHEDULING_MCP_URL');
  const keys = needed('SCHEDULING_MCP_KEYS');
  const baseUrl = tried(() => checkBaseUrl(text('SCHEDULING_BASE_URL') ?? brand.baseUrl), '');
  const settings = {
    origin: address === '' ? '' : tried(() => originIn(address), ''),
    baseUrl,
    clientId: needed('SCHEDULING_CLIENT_ID'),
    clientSecret: needed('SCHEDULING_CLIENT_SECRET'),
    keys: keys === '' ? [] : tried(() => readKeys(keys), []),
    databaseUrl,
    folder: text('SCHEDULING_MCP_FOLDER') ?? 'data',
    host: text('HOST') ?? '127.0.0.1',
    port: numberFrom('PORT', 0, 65_535) ?? 4031,
    proxies: numberFrom('SCHEDULING_MCP_PROXIES', 0, 10) ?? 0,
    // The documented limit is that of the service's own address: another one, such as the sandbox, may have none.
    tokenRequests:
      numberFrom('SCHEDULING_MCP_TOKEN_REQUESTS', 4, 1_000_000) ??
      (baseUrl === checkBaseUrl(brand.baseUrl) ? limits.tokenExchangesPerMinute : undefined),
    clients: tried(() => readRegisteredClients(text('SCHEDULING_MCP_CLIENTS') ?? '[]'), []),
    insideHosts: (text('SCHEDULING_MCP_INSIDE') ?? '')
      .split(',')
      .map(copied)
      .filter((host) => host !== ''),
    isBehindProxy: proxyFor('https://assistant.example', env) !== undefined,
  };
  if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\n\n${settingsHelp}`);
  return settings;
}

function originIn(address: string): string {
  const { protocol, hostname, origin, pathname, search, username } = URL.canParse(address) ? new URL(address) : new URL('none:');
  const isOpen = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  if (isOpen && ['', '/', '/mcp', '/mcp/'].includes(pathname) && search === '' && username === '') return origin;
  throw new Error(
    `SCHEDULING_MCP_URL must be the address alone, such as https://mcp.example.com, and not "${address.slice(0, 100)}". Only on your own machine may it begin with http://.`,
  );
}
