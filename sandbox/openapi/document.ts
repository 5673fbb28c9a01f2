import * as z from 'zod/v4';
import { brand } from '../../shared/brand.ts';
import { SCOPES } from '../guard.ts';
import { EVENTS, occurs, type EventName } from '../events.ts';
import { BookingInput } from '../schemas.ts';
import template from './document.json' with { type: 'json' };
import { allowedBy, assumed, Booking, Contact, deliveryOf, type Endpoint, ENDPOINTS, PARTS } from './endpoints.ts';

type DocumentPart = Record<string, unknown>;

/** What the sandbox does where the public document says nothing and no client depends on it. Other services may differ. */
export const CHOICES = [
  'a `limit` above 100 or below 1 is refused with 400 (G39)',
  'unknown fields of a request are refused with 400, so that misspelt ones are noticed',
  'texts have a maximum length: names 200 characters, notes and reasons 2,000, addresses of subscriptions 2,048',
  'lists begin with the newest record, and cursors stay valid while records are created (G31)',
] as const;

/** The refusals of every endpoint. */
const EVERYWHERE = [401, 403, 429, 500];

/**
 * The service's public interface as an OpenAPI 3.1 document: sections 1 to 9 of the public document. `document.json` has the fixed parts;
 * endpoints and schemas come from the sandbox's own code. Where the public document leaves something open, the canonical form of the
 * assumption is used, marked `x-assumption`.
 *
 * @param baseUrl the service's base URL; ends in /api/v1
 */
export function openApiDocument(baseUrl: string = brand.baseUrl): DocumentPart {
  const { origin, pathname } = new URL(baseUrl);
  const addresses = oauthAddresses(origin);
  const { name, docsUrl, headerPrefix } = brand;
  const words = { name, docsUrl, headerPrefix, choices: CHOICES.join('; '), origin, ...addresses };
  const { paths: oauth, components, ...shown } = filled(template, words) as typeof template;
  const { flows } = components.securitySchemes.oauth;
  Object.assign(flows.authorizationCode.scopes, Object.fromEntries(SCOPES.map((scope) => [scope, allowedBy(scope)])));
  return {
    ...shown,
    // The token endpoint is outside the base URL. Generated clients know only one server and ignore the servers of a path, so all paths
    // begin at its origin. What is at another origin has no path here; its address is in the security scheme.
    paths: {
      ...paths(pathname.replace(/\/$/, '')),
      ...Object.fromEntries(
        (['tokenUrl', 'revokeUrl'] as const)
          .map((name) => [new URL(addresses[name]), oauth[name]] as const)
          .flatMap(([at, described]) => (at.origin === origin ? [[at.pathname, described]] : [])),
      ),
    },
    webhooks: Object.fromEntries(EVENTS.map((event) => [event, { post: delivery(event) }])),
    components: { ...components, schemas: schemas() },
  };
}

/** Fills in a template's placeholders, and describes its assumptions. */
function filled(part: unknown, words: Record<string, string>): unknown {
  if (typeof part === 'string') return part.replaceAll(/\{(\w+)\}/g, (all, name: string) => words[name] ?? all);
  if (Array.isArray(part)) return part.map((each) => filled(each, words));
  if (typeof part !== 'object' || part === null) return part;
  const { 'x-assumption': gap, ...fields } = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, filled(value, words)]));
  return typeof gap === 'string' ? { ...fields, ...assumed(gap, String(fields['description'])) } : fields;
}

const ref = (kind: 'schemas' | 'parameters' | 'responses', name: string): DocumentPart => ({ $ref: `#/components/${kind}/${name}` });
const json = (name: string): DocumentPart => ({ 'application/json': { schema: ref('schemas', name) } });

function paths(base: string): Record<string, DocumentPart> {
  const byPath = [...Map.groupBy(ENDPOINTS, ({ path }) => base + path)];
  return Object.fromEntries(byPath.map(([path, all]) => [path, Object.fromEntries(all.map((each) => [each.method, operation(each)]))]));
}

