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
  SCHEDULING_MCP_KEYS      encrypts stored data: name:key, several separated by commas, the newest first (required)
  DATABASE_URL             postgres://…, for any number of processes; without it, a file serves one process
  SCHEDULING_MCP_FOLDER    where that file is (./data)
  HOST, PORT               where it listens (127.0.0.1, 4031)
  SCHEDULING_BASE_URL      another address of the service (${brand.baseUrl})
  SCHEDULING_MCP_PROXIES   how many proxies are in front of this server (0): the sender is then in X-Forwarded-For
  SCHEDULING_MCP_TOKEN_REQUESTS
                           how many token requests a minute the service allows this application (${limits.tokenExchangesPerMinute})
  SCHEDULING_MCP_INSIDE    hosts in your own network whose client documents may be read, separated by commas
  SCHEDULING_MCP_CLIENTS   clients that you register by hand: a JSON list with client_id, redirect_uris and client_name of
                           each, and client_secret if it has one
  HTTPS_PROXY, NO_PROXY    the proxy of a company's network`;

/** @throws an error for operators that names every missing or wrong setting */
export function readSettings(env: SettingsEnv) {
  const wrong: string[] = [];
  /** @param otherwise the default. Without one, the setting is required */
  const setting = <Value = string>(name: string, read: (text: string) => Value, otherwise?: string): Value => {
    const text = copied(env[name] ?? '') || otherwise;
    try {
      if (text !== undefined) return read(text);
      wrong.push(`${name} is missing.`);
    } catch (error) {
      wrong.push((error as Error).message);
    }
    // Never read: the error below is thrown first.
    return undefined as Value;
  };
  const numberFrom = (name: string, least: number, most: number, otherwise: number): number =>
    setting(name, (text) => wholeNumber(name, text, least, most), String(otherwise));
  const settings = {
    origin: setting('SCHEDULING_MCP_URL', originIn),
    baseUrl: setting('SCHEDULING_BASE_URL', checkBaseUrl, brand.baseUrl),
    clientId: setting('SCHEDULING_CLIENT_ID', String),
    clientSecret: setting('SCHEDULING_CLIENT_SECRET', String),
    keys: setting('SCHEDULING_MCP_KEYS', readKeys),
    /** The address of PostgreSQL; `undefined` for a file in `folder`. */
    databaseUrl: setting('DATABASE_URL', postgresIn, ''),
    folder: setting('SCHEDULING_MCP_FOLDER', String, 'data'),
    host: setting('HOST', String, '127.0.0.1'),
    port: numberFrom('PORT', 0, 65_535, 4031),
    proxies: numberFrom('SCHEDULING_MCP_PROXIES', 0, 10, 0),
    tokenRequests: numberFrom('SCHEDULING_MCP_TOKEN_REQUESTS', 4, 1_000_000, limits.tokenExchangesPerMinute),
    clients: setting('SCHEDULING_MCP_CLIENTS', readRegisteredClients, '[]'),
    insideHosts: setting('SCHEDULING_MCP_INSIDE', (text) => text.split(',').map(copied).filter(Boolean), ''),
  };
  if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\n\n${settingsHelp}`);
  /** Whether clients may describe themselves in a document. Without `insideHosts`, only if no proxy hides which machine responds. */
  const readsDocuments = settings.insideHosts.length > 0 || proxyFor('https://assistant.example', env) === undefined;
  return { ...settings, readsDocuments };
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

function postgresIn(address: string): string | undefined {
  if (address === '' || /^postgres(?:ql)?:\/\//.test(address)) return address || undefined;
  throw new Error('DATABASE_URL must begin with postgres://. Without it, a file is used.');
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${name} must be a number from ${least} to ${most}.`);
}
