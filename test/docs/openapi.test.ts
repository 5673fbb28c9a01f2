import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations, searches } from '../../shared/operations/index.ts';
import { openApiDocument } from '../../sandbox/openapi/document.ts';
import { ENDPOINTS } from '../../sandbox/openapi/endpoints.ts';
import { type Sandbox, startSandbox } from '../../sandbox/service.ts';
import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { brand } from '../../shared/brand.ts';
import { limits } from '../../shared/limits.ts';
import { isObject } from '../../shared/values.ts';
import { at as sandboxAt } from '../sandbox/support.ts';
import { localFolder } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';
import { places } from '../support/wire.ts';

const run = promisify(execFile);
const tool = (...path: string[]): string => join(root, 'node_modules', ...path);
const published = join(root, 'docs', 'openapi.json');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
});
afterAll(() => sandbox.stop());

it('an independent validator accepts the document', async () => {
  const validator = tool('@seriousme', 'openapi-schema-validator', 'bin', 'validate-api-cli.js');
  await run(process.execPath, [validator, published]);
});

it('the sandbox serves the document with its own addresses', async () => {
  const response = await fetch(`${sandbox.origin}/openapi.json`);
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(sandbox.baseUrl))));
  expect(openApiDocument(sandbox.baseUrl)).toMatchObject({ servers: [{ url: sandbox.origin }] });
});

it('no path has a server of its own, which generated clients ignore', () => {
  expect(entries(document['paths']).filter(([, path]) => 'servers' in path)).toEqual([]);
});

it('it describes every endpoint, with the scopes that the core declares for them', () => {
  const described = ENDPOINTS.map(({ method, path, scope }) => `${method.toUpperCase()} /v1${path.replace('{id}', ':id')} ${scope}`);
  expect([...new Set([...operations, ...searches].map(({ endpoint, scope }) => `${endpoint} ${scope}`))].sort()).toEqual(
    [...described].sort(),
  );
});

/** A program by somebody who has only the document and a generator, and nothing of this project. */
const program = `
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const [, , baseUrl = '', refresh_token = '', client_id = '', client_secret = ''] = process.argv;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const renewal = { grant_type: 'refresh_token', refresh_token, client_id, client_secret };
const { data: tokens } = await createClient<paths>({ baseUrl }).POST('/api/oauth/token', { body: renewal, headers: form });
const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + tokens?.access_token } });

const bookings: string[] = [];
for (let cursor: string | undefined; ; ) {
  const { data, error } = await client.GET('/api/v1/bookings', { params: { query: { limit: 10, ...(cursor && { cursor }) } } });
  if (data === undefined) throw new Error(error.code);
  bookings.push(...data.${places.items}.map(({ id }) => id));
  if (data.${places.cursor} === null) break;
  cursor = data.${places.cursor};
}
const types = await client.GET('/api/v1/event-types', {});
const type = types.data?.${places.items}.find(({ active, questions }) => active && questions.length === 0);
const made = await client.POST('/api/v1/bookings', { body: { event_type_id: type?.id ?? '', start_time: '2041-01-31T09:00:00Z', invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com', locale: 'fr' } });
const id = made.data?.${places.record}.id ?? '';
const cancelled = await client.POST('/api/v1/bookings/{id}/cancel', { params: { path: { id } }, body: { reason: 'A test' } });
const hook = await client.POST('/api/v1/hooks', { body: { url: 'http://127.0.0.1:9/', events: ['BOOKING_CREATED'] } });
const gone = await client.DELETE('/api/v1/hooks/{id}', { params: { path: { id: hook.data?.${places.record}.id ?? '' } } });
const refused = await client.POST('/api/v1/bookings', { body: { event_type_id: 'none', start_time: '2041-01-31T09:00:00Z', invitee_name: 'Ada', invitee_email: 'ada@example.com' } });
console.log(JSON.stringify({ bookings: bookings.length, locale: made.data?.${places.record}.locale, status: cancelled.data?.${places.record}.status, secret: typeof hook.data?.signing_secret, gone: gone.response.status, refused: refused.error?.code }));
`;

