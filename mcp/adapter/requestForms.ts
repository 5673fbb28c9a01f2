import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { asText, isObject, parsed } from '../../shared/values.ts';

/**
 * Values that programs write in place of nothing: PHP encodes an object without members as a list, and others write null or an empty text.
 */
const isNothing = (value: unknown): boolean => value == null || value === '' || (Array.isArray(value) && value.length === 0);

const membersOf = (object: unknown): Record<string, unknown> =>
  isObject(object) ? Object.fromEntries(Object.entries(object).filter(([, value]) => !isNothing(value))) : {};

/** The permitted members of a message. Programs add members of their own, and write null in those that they do not use. */
const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const;

/**
 * A message without the members for which the SDK would refuse it. A request with a null id keeps it, so that it is refused rather than
 * taken for a notification.
 */
function partsOf(body: Record<string, unknown>): Record<string, unknown> {
  const isRequest = !/^notifications\//.test(asText(body['method']));
  const isPart = (name: string): boolean => body[name] != null || (name === 'id' && isRequest && name in body);
  return Object.fromEntries(members.filter(isPart).map((name) => [name, body[name]]));
}

/**
 * A message of the protocol, or several, corrected to what its sender meant. The SDK refuses an empty value in place of an object, over
 * standard input even without a response. It also refuses arguments that are the text of an object.
 */
export const asMeant = (body: unknown): unknown => (Array.isArray(body) ? body.map(oneAsMeant) : oneAsMeant(body));

function oneAsMeant(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { params, ...message } = partsOf(body);
  const begins = message['method'] === 'initialize';
  if (isNothing(params) && !begins) return message;
  if (!isNothing(params) && !isObject(params)) return { ...message, params };
  return { ...message, params: { ...membersOf(params), ...corrected(isObject(params) ? params : {}, begins) } };
}

/**
 * Corrects what has to be an object if present, and what a client must say about itself: at the start or, in the newer protocol, with each
 * request.
 */
function corrected({ protocolVersion, clientInfo, capabilities, _meta: meta, arguments: given }: Record<string, unknown>, begins: boolean) {
  // A client sets arguments aside here that were not JSON and, when it tries again, also some that are.
  const { raw = given } = membersOf(membersOf(given)['__unparsedToolInput']);
  const object = typeof raw === 'string' ? parsed(raw) : undefined;
  return {
    ...(begins && { protocolVersion: asText(protocolVersion) || 'unknown', clientInfo: named(clientInfo) }),
    ...((begins || capabilities !== undefined) && { capabilities: able(capabilities) }),
    ...(isObject(meta) && { _meta: { ...membersOf(meta), ...clientIn(meta) } }),
    ...(isObject(object) && { arguments: object }),
  };
}

const clientIn = ({ [CLIENT_INFO_META_KEY]: info, [CLIENT_CAPABILITIES_META_KEY]: capabilities }: Record<string, unknown>) => ({
  ...(info !== undefined && { [CLIENT_INFO_META_KEY]: named(info) }),
  ...(capabilities !== undefined && { [CLIENT_CAPABILITIES_META_KEY]: able(capabilities) }),
});

function named(info: unknown): object {
  const client = membersOf(info);
  return { ...client, name: asText(client['name']) || 'unknown', version: asText(client['version']) || 'unknown' };
}

const able = (capabilities: unknown): object =>
  isObject(capabilities)
    ? Object.fromEntries(Object.entries(capabilities).map(([name, can]) => [name, Array.isArray(can) ? {} : can]))
    : {};

/** The bearer token of a request; empty without one. The name of the scheme is case-insensitive (RFC 9110). */
export const bearerIn = ({ headers }: Request): string => /^bearer +(\S.*)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
