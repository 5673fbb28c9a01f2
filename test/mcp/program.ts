import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Stage } from './stage.ts';
import { mcpProgram } from '../../tools/build/products.ts';

/** The built program as a client starts it. */
export interface Program {
  client: Client;
  pid: number;
  /** What it said beside the protocol. */
  said: () => string;
}

export async function start(stage: Stage, args: readonly string[] = [], isOld = true): Promise<Program> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await mcpProgram(), ...args],
    env: { SCHEDULING_MCP_FOLDER: stage.file.folder },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (piece: Buffer) => (said += piece.toString()));
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: isOld ? 'legacy' : 'auto' } });
  await client.connect(transport);
  stage.later(() => client.close());
  return { client, pid: transport.pid ?? 0, said: () => said };
}
