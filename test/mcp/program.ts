import { spawn, type ChildProcess } from 'node:child_process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Stage } from './stage.ts';
import { mcpProgram } from '../../tools/build/products.ts';
import { until } from '../support/until.ts';

/** The built program as a client starts it. */
export async function start(stage: Stage): Promise<{ client: Client; pid: number }> {
  const env = { SCHEDULING_MCP_FOLDER: stage.file.folder };
  const transport = new StdioClientTransport({ command: process.execPath, args: [await mcpProgram()], env });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  stage.later(() => client.close());
  return { client, pid: transport.pid ?? 0 };
}

/** The built program, for a test that reads and writes its pipes. */
export async function piped(stage: Stage, args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [await mcpProgram(), ...args], { env: { SCHEDULING_MCP_FOLDER: stage.file.folder, ...env } });
  // What is written to a program that has ended is lost.
  child.stdin.on('error', () => undefined);
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  const ended = () => until(() => child.exitCode !== null || child.signalCode !== null);
  stage.later(async () => {
    child.kill('SIGTERM');
    await ended();
  });
  return { child, said: () => said, ended };
}

/** The built program serving over HTTP. */
export async function serving(stage: Stage, env: Record<string, string> = {}): Promise<{ address: string; child: ChildProcess }> {
  const { child, said } = await piped(stage, ['--http', '0'], env);
  return { address: await until(() => /Serving at (http\S+\/mcp)/.exec(said())?.[1]), child };
}
