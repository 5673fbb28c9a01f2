import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer';
import { mcpProgram } from '../../tools/build/products.ts';
import { loggedIn, openClient } from '../../tools/rigs/mcp/connected.ts';
import { aDay } from '../years.ts';
import { root } from '../../tools/root.cjs';
import { Opened } from '../../tools/start/opened.ts';
import { rounded, type Row } from '../report.ts';
import { openYears } from '../stage.ts';

const tokens = (shown: unknown): number => encode(typeof shown === 'string' ? shown : JSON.stringify(shown)).length;

export const agents: Row = {
  name: 'agents',
  title: 'What an agent reads, in tokens',
  async run() {
    const opened = new Opened();
    try {
      const sandbox = await openYears(opened, 10_000, { order: 'none' });
      const [program, folder] = [await mcpProgram(), await opened.temporaryFolder('bench-mcp-')];
      await loggedIn(sandbox, program, folder);
      const client = await opened.start(
        'the MCP server',
        () => openClient(program, folder),
        (each) => each.close(),
      );
      const { tools } = await client.listTools();
      const [from, to] = [0, 7].map((days) => new Date(Date.now() + days * aDay).toISOString()) as [string, string];
      sandbox.forgetRequests();
      const answer = await client.callTool({
        name: 'list_bookings',
        arguments: { from, to, upcoming: true, limit: 50 },
      });
      const requests = sandbox.requests().length;
      const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      const wanted = sandbox.bookings().filter(({ start_time: at, status }) => at >= from && at < to && status !== 'CANCELLED');
      const said = `${rounded(tokens(text))} tokens, ${rounded(requests)} requests`;
      return [
        {
          what: `before the first call, ${tools.length} tools`,
          ours: 'names, texts and fields of all tools',
          against: `the service as an OpenAPI document: ${rounded(tokens(await readFile(join(root, 'docs', 'openapi.json'), 'utf8')))} tokens`,
          figure: tokens(tools),
          unit: 'tokens',
          most: 2_500,
        },
        {
          what: `"What is on this week", ${wanted.length} of 10,000 bookings in no order`,
          ours: said,
          against: `the same bookings as the service sends them: ${rounded(tokens(wanted))} tokens, after 100 requests`,
          figure: tokens(text),
          unit: 'tokens',
          most: 3_000,
          also: ['whole in one call, at most 101 requests', wanted.every(({ id }) => text.includes(id)) && requests <= 101],
        },
      ];
    } finally {
      await opened.closeAll();
    }
  },
};