function operation({ path, name, purpose, scope, tag, query = [], body, answer, refusals }: Endpoint): DocumentPart {
  const parameters = [...(path.includes('{id}') ? ['id'] : []), ...query];
  const says = answer.name === undefined ? 'Done; no body.' : `${purpose}.`;
  return {
    operationId: name,
    summary: purpose,
    tags: [tag],
    security: [{ oauth: scope === 'any' ? [] : [scope] }],
    ...(parameters.length > 0 && { parameters: parameters.map((each) => ref('parameters', each)) }),
    ...(body && { requestBody: { required: body.required, content: json(body.name) } }),
    responses: {
      [answer.status]: {
        ...(answer.gap === undefined ? { description: says } : assumed(answer.gap, says)),
        ...(answer.name !== undefined && { content: json(answer.name) }),
      },
      ...Object.fromEntries([...refusals, ...EVERYWHERE].map((status) => [status, ref('responses', `Refused${status}`)])),
    },
  };
}

function delivery(event: EventName): DocumentPart {
  const headers = Object.entries(template.components.parameters).filter(([, { in: place }]) => place === 'header');
  return {
    operationId: event,
    summary: occurs(event),
    tags: ['Webhook subscriptions'],
    security: [],
    parameters: headers.map(([name]) => ref('parameters', name)),
    requestBody: { required: true, content: json(`Delivery_${event}`) },
    responses: { '2XX': ref('responses', 'Received') },
  };
}

/** Every schema, under the name by which others refer to it. */
function schemas(): DocumentPart {
  const named = new Map<string, z.ZodType>([
    ...Object.entries(PARTS),
    ...EVENTS.map((event) => [`Delivery_${event}`, deliveryOf(event, event.startsWith('CONTACT') ? Contact : Booking)] as const),
    ...ENDPOINTS.flatMap(({ answer: { name, schema } }) => (name === undefined || schema === undefined ? [] : [[name, schema] as const])),
  ]);
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const answers: Record<string, DocumentPart> = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    // The format is enough; the pattern is only how the sandbox checks it.
    override: ({ jsonSchema }) => void (jsonSchema.format !== undefined && delete jsonSchema.pattern),
  }).schemas;
  const inputs = ENDPOINTS.flatMap(({ body }): [string, DocumentPart][] =>
    body === undefined
      ? []
      : [[body.name, { ...(body.gap !== undefined && assumed(body.gap, 'The body of the request.')), ...inputSchema(body.schema) }]],
  );
  const all = [...Object.entries(answers), ...inputs].sort(([a], [b]) => a.localeCompare(b));
  // The whole document already names the dialect.
  return Object.fromEntries(all.map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]));
}

/** Checks of the sandbox that are not documented. */
const OWN_CHECKS = ['minLength', 'maxLength', 'additionalProperties', 'pattern'] as const;

/** The schema of a request body. Ids are documented as text; the sandbox accepts numbers only for its own numeric form. */
function inputSchema(schema: z.ZodType): DocumentPart {
  return z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      for (const check of OWN_CHECKS) delete jsonSchema[check];
      if (zodSchema !== BookingInput.shape.event_type_id) return;
      delete jsonSchema.anyOf;
      jsonSchema.type = 'string';
    },
  });
}

/** The addresses for consent and tokens: the published ones or, for the maker's own service, those in `brand.json`. */
function oauthAddresses(origin: string): Record<'authorizeUrl' | 'tokenUrl' | 'revokeUrl', string> {
  const published = {
    authorizeUrl: `${origin}/oauth/authorize`,
    tokenUrl: `${origin}/api/oauth/token`,
    revokeUrl: `${origin}/api/oauth/revoke`,
  };
  return origin === new URL(brand.baseUrl).origin ? { ...published, ...brand.oauth } : published;
}
