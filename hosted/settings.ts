import { proxyFor } from '../sdk/client/proxy.ts';
import { copied } from '../shared/values.ts';
import { brand } from '../shared/brand.ts';
import { checkBaseUrl } from '../shared/client/index.ts';
import { limits } from '../shared/limits.ts';
import { isLoopback, readRegisteredClients } from './signIn/clients.ts';
import { readKeys } from './database/vault.ts';

type SettingsEnv = Readonly<Record<string, string | undefined>>;

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
export function readSettings(env: SettingsEnv) {
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
  const insideHosts = (text('SCHEDULING_MCP_INSIDE') ?? '')
    .split(',')
    .map(copied)
    .filter((host) => host !== '');
  const clients = tried(() => readRegisteredClients(text('SCHEDULING_MCP_CLIENTS') ?? '[]'), []);
  const settings = {
    /** Where people and assistants reach this server. */
    origin: address === '' ? '' : tried(() => originIn(address), ''),
    baseUrl: tried(() => checkBaseUrl(text('SCHEDULING_BASE_URL') ?? brand.baseUrl), ''),
    clientId: needed('SCHEDULING_CLIENT_ID'),
    clientSecret: needed('SCHEDULING_CLIENT_SECRET'),
    keys: keys === '' ? [] : tried(() => readKeys(keys), []),
    /** Of PostgreSQL; `undefined` for a file in `folder`. */
    databaseUrl,
    folder: text('SCHEDULING_MCP_FOLDER') ?? 'data',
    host: text('HOST') ?? '127.0.0.1',
    port: numberFrom('PORT', 0, 65_535) ?? 4031,
    /** As many addresses at the end of `X-Forwarded-For` are believed. */
    proxies: numberFrom('SCHEDULING_MCP_PROXIES', 0, 10) ?? 0,
    tokenRequests: numberFrom('SCHEDULING_MCP_TOKEN_REQUESTS', 4, 1_000_000) ?? limits.tokenExchangesPerMinute,
    /** Registered by hand, beside those that register themselves. */
    clients,
    hasSecrets: clients.some(({ client_secret: secret }) => secret !== undefined),
    /** Hosts inside the operator's own network whose client documents may be read, such as `assistants.internal:8443`. */
    insideHosts,
    /** Whether clients may describe themselves in a document: these are only read directly, where it is known which machine answers. */
    readsDocuments: insideHosts.length > 0 || proxyFor('https://assistant.example', env) === undefined,
  };
  if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\n\n${settingsHelp}`);
  return settings;
}

export type ServerSettings = ReturnType<typeof readSettings>;

function originIn(address: string): string {
  const { protocol, hostname, origin, pathname, search, username } = URL.canParse(address) ? new URL(address) : new URL('none:');
  const isOpen = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  if (isOpen && ['', '/', '/mcp', '/mcp/'].includes(pathname) && search === '' && username === '') return origin;
  throw new Error(
    `SCHEDULING_MCP_URL must be the address alone, such as https://mcp.example.com, and not "${address.slice(0, 100)}". Only on your own machine may it begin with http://.`,
  );
}
