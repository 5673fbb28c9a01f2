import type { Client } from '@modelcontextprotocol/client';
import type { Sandbox } from '../../sandbox/service.ts';
import { mcpProgram } from '../build/products.ts';
import { connected } from '../rigs/mcp/connected.ts';
import type { Opened } from './opened.ts';
import type { Progress } from './progress.ts';

/** The agents' side after `npm start`: the built MCP server, connected, and a client that has started it. */
export async function openAgentSide(sandbox: Sandbox, progress: Progress, opened: Opened): Promise<Client> {
  const program = await progress.step('the MCP server is built', mcpProgram);
  return progress.step("the MCP server is connected through the service's consent page", async () => {
    const { client } = await opened.start(
      'the MCP server',
      () => connected(sandbox, program),
      (agent) => agent.close(),
    );
    return client;
  });
}
