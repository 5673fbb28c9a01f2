import { isObject } from '../../shared/values.ts';

/** Whether a host of an address is this machine. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

/** Whether a browser opens it itself, in contrast to an app. */
export const isWeb = (protocol: string): boolean => protocol === 'https:' || protocol === 'http:';

/** What a client says of itself: everything else in its registration or document is not read. */
export interface ClientMetadata {
  client_name: string;
  redirect_uris: string[];
  application_type: 'native' | 'web';
  token_endpoint_auth_method: 'none' | 'client_secret_basic';
  grant_types: string[];
  response_types: ['code'];
}

const most = { name: 100, addresses: 10, address: 500 } as const;

/** Schemes that a browser runs or shows itself. */
const refusedSchemes = [
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'filesystem:',
  'view-source:',
  'ws:',
  'wss:',
  'ftp:',
];

/** A client that cannot be accepted, in a sentence for its maker. */
export class RefusedClient extends Error {}

/**
 * Reads what a client says of itself, liberally: what it is comes from its addresses, because many clients say it wrongly, and each is a
 * public client with PKCE, whatever it asked for.
 *
 * @throws RefusedClient
 */
export function readClient(said: unknown): ClientMetadata {
  const { client_name: name, redirect_uris: uris } = (typeof said === 'object' && said !== null ? said : {}) as Record<string, unknown>;
  if (!Array.isArray(uris) || uris.length === 0) throw new RefusedClient('redirect_uris must be a list of at least one address.');
  if (uris.length > most.addresses) throw new RefusedClient(`redirect_uris must have at most ${most.addresses} addresses.`);
  const addresses = uris.map((uri: unknown) => {
    if (typeof uri !== 'string' || uri.length > most.address || !URL.canParse(uri) || uri.includes('#'))
      throw new RefusedClient(`Each of redirect_uris must be a URL of at most ${most.address} characters, without a fragment.`);
    const { protocol, username, password } = new URL(uri);
    if (refusedSchemes.includes(protocol) || username !== '' || password !== '')
      throw new RefusedClient(`The redirect address ${uri.slice(0, 100)} cannot be used.`);
    return uri;
  });
  const plain = typeof name === 'string' ? name.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim() : '';
  return {
    client_name: (plain || 'An assistant without a name').slice(0, most.name),
    redirect_uris: addresses,
    // The library takes plain http elsewhere from web clients alone.
    application_type: addresses.some(isNative) && !addresses.some(isPlainElsewhere) ? 'native' : 'web',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

const isPlainElsewhere = (address: string): boolean => new URL(address).protocol === 'http:' && !isNative(address);

function isNative(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' ? isLoopback(hostname) : protocol !== 'https:';
}

/** A client that the operator has registered by hand. */
export interface RegisteredClient extends ClientMetadata {
  client_id: string;
  client_secret?: string;
}

/** Reads the clients that an operator registers by hand: a JSON list in the terms of RFC 7591. @throws an error for operators */
export function readRegisteredClients(text: string): RegisteredClient[] {
  const refused = (why: string): Error =>
    new Error(
      `SCHEDULING_MCP_CLIENTS cannot be used: ${why}. Write [{"client_id": "an-id", "client_name": "Its name", "redirect_uris": ["https://assistant.example/callback"]}], with "client_secret" if it has one.`,
    );
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    throw refused('it is not JSON');
  }
  if (!Array.isArray(said)) throw refused('it is not a list');
  const ids = new Set<string>();
  return said.map((each: unknown, at) => {
    const { client_id: id, client_secret: secret } = isObject(each) ? each : {};
    if (typeof id !== 'string' || !/^[\w.~-]{1,200}$/.test(id))
      throw refused(`the client_id of client ${at + 1} must be 1 to 200 letters, digits, or any of . _ ~ -`);
    if (ids.has(id)) throw refused(`"${id}" is there twice`);
    ids.add(id);
    const isSecret = typeof secret === 'string' && /^[\x21-\x7e]{20,500}$/.test(secret);
    if (secret !== undefined && !isSecret) throw refused(`the client_secret of "${id}" must be 20 to 500 characters without spaces`);
    try {
      const client = { ...readClient(each), client_id: id };
      return isSecret ? { ...client, client_secret: secret, token_endpoint_auth_method: 'client_secret_basic' } : client;
    } catch (error) {
      throw refused(`"${id}": ${(error as Error).message.replace(/\.$/, '')}`);
    }
  });
}

/**
 * Where a client's answer goes, as a person can judge it: unlike its name, it cannot be chosen freely. A client that describes itself in a
 * document is also known by the document's host.
 */
export function hostOf(clientId: string, redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  const place = !isNative(redirectUri)
    ? host
    : protocol === 'http:'
      ? 'a program on your computer'
      : `an app on your device, at ${new URL(redirectUri).href}`;
  const described = URL.canParse(clientId) ? new URL(clientId).host : host;
  return described === host || described === '' ? place : `${place} (described at ${described})`;
}
