import '../support/goldenBrand.ts';
import type { Client } from '@modelcontextprotocol/client';
import { promised, withoutWords } from '../support/golden.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let client: Client;
beforeAll(async () => {
  stage = await Stage.open();
  client = await stage.served();
});
afterAll(() => stage.close());

/** What a model reads. */
const words = new Set(['title', 'description', 'examples']);

describe('what a client is shown before it calls anything', () => {
  test('the tools, with their arguments', async () => {
    const { tools } = await client.listTools();
    const named = tools.map(({ name, annotations, inputSchema }) => [name, withoutWords({ annotations, inputSchema }, words)]);
    promised('mcp-tools', Object.fromEntries(named));
  });

  test('what the server says of itself', () => promised('mcp-server', { instructions: client.getInstructions()?.split('. ') }));
});
