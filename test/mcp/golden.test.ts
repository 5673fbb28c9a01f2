import '../support/goldenBrand.ts';
import type { Client } from '@modelcontextprotocol/client';
import { promised, withoutWords } from '../support/golden.ts';
import { Stage, type textOf } from './stage.ts';

let stage: Stage;
let client: Client;
beforeAll(async () => {
  stage = await Stage.open();
  client = await stage.served();
});
afterAll(() => stage.close());

/** What a model reads. */
const words = new Set(['title', 'description', 'examples']);
const textIn = (messages: { content: Parameters<typeof textOf>[0]['content'][number] }[]): string =>
  messages.map(({ content }) => (content.type === 'text' ? content.text : content.type)).join('\n');

describe('what a client is shown before it calls anything', () => {
  test('the tools, with their arguments', async () => {
    const { tools } = await client.listTools();
    const named = tools.map(({ name, annotations, inputSchema }) => [name, withoutWords({ annotations, inputSchema }, words)]);
    promised('mcp-tools', Object.fromEntries(named));
  });

  test('the words about the whole, and the resources', async () => {
    const { resources } = await client.listResources();
    promised('mcp-server', { instructions: client.getInstructions()?.split('. '), resources });
  });

  test('the prompts, filled in as little and as much as possible', async () => {
    const { prompts } = await client.listPrompts();
    const filled = [];
    for (const { name, arguments: all = [] } of prompts) {
      const texts = [];
      for (const given of [all.filter(({ required }) => required), all]) {
        const values = Object.fromEntries(given.map((each) => [each.name, `the ${each.name}`]));
        texts.push(textIn((await client.getPrompt({ name, arguments: values })).messages).split('\n'));
      }
      filled.push({ name, texts });
    }
    promised('mcp-prompts', { prompts, filled });
  });
});