it('a client that a standard generator makes compiles, renews its token, lists every page, books, cancels, subscribes and reads a refusal', async () => {
  const folder = await localFolder('openapi-client-');
  await run(process.execPath, [tool('openapi-typescript', 'bin', 'cli.js'), published, '--output', join(folder, 'api.d.ts')]);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'program.ts'), program);
  const strict = '--noEmit --strict --exactOptionalPropertyTypes --target es2024 --module preserve --allowImportingTsExtensions';
  const options = `${strict} --skipLibCheck --types node program.ts`.split(' ');
  await run(process.execPath, [tool('typescript', 'bin', 'tsc'), ...options], { cwd: folder });
  const before = sandbox.bookings().length;
  const { origin, client } = sandbox;
  const { refresh_token: token } = sandbox.issueToken();
  const { stdout } = await run(process.execPath, ['program.ts', origin, token, client.id, client.secret], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    bookings: before,
    locale: 'fr',
    status: 'CANCELLED',
    secret: 'string',
    gone: 204,
    refused: 'VALIDATION_ERROR',
  });
  await rm(folder, { recursive: true, force: true });
});

type Json = Record<string, unknown>;

const document = openApiDocument();
const at = (value: unknown, ...path: string[]) => sandboxAt(value, ...path) as Json;
/**
 * What the public document specifies: the parameters of section 4, the input of section 2, the headers of section 6, the errors of section
 * 7.
 */
const documented = {
  parameters: new Map<string, Json>([
    ['id', { type: 'string' }],
    ['limit', { type: 'integer', maximum: 100, default: limits.defaultPageSize }],
    ['cursor', { type: 'string' }],
    ['status', { type: 'string', enum: ['CONFIRMED', 'CANCELLED', 'PENDING'] }],
    ['email', { type: 'string' }],
    ...['Signature', 'Event', 'Delivery-ID', 'Timestamp'].map((name): [string, Json] => [
      `${brand.headerPrefix}-${name}`,
      { type: 'string' },
    ]),
  ]),
  input: {
    event_type_id: { type: 'string' },
    start_time: { type: 'string', format: 'date-time' },
    invitee_name: { type: 'string' },
    invitee_email: { type: 'string' },
    invitee_timezone: { type: 'string' },
    notes: { type: 'string' },
    question_responses: { type: 'object' },
    locale: { type: 'string', enum: ['en', 'es', 'fr'] },
  },
  required: ['event_type_id', 'start_time', 'invitee_name', 'invitee_email'],
  refusal: { error: { type: 'string' }, code: { type: 'string' } },
};

/** A schema without the parts that only explain it. */
const bare = ({ description: _says, examples: _such, 'x-assumption': _mark, 'x-seen': _seen, ...schema }: Json): Json => schema;
const isMarked = (value: Json): boolean => typeof (value['x-assumption'] ?? value['x-seen']) === 'string';
const entries = (value: unknown): [string, Json][] => Object.entries(value as Record<string, Json>);

const schemas = at(document, 'components', 'schemas');

it('every parameter is as the public document has it, or marked', () => {
  const parameters = Object.values(at(document, 'components', 'parameters')) as Json[];
  expect(parameters).toHaveLength(documented.parameters.size);
  for (const parameter of parameters)
    if (!isMarked(parameter))
      expect([parameter['name'], parameter['schema']]).toEqual([parameter['name'], documented.parameters.get(String(parameter['name']))]);
});

it('every schema is marked, except errors and the inputs that the public document shows', () => {
  const shown = ENDPOINTS.flatMap(({ body }) => (body === undefined || body.gap !== undefined ? [] : [body.name]));
  expect(
    entries(schemas)
      .filter(([, schema]) => !isMarked(schema))
      .map(([name]) => name)
      .sort(),
  ).toEqual([...shown, 'Error'].sort());
  expect(shown).toContain('BookingInput');
  const { properties, required, ...rest } = schemas['BookingInput'] as Json;
  expect(Object.fromEntries(entries(properties).map(([name, schema]) => [name, bare(schema)]))).toEqual(documented.input);
  expect([required, rest]).toEqual([documented.required, { type: 'object' }]);
  const refusal = entries(at(schemas, 'Error', 'properties'));
  expect(refusal.filter(([name, schema]) => !isMarked(schema) && !(name in documented.refusal)).map(([name]) => name)).toEqual([]);
  for (const [name, schema] of Object.entries(documented.refusal)) expect(bare(Object.fromEntries(refusal)[name] ?? {})).toEqual(schema);
});

it('every mark names an entry of the table, and shows it to the reader', () => {
  const marked: Json[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    if (!isObject(value)) return;
    if (isMarked(value)) marked.push(value);
    Object.values(value).forEach(collect);
  };
  collect(document);
  const known = new Set(Object.entries(assumptions).map(([name, entry]) => ('number' in entry ? entry.number : name)));
  expect(marked.length).toBeGreaterThan(30);
  expect(marked.filter((each) => !known.has(String(each['x-assumption'] ?? each['x-seen'])))).toEqual([]);
  expect(marked.filter(({ description }) => typeof description !== 'string' || description === '')).toEqual([]);
});
