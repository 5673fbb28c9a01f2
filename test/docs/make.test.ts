import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import { allScopes, oauthEndpoints } from '../../shared/oauth/oauth.ts';

const guide = readFileSync(join(root, 'docs', 'guides', 'generic-clients.md'), 'utf8');
const section = (heading: string): string => guide.split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? '';
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
const codes = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const settingsOf = (heading: string): Map<string, string> =>
  new Map(rowsOf(section(heading)).map(([name = '', value = '']) => [name, value]));
const origin = new URL(brand.baseUrl).origin;
/** The guide's address, with the sandbox in place of the service. */
const here = (address: string): string => address.replace(origin, sandbox.origin);

it('both settings tables name the addresses and the permissions that the core uses', () => {
  const endpoints = oauthEndpoints(brand.baseUrl);
  for (const [heading, authorize, token, scope] of [
    ['## n8n: the HTTP Request node', 'Authorization URL', 'Access Token URL', 'Scope'],
    ['### Connection', 'Authorize URI', 'Token URI', 'Scopes'],
  ] as const) {
    const settings = settingsOf(heading);
    expect(codes(settings.get(authorize) ?? '')).toEqual([endpoints.authorizeUrl]);
    expect(codes(settings.get(token) ?? '')).toEqual([endpoints.tokenUrl]);
    expect(codes(settings.get(scope) ?? '').join(' ')).toBe(allScopes);
  }
});

/** The value at `data.id`, or at `data[].id` of the first entry. */
function at(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((holder, key) => {
    const found = (holder as Record<string, unknown> | undefined)?.[key.replace('[]', '')];
    return key.endsWith('[]') ? (found as unknown[])[0] : found;
  }, body);
}

it('every request of the table for Make is answered as the table says, one after another', async () => {
  const { access_token: token } = sandbox.issueToken();
  const type = sandbox.eventTypes().find(({ name }) => name === 'Coffee Chat');
  const known: Record<string, string> = { 'event type': type?.id ?? '', 'webhook address': 'http://127.0.0.1:9/make' };
  const fill = (text: string): string => text.replaceAll(/<([^>]+)>/g, (_, name: string) => known[name] ?? `nothing is known of ${name}`);
  const rows = rowsOf(section('### Requests'));
  expect(rows).toHaveLength(11);
  for (const [step = '', method = '', address = '', query = '', content = '', answer = ''] of rows) {
    const url = new URL(fill(here(codes(address)[0] ?? '')));
    for (const pair of codes(query)) url.searchParams.set(...(fill(pair).split('=') as [string, string]));
    const body = codes(content)[0];
    const response = await fetch(url, {
      method,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: fill(body) }),
    });
    const text = await response.text();
    expect([step, response.status, text]).toEqual([step, Number(answer.split(',')[0]), text]);
    const reply: unknown = text === '' ? undefined : JSON.parse(text);
    const [path] = codes(answer);
    if (path !== undefined) expect([step, typeof at(reply, path)]).toEqual([step, 'string']);
    if (path === 'next_cursor') known['next_cursor'] = String(at(reply, path));
    if (step === 'Create a booking') known['booking'] = String(at(reply, 'data.id'));
    if (step === 'Subscribe a custom webhook') known['subscription'] = String(at(reply, 'data.id'));
  }
  expect(sandbox.bookings().find(({ id }) => id === known['booking'])).toMatchObject({
    status: 'CANCELLED',
    cancellation_reason: 'An example',
    locale: 'fr',
  });
  expect(sandbox.subscriptions()).toEqual([]);
});
