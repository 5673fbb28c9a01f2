import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Sandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import { mcpProgram } from '../build/products.ts';
import { loggedIn, openClient } from '../rigs/mcp/connected.ts';
import { startBundle } from '../rigs/zapier/lambda.ts';
import type { ZapierRuntime } from '../rigs/zapier/runtime.ts';
import type { Zap } from '../rigs/zapier/zap.ts';
import type { N8nSide } from './n8nSide.ts';
import type { OpenedParts } from '../process/opened.ts';
import type { StartChoices } from './options.ts';
import type { Progress } from './progress.ts';

export interface Sides {
  sandbox: Sandbox;
  n8n: N8nSide;
  zapier: ZapierSide;
  agent: AgentSide;
}

/** Zapier's side as `npm start` sets it up: the app connected, and a Zap on new bookings turned on. */
export interface ZapierSide {
  runtime: ZapierRuntime;
  zap: Zap;
}

export async function openZapierSide(
  options: StartChoices,
  sandbox: Sandbox,
  progress: Progress,
  opened: OpenedParts,
): Promise<ZapierSide> {
  const runtime = await progress.step('bundling the Zapier app, starting it and connecting it', async () => {
    const { client } = sandbox;
    const environment = { CLIENT_ID: client.id, CLIENT_SECRET: client.secret, BASE_URL: sandbox.baseUrl };
    const started = await opened.start('the Zapier app', () =>
      startBundle({ port: options.ports.zapier, environment, timeZone: sandbox.account.timezone }),
    );
    sandbox.allowRedirect(started.redirectUri);
    await started.connect();
    return started;
  });
  const zap = await progress.step('turning on a Zap on new bookings', () =>
    opened.start(
      'the Zap',
      () => runtime.turnOn('booking_created'),
      (on) => on.turnOff(),
    ),
  );
  return { runtime, zap };
}

/** The agents' side after `npm start`: the built MCP server, connected, and a client that has started it. */
interface AgentSide {
  client: Client;
  /** What a person adds to the configuration of a client, so that it uses the same connection. */
  configuration: object;
}

export async function openAgentSide(options: StartChoices, sandbox: Sandbox, progress: Progress, opened: OpenedParts): Promise<AgentSide> {
  const program = await progress.step('building the MCP server', mcpProgram);
  const folder = join(options.folder, 'mcp');
  const env = { SCHEDULING_MCP_FOLDER: folder };
  if (!isConnected(folder, sandbox))
    await progress.step("connecting the MCP server through the service's consent page", () => loggedIn(sandbox, program, folder));
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
