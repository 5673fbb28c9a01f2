import { asText, errorWords, isObject } from '../values.ts';
import { NetworkFault } from './ports.ts';

/** Error codes of a certificate that this machine does not trust: mostly that of a proxy or a virus scanner that decrypts traffic. */
export const untrusted: readonly string[] = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
];

/** Why a certificate was refused, by the error's code. */
export const certificates: Readonly<Record<string, string>> = {
  ...Object.fromEntries(untrusted.map((code) => [code, 'is not trusted here'])),
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
};

/** The codes of all certificate errors. Nothing is sent before the certificate is accepted. */
export const certificateCodes: readonly string[] = Object.keys(certificates);

/** The code for a proxy that did not connect to the service, with the proxy's status if known: `PROXY_407`. */
export const proxyCode = (status: string | undefined): string => (status === undefined ? 'PROXY' : `PROXY_${status}`);

/** Error codes that mean that no connection was made: the request cannot have reached the service. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'UND_ERR_CONNECT_TIMEOUT', ...certificateCodes]);

/** Error codes that mean the same, but only while connecting: an open connection can also fail with them. */
const neverSentByConnect = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'ETIMEDOUT']);

/** Error codes of a request that could not even be formed, for example because of an invalid header: a mistake of the program. */
const notFormed = /^(?:UND_)?ERR_(?:INVALID|UNESCAPED)_/;

/**
 * Converts an error of an HTTP client to a network fault. Unless it is certain that no connection was made, the request counts as sent:
 * otherwise something could be booked twice. `undefined` only for a request that could not be formed; throw that error unchanged. A
 * transport must recognize a host's own signals, and throw them unchanged, before it calls this.
 */
export function networkFault(error: unknown): NetworkFault | undefined {
  const chain: Record<string, unknown>[] = [];
  for (let current = error; isObject(current) && chain.length < 5; current = current['cause']) chain.push(current);
  const fault = chain.find((link) => link instanceof NetworkFault);
  if (fault !== undefined) return fault;
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string' && isCode.test(code)) as string[];
  if (codes.some((code) => notFormed.test(code))) return undefined;
  const isConnecting = chain.some(wasConnecting);
  const proxy = proxyFault(chain);
  if (proxy !== undefined) return proxy;
  const before = codes.find((code) => neverSent.has(code) || (isConnecting && neverSentByConnect.has(code)));
  if (before !== undefined) return new NetworkFault(before, false, placeIn(chain));
  const [code] = codes.map((each) => plainCodes[each] ?? each);
  return new NetworkFault(code ?? errorWords(error), true);
}

/**
 * Whether it failed while connecting: to one address, to all addresses of a host, or by the wording of node-fetch, which has none for
 * several.
 */
const wasConnecting = ({ syscall, errors, type, message }: Record<string, unknown>): boolean =>
  syscall === 'connect' ||
  (Array.isArray(errors) && errors.length > 0 && errors.every((each) => isObject(each) && each['syscall'] === 'connect')) ||
  (type === 'system' && ['', 'connect'].includes(asText(message).split(', reason: ')[1]?.split(' ')[0] ?? 'none'));

/** The fault if a proxy responded instead of the service, recognized by the wording of Node.js and undici. */
function proxyFault(chain: readonly Record<string, unknown>[]): NetworkFault | undefined {
  const [outer, inner] = chain;
  // `fetch` throws this error, without any message, for every 407.
  if (outer?.['message'] === 'fetch failed' && inner?.['message'] === '' && inner['code'] === undefined)
    return new NetworkFault(proxyCode('407'), true);
  for (const { code, message } of chain) {
    const text = asText(message);
    const [said, status] = /^Proxy response \((\d{3})\)/i.exec(text) ?? [];
    if (said !== undefined || code === 'ERR_PROXY_TUNNEL')
      return new NetworkFault(proxyCode(status ?? /\b[45]\d\d\b/.exec(text)?.[0]), false);
  }
  return undefined;
}

/** Where a connection was tried. Node.js tries several addresses of a host, and keeps their errors in a list. */
function placeIn(chain: readonly Record<string, unknown>[]): readonly [string, string] | undefined {
  const tried = chain.flatMap((link) => [link, ...(Array.isArray(link['errors']) ? link['errors'].filter(isObject) : [])]);
  const found = tried.find((link) => asText(link['hostname'] ?? link['address']) !== '');
  return found && [asText(found['hostname'] ?? found['address']), asText(found['port'])];
}

/** Node.js's usual codes in place of those of its `fetch`, because people read them. */
const plainCodes: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_HEADERS_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_BODY_TIMEOUT: 'ETIMEDOUT',
};

/** The form of codes of system errors and HTTP clients. Libraries also put other things into `code`, such as a status. */
const isCode = /^[A-Z][A-Z0-9_]+$/;
