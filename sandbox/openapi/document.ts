import * as z from 'zod/v4';
import { brand } from '../../shared/brand.ts';
import { SCOPES } from '../guard.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { EVENTS, occurs, type EventName } from '../events.ts';
import { BOOKING_STATUSES } from '../records.ts';
import { BookingInput, PAGE_SIZE, type ListQuery } from '../schemas.ts';
import {
  allowedBy,
  assumed,
  Booking,
  Contact,
  deliveryOf,
  type Endpoint,
  ENDPOINTS,
  EventType,
  Failure,
  Question,
  Subscription,
  Tokens,
  User,
} from './endpoints.ts';

type Json = Record<string, unknown>;

/** What the sandbox does where the public document says nothing and no client depends on it. Another service may differ. */
export const CHOICES = [
  'a `limit` above 100 or below 1 is refused with 400 (G39)',
  'unknown fields of a request are refused with 400, so that misspelt ones are noticed',
  'texts have a maximum length: names 200 characters, notes and reasons 2,000, addresses of subscriptions 2,048',
  'lists begin with the newest record, and cursors stay valid while records are created (G31)',
] as const;

const LICENSE = { name: 'MIT', identifier: 'MIT' };

const text = { type: 'string' };

/** The parameters as section 4 lists them. Anything more that the sandbox refuses is its own choice. */
const QUERY: Record<keyof typeof ListQuery.shape, Json> = {
  limit: { description: 'Number of results.', schema: { type: 'integer', maximum: PAGE_SIZE.max, default: PAGE_SIZE.usual } },
  cursor: { description: 'Pagination cursor, taken from a previous response.', schema: text },
  status: { description: 'Only bookings in this status.', schema: { ...text, enum: BOOKING_STATUSES } },
  email: { description: 'Searches by invitee email.', schema: text },
};

/** The headers of a delivery: section 6. */
const HEADERS = {
  Signature:
    'sha256= and the lowercase hexadecimal HMAC-SHA256 of the raw body, keyed with the signing secret. Present only when the subscription has one.',
  Event: 'The name of the event.',
  'Delivery-ID': 'Unique delivery identifier; not signed.',
  Timestamp: 'ISO 8601 timestamp of the delivery; not signed.',
};

const about = (gap: string | undefined, description: string): Json => (gap === undefined ? { description } : assumed(gap, description));

const REFUSALS: Record<number, string> = {
  400: 'Invalid request (validation error).',
  401: 'Missing or invalid access token.',
  403: 'Insufficient scope or plan.',
  404: 'Resource not found.',
  429: 'Rate limit exceeded.',
  500: 'Internal server error.',
};
const EVERYWHERE = [401, 403, 429, 500];

/**
 * The public interface of the service as an OpenAPI 3.1 document: sections 1 to 9 of the public document. Where they leave
 * something open, it has the canonical form of the assumption, marked `x-assumption`.
 *
 * @param baseUrl where the service answers; ends in /api/v1
 */
export function openApiDocument(baseUrl: string = brand.baseUrl): Json {
  const { origin, pathname } = new URL(baseUrl);
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand.name} API`,
      version: '1',
      summary: 'Bookings, booking types, contacts and webhook subscriptions of a scheduling service',
      description: `Access needs a Pro plan or higher. ${DEFAULT_LIMITS.api.toLocaleString('en')} requests a minute to all endpoints, ${DEFAULT_LIMITS.hooks} of them to subscriptions, ${DEFAULT_LIMITS.token} token exchanges a minute, ${DEFAULT_LIMITS.subscriptions} active webhook subscriptions an account. Everything marked x-assumption is not shown by the public document. The sandbox's choices, where the document says nothing: ${CHOICES.join('; ')}.`,
      license: LICENSE,
      contact: { name: brand.name, url: brand.docsUrl },
    },
    // The token endpoint is beside the base URL. Generated clients know one server and ignore those of a path, so all paths begin at it.
    servers: [{ url: origin }],
    security: [{ oauth: [] }],
    tags: [...new Set(ENDPOINTS.map(({ tag }) => tag)), 'OAuth'].map((name) => ({ name })),
    paths: { ...paths(pathname.replace(/\/$/, '')), ...oauthPaths(origin) },
    webhooks: Object.fromEntries(EVENTS.map((event) => [event, { post: delivery(event) }])),
    components: {
      schemas: schemas(),
      parameters: parameters(),
      responses: responses(),
      securitySchemes: { oauth: oauthScheme(origin) },
    },
  };
}

