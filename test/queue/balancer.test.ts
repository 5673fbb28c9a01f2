import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { inQueueMode, startBalancer } from '../../tools/rigs/queue/balancer.ts';
import { root } from '../../tools/root.cjs';
import { serve } from '../support/serve.ts';

/** What n8n serves in queue mode, by the process that serves it. Any other answers 404. */
const served = {
  processor: [
    'webhook/5b0c/webhook',
    'webhook-waiting/12',
    'webhook-waiting/12/approve?signature=a',
    'form/5b0c',
    'form-waiting/12',
    'mcp/5b0c/sse',
  ],
  main: [
    ...['', 'workflow/1', 'rest/login', 'api/v1/workflows', 'types/nodes.json', 'rest/oauth2-credential/callback?code=a', 'healthz'],
    ...['webhook-test/5b0c/webhook', 'form-test/5b0c', 'mcp-test/5b0c', 'mcp-server/http', 'webhooks', 'formal'],
  ],
};

let balancer: Awaited<ReturnType<typeof startBalancer>>;

beforeEach(async () => {
  const names = ['main', 'processor 1', 'processor 2'];
  const [main = 0, ...processors] = await Promise.all(
    names.map((name) =>
      serve((request, response) => {
        const isHere = served[name === 'main' ? 'main' : 'processor'].includes(request.url?.slice(1) ?? '');
        response.writeHead(isHere ? 200 : 404).end(name);
      }),
    ),
  );
  balancer = await startBalancer(0, inQueueMode(main, processors));
});
afterEach(() => balancer.stop());

const ask = async (path: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
  const response = await fetch(`${balancer.origin}/${path}`, { headers });
  return [response.status, await response.text()];
};

test.each([...served.processor, ...served.main])('/%s reaches a process that serves it', async (path) => {
  expect((await ask(path))[0]).toBe(200);
});

test('what belongs together reaches one processor: the tries of a delivery, and the requests of an MCP client', async () => {
  const seen = async (path: string, headers = {}): Promise<Set<string>> =>
    new Set((await Promise.all(Array.from({ length: 6 }, () => ask(path, headers)))).map(([, name]) => name));
  expect((await seen('mcp/5b0c/sse')).size).toBe(1);
  expect((await seen('webhook/5b0c/webhook', { [`${brand.headerPrefix}-Signature`]: 'sha256=1' })).size).toBe(1);
  expect((await seen('form/5b0c')).size).toBe(2);
});

test("the guide's balancer sends the same addresses to the same processes", async () => {
  const guide = await readFile(join(root, 'docs', 'guides', 'queue-mode.md'), 'utf8');
  const locations = [...guide.matchAll(/^location (~ )?(\S+) \{ proxy_pass http:\/\/(processor|main)/gm)];
  const places = locations.map(([, isPattern, where = '', to]) => ({ where: new RegExp(isPattern ? where : `^${where}`), to }));
  for (const [process, paths] of Object.entries(served))
    for (const path of paths) expect([path, places.find(({ where }) => where.test(`/${path}`))?.to]).toEqual([path, process]);
});
