import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { brand } from '../../shared/brand.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { mcpProgram } from '../build/products.ts';
import { loggedIn, openClient } from '../rigs/mcp/connected.ts';
import type { Opened } from './opened.ts';
import type { Options } from './options.ts';
import type { Progress } from './progress.ts';

/** The agents' side after `npm start`: the built MCP server, connected, and a client that has started it. */
export interface AgentSide {
  client: Client;
  /** What a person adds to the configuration of a client, so that it uses the same connection. */
  configuration: object;
}

export async function openAgentSide(options: Options, sandbox: Sandbox, progress: Progress, opened: Opened): Promise<AgentSide> {
  const program = await progress.step(['building the MCP server', 'the MCP server is built'], mcpProgram);
  const folder = join(options.folder, 'mcp');
  const env = { SCHEDULING_MCP_FOLDER: folder };
  if (isConnected(folder, sandbox)) progress.expect(-1);
  else
    await progress.step(['connecting the MCP server', "the MCP server is connected through the service's consent page"], () =>
      loggedIn(sandbox, program, folder),
    );
  const client = await opened.start(
    'the MCP server',
    () => openClient(program, folder),
    (agent) => agent.close(),
  );
  return { client, configuration: { mcpServers: { [brand.slug]: { command: 'node', args: [program], env } } } };
}

/** Whether an earlier start has connected to this service. */
function isConnected(folder: string, { baseUrl }: Sandbox): boolean {
  const file = join(folder, 'connection.json');
  return existsSync(file) && readFileSync(file, 'utf8').includes(JSON.stringify(baseUrl));
}