const ref = (kind: 'schemas' | 'parameters' | 'responses', name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const json = (name: string): Json => ({ 'application/json': { schema: ref('schemas', name) } });

function paths(base: string): Record<string, Json> {
  const grouped: Record<string, Json> = {};
  for (const endpoint of ENDPOINTS) {
    const path = base + endpoint.path;
    grouped[path] = { ...grouped[path], [endpoint.method]: operation(endpoint) };
  }
  return grouped;
}

function operation({ path, name, purpose, scope, tag, query = [], body, answer, refusals }: Endpoint): Json {
  const parameters = [...(path.includes('{id}') ? ['id'] : []), ...query];
  return {
    operationId: name,
    summary: purpose,
    tags: [tag],
    security: [{ oauth: scope === 'any' ? [] : [scope] }],
    ...(parameters.length > 0 && { parameters: parameters.map((each) => ref('parameters', each)) }),
    ...(body && { requestBody: { required: body.required, content: json(body.name) } }),
    responses: {
      [answer.status]: {
        ...about(answer.gap, answer.name === undefined ? 'Done; no body.' : `${purpose}.`),
        ...(answer.name !== undefined && { content: json(answer.name) }),
      },
      ...Object.fromEntries([...refusals, ...EVERYWHERE].map((status) => [status, ref('responses', `Refused${status}`)])),
    },
  };
}

function parameters(): Json {
  const query = Object.entries(QUERY).map(([name, about]): [string, Json] => [name, { name, in: 'query', ...about }]);
  const headers = Object.entries(HEADERS).map(([name, description]): [string, Json] => [
    name,
    { name: `${brand.headerPrefix}-${name}`, in: 'header', required: name !== 'Signature', description, schema: text },
  ]);
  return {
    id: { name: 'id', in: 'path', required: true, description: 'Identifier of the resource.', schema: text },
    ...Object.fromEntries([...query, ...headers]),
  };
}

function responses(): Json {
  const waits = { 'Retry-After': { ...assumed('G16', 'Seconds to wait.'), schema: { type: 'integer', minimum: 0 } } };
  const refusals = Object.entries(REFUSALS).map(([status, description]): [string, Json] => [
    `Refused${status}`,
    { description, ...(status === '429' && { headers: waits }), content: json('Error') },
  ]);
  return {
    ...Object.fromEntries(refusals),
    Received: assumed('G20', 'Received. Anything else, or no answer within 10 seconds, is sent again.'),
  };
}

function delivery(event: EventName): Json {
  return {
    operationId: event,
    summary: occurs(event),
    tags: ['Webhook subscriptions'],
    security: [],
    parameters: Object.keys(HEADERS).map((name) => ref('parameters', name)),
    requestBody: { required: true, content: json(`Delivery_${event}`) },
    responses: { '2XX': ref('responses', 'Received') },
  };
}

/** Every schema, under the name that the others refer to. */
function schemas(): Json {
  const named = new Map<string, z.ZodType>([
    ...Object.entries({ User, Booking, Question, EventType, Contact, Subscription, Error: Failure, Tokens }),
    ...EVENTS.map((event) => [`Delivery_${event}`, deliveryOf(event, event.startsWith('CONTACT') ? Contact : Booking)] as const),
    ...ENDPOINTS.flatMap(({ answer: { name, schema } }) => (name === undefined || schema === undefined ? [] : [[name, schema] as const])),
  ]);
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  const answers: Record<string, Json> = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    // The format already says it; the pattern is only how the sandbox checks.
    override: ({ jsonSchema }) => void (jsonSchema.format !== undefined && delete jsonSchema.pattern),
  }).schemas;
  const inputs = ENDPOINTS.flatMap(({ body }): [string, Json][] =>
    body === undefined
      ? []
      : [[body.name, { ...(body.gap !== undefined && assumed(body.gap, 'The body of the request.')), ...inputSchema(body.schema) }]],
  );
  // The dialect is named once, for the whole document.
  const all = [...Object.entries(answers), ...inputs].map(([id, { $schema: _dialect, $id: _id, ...schema }]): [string, Json] => [
    id,
    schema,
  ]);
  return Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b)));
}

