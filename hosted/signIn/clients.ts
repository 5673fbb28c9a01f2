import ipaddr from 'ipaddr.js';
import * as z from 'zod/v4';
import { parsed } from '../../shared/values.ts';

/** Whether an address's host is this machine. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

/** Whether an address is this machine's or in a private network. Of IPv6, only global unicast counts as outside. */
export function isInside(address: string): boolean {
  const parsed = ipaddr.parse(address);
  return parsed.range() !== 'unicast' || (parsed instanceof ipaddr.IPv6 && !parsed.match(ipaddr.IPv6.parse('2000::'), 3));
}

/** Whether a browser opens it itself, rather than an app. */
export const isWeb = (protocol: string): boolean => protocol === 'https:' || protocol === 'http:';

const most = { name: 100, addresses: 10, address: 500 } as const;

/** Schemes that a browser runs or shows itself, or that open a browser, a message or a file chosen by the requester. */
const refusedSchemes =
  /^(?:javascript|data|vbscript|file|filesystem|blob|about|view-source|wss?|s?ftp|jar|feed|mhtml|res|resource|mailto|tel|sms|smb|ldaps?|ssh|telnet|intent|android-app|search-ms|ms-.*|googlechrome.*|chrome.*|microsoft-edge.*|edge|firefox.*|fennec|moz-.*|x-safari.*|safari.*|opera.*|touch-https?|brave.*|vivaldi.*|ddg.*|duckduckgo.*|yandexbrowser.*|samsungbrowser.*|ucbrowser.*|mibrowser.*|.*-https?):$/;

/** Whether an app's address contains another address, in any encoding, which the app might open. */
function holdsAnother(address: string): boolean {
  let inside = address.slice(address.indexOf(':') + 1);
  for (let times = 0; times < 3 && inside.includes('%'); times += 1) {
    try {
      inside = decodeURIComponent(inside);
    } catch {
      break;
    }
  }
  return /[a-z][a-z0-9+.-]*:\/\/|(?:https?|javascript|data):/i.test(inside);
}

/** A name without invisible and decorative characters, and without quotation marks, which suggest another speaker. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{So}\p{Z}"“”„«»]+/gu, ' ')
    // Stacked combining marks cover the text around them.
    .replaceAll(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  return /[\p{L}\p{N}]/u.test(plain) ? plain.slice(0, most.name) : '';
}

/** A client that cannot be accepted. The message is a sentence for its maker. */
export class RefusedClient extends Error {}

/**
 * Reads a client's description tolerantly. Many clients state their type wrongly, so it follows from their addresses; each is a public
 * client with PKCE, whatever it requested.
 *
 * @throws RefusedClient
 */
export function readClient(said: unknown) {
  const { client_name: name, redirect_uris: uris } = (typeof said === 'object' && said !== null ? said : {}) as Record<string, unknown>;
  if (!Array.isArray(uris) || uris.length === 0) throw new RefusedClient('redirect_uris must be a list of at least one address.');
  if (uris.length > most.addresses) throw new RefusedClient(`redirect_uris must have at most ${most.addresses} addresses.`);
  const addresses = uris.map((uri: unknown) => {
    if (typeof uri !== 'string' || uri.length > most.address || !URL.canParse(uri) || uri.includes('#'))
      throw new RefusedClient(`Each of redirect_uris must be a URL of at most ${most.address} characters, without a fragment.`);
    const { protocol, username, password } = new URL(uri);
    const isRefused = refusedSchemes.test(protocol) || (!isWeb(protocol) && holdsAnother(uri));
    if (isRefused || username !== '' || password !== '')
      throw new RefusedClient(`The redirect address ${uri.slice(0, 100)} cannot be used.`);
    return uri;
  });
  return {
    client_name: (typeof name === 'string' && plainName(name)) || 'An assistant without a name',
    redirect_uris: [...new Set(addresses.flatMap(spellings))],
    application_type: addresses.some(isNative) && !addresses.some(isForWeb) ? 'native' : 'web',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  } as const;
}

/** An address as written, and as URLs are normalized (RFC 3986, section 6.2.3), because clients use either. */
function spellings(address: string): string[] {
  const { href, pathname, search } = new URL(address);
  return [address, href, ...(pathname === '/' && search === '' ? [href.slice(0, -1)] : [])];
}

/** The library accepts plain http elsewhere, and https on this machine, only from web clients. */
const isForWeb = (address: string): boolean => new URL(address).protocol === (isLoopback(new URL(address).hostname) ? 'https:' : 'http:');

function isNative(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' ? isLoopback(hostname) : protocol !== 'https:';
}

/** A client that the operator registers by hand, in the terms of RFC 7591. */
const ByHand = z
  .looseObject({
    client_id: z.string().regex(/^[\w.~-]{1,200}$/, 'client_id must be 1 to 200 letters, digits, or any of . _ ~ -'),
    client_secret: z.optional(z.string().regex(/^[\x21-\x7e]{20,500}$/, 'client_secret must be 20 to 500 characters without spaces')),
  })
  .transform(({ client_id, client_secret, ...said }, context) => {
    try {
      const secret = client_secret === undefined ? {} : { client_secret, token_endpoint_auth_method: 'client_secret_basic' as const };
      return { ...readClient(said), client_id, ...secret };
    } catch (error) {
      context.addIssue((error as Error).message.replace(/\.$/, ''));
      return z.NEVER;
    }
  });

/** Reads the clients that an operator registers by hand, from a JSON list. @throws an error for operators */
export function readRegisteredClients(text: string): z.infer<typeof ByHand>[] {
  const { data, error } = z.array(ByHand, 'it is not a JSON list').safeParse(parsed(text));
  const [issue] = error?.issues ?? [];
  const isTwice = new Set(data?.map(({ client_id: id }) => id)).size !== data?.length;
  if (data !== undefined && !isTwice) return data;
  const which = issue?.path[0] === undefined ? '' : `client ${Number(issue.path[0]) + 1}: `;
  throw new Error(
    `SCHEDULING_MCP_CLIENTS cannot be used: ${which}${issue?.message ?? 'a client_id occurs twice'}. Write [{"client_id": "an-id", "client_name": "Its name", "redirect_uris": ["https://assistant.example/callback"]}], with "client_secret" if it has one.`,
  );
}

/**
 * Where a client's result goes, in a form that a person can judge. Unlike its name, it cannot be chosen freely. If a document describes the
 * client, the document's host is shown as well.
 */
export function hostOf(clientId: string, redirectUri: string): string {
  const { protocol, host, href } = new URL(redirectUri);
  const native = protocol === 'http:' ? 'a program on your computer' : `an app on your device, at ${href}`;
  const place = isNative(redirectUri) ? native : host;
  const described = URL.canParse(clientId) ? new URL(clientId).host : host;
  return described === host || described === '' ? place : `${place} (described at ${described})`;
}
