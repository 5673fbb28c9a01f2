import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import { mcpProgram } from '../build/products.ts';
import { loggedIn, openClient } from '../rigs/mcp/connected.ts';
import { startBundle } from '../rigs/zapier/lambda.ts';
import type { N8nSide, Starting } from './n8nSide.ts';

export interface Sides {
  sandbox: Sandbox;
  n8n: N8nSide;
  zapier: ZapierSide;
  agent: Awaited<ReturnType<typeof openAgentSide>>;
}

export type ZapierSide = Awaited<ReturnType<typeof openZapierSide>>;

/** Zapier's side as `npm start` sets it up: the app connected, and a Zap on new bookings turned on. */
export async function openZapierSide({ options, sandbox, progress, opened }: Starting) {
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
export async function openAgentSide({ options, sandbox, progress, opened }: Starting) {
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
  // What a person adds to a client's configuration, so that it uses the same connection.
  return { client, configuration: { mcpServers: { [brand.slug]: { command: 'node', args: [program], env } } } };
}

/** Whether an earlier start has connected to this service. */
function isConnected(folder: string, { baseUrl }: Sandbox): boolean {
  const file = join(folder, 'connection.json');
  return existsSync(file) && readFileSync(file, 'utf8').includes(JSON.stringify(baseUrl));
}