/** How the sandbox checks a request beyond what is documented. */
const OWN_CHECKS = ['minLength', 'maxLength', 'additionalProperties', 'pattern'] as const;

/** What a request may contain. Ids are documented as text. The sandbox accepts numbers too, but only for its own numeric form. */
function inputSchema(schema: z.ZodType): Json {
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

/** Where consent and tokens are: at the published addresses, or for the maker's own service where `brand.json` says. */
function oauthAddresses(origin: string): Record<'authorizeUrl' | 'tokenUrl' | 'revokeUrl', string> {
  const published = {
    authorizeUrl: `${origin}/oauth/authorize`,
    tokenUrl: `${origin}/api/oauth/token`,
    revokeUrl: `${origin}/api/oauth/revoke`,
  };
  return origin === new URL(brand.baseUrl).origin ? { ...published, ...brand.oauth } : published;
}

function oauthScheme(origin: string): Json {
  const { authorizeUrl, tokenUrl } = oauthAddresses(origin);
  return {
    type: 'oauth2',
    description: 'Section 5 of the public document.',
    flows: {
      authorizationCode: {
        authorizationUrl: authorizeUrl,
        tokenUrl,
        refreshUrl: tokenUrl,
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, allowedBy(scope)])),
      },
    },
  };
}

/** Section 5: outside the base URL, and without a bearer token. What is at another origin has no path here; the scheme has its address. */
function oauthPaths(origin: string): Record<string, Json> {
  const call = (gap: string, about: { operationId: string; summary: string }, fields: string, required: string, responses: Json): Json => ({
    post: {
      tags: ['OAuth'],
      security: [],
      ...about,
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: Object.fromEntries(fields.split(' ').map((name) => [name, text])),
              required: [required],
              ...assumed(gap, 'The fields of the call.'),
            },
          },
        },
      },
      responses: {
        ...responses,
        ...Object.fromEntries([400, 401].map((status) => [status, assumed(gap, 'Refused, as RFC 6749 section 5.2 has it.')])),
      },
    },
  });
  const exchange = 'Code exchange with grant_type=authorization_code; refresh with grant_type=refresh_token';
  const fields = 'grant_type code redirect_uri code_verifier refresh_token client_id client_secret';
  const { tokenUrl, revokeUrl } = oauthAddresses(origin);
  const at = (address: string, described: Json): Record<string, Json> => {
    const { origin: own, pathname } = new URL(address);
    return own === origin ? { [pathname]: described } : {};
  };
  const token = call('G14', { operationId: 'exchangeToken', summary: exchange }, fields, 'grant_type', {
    200: { ...assumed('G14', 'A token pair.'), content: json('Tokens') },
    429: ref('responses', 'Refused429'),
  });
  const revoke = call(
    'G15',
    { operationId: 'revokeToken', summary: 'Revoke a token pair' },
    'token token_type_hint client_id client_secret',
    'token',
    { 200: assumed('G15', 'Revoked, or unknown.') },
  );
  return { ...at(tokenUrl, token), ...at(revokeUrl, revoke) };
}
