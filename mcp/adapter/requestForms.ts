import { asText, isObject, parsed } from '../../shared/values.ts';

/** What programs write in place of nothing: PHP makes a list of an object without members, and others write null or an empty text. */
const isNothing = (value: unknown): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0);

const members = (object: Readonly<Record<string, unknown>>) => Object.entries(object).filter(([, value]) => !isNothing(value));

/**
 * A message of the protocol, or several, as its sender means it. The SDK refuses nothing in place of an object, over standard input without
 * an answer, and so does it refuse arguments that were written as the text of an object.
 */
export function asMeant(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(asMeant);
  if (!isObject(body) || !Object.hasOwn(body, 'params')) return body;
  const { params, ...message } = body;
  if (isNothing(params)) return message;
  return isObject(params) ? { ...message, params: Object.fromEntries([...members(params), ...corrected(params)]) } : body;
}

/** What has to be an object, if it is there, and what a client has to say of itself when it begins. */
function* corrected({
  protocolVersion,
  clientInfo,
  capabilities,
  arguments: given,
}: Record<string, unknown>): Generator<[string, unknown]> {
  const begins = protocolVersion !== undefined;
  const client: Record<string, unknown> = isObject(clientInfo) ? Object.fromEntries(members(clientInfo)) : {};
  const said = (key: 'name' | 'version'): string => asText(client[key]) || 'unknown';
  if (begins) yield ['clientInfo', { ...client, name: said('name'), version: said('version') }];
  if (isNothing(capabilities) || (begins && capabilities === undefined)) yield ['capabilities', {}];
  else if (isObject(capabilities))
    yield ['capabilities', Object.fromEntries(Object.entries(capabilities).map(([name, can]) => [name, Array.isArray(can) ? {} : can]))];
  const object = typeof given === 'string' ? parsed(given) : undefined;
  if (isObject(object)) yield ['arguments', object];
}
