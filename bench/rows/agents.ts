import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ConnectionFile, newConnectionId } from '../../sdk/node/connectionFile.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { mcpProgram } from '../../tools/build/products.ts';
import { root } from '../../tools/root.cjs';
import { atMost, line, type Line } from '../harness/lines.ts';
import { quantile } from '../harness/statistics.ts';
import { inTurns, type Way } from '../harness/turns.ts';
import { plainEventType, withBookings } from '../service/account.ts';
import type { Row } from './index.ts';

interface Ways {
  ours: Way;
  bare: Way;
  /** The bare request, made by a second process that speaks the protocol and does nothing else. */
  handedOn: Way;
}

async function compared(ways: Ways, width: number): Promise<Line[]> {
  const all = await inTurns({ ours: ways.ours, bare: ways.bare, handedOn: ways.handedOn }, width);
  const against = (name: 'bare' | 'handedOn', share: number): { ours: string; theirs: string; figure: number } => {
    const [mine, theirs] = [quantile(all.ours, share), quantile(all[name], share)];
    return { ours: `${mine.toFixed(1)} ms`, theirs: `${theirs.toFixed(1)} ms`, figure: mine / theirs };
  };
  return [0.5, 0.99].flatMap((share) => {
    const [bare, least] = [against('bare', share), against('handedOn', share)];
    const what = `a tool call, ${width} at a time, p${share * 100}`;
    return [
      line({
        what,
        ours: bare.ours,
        against: `the bare request: ${bare.theirs}`,
        figure: bare.figure,
        target: share === 0.5 ? atMost(width === 1 ? 1.3 : 1.5) : undefined,
        limit:
          'The sandbox answers within a millisecond or two on this machine: what shows is the second process and the protocol between, some milliseconds that stay the same at a service that is further away. The line below sets like against like.',
      }),
      line({
        what,
        ours: least.ours,
        against: `a server by the same SDK that hands the bare request on: ${least.theirs}`,
        figure: least.figure,
      }),
    ];
  });
}

async function connected(program: string, env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], env }));
  return client;
}

async function measured(sandbox: Sandbox): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-mcp-'));
  const { access_token, refresh_token } = sandbox.issueToken();
  const { client: application, baseUrl } = sandbox;
  const kept = { id: newConnectionId(), baseUrl, clientId: application.id, clientSecret: application.secret };
  await new ConnectionFile(folder, { connect: '', folder: '' }).write({ ...kept, tokens: { access_token, refresh_token } });
  const clients: Client[] = [];
  const asking = async (program: string, env: Record<string, string>): Promise<Way> => {
    const client = await connected(program, env);
    clients.push(client);
    return () => client.callTool({ name: 'get_booking', arguments: { booking_id: id } });
  };
  // On a usual day: on one when the clocks change, which comes twice a year, each time is asked of the engine.
  const { id } = sandbox.host.book({ event_type_id: plainEventType(sandbox), start_time: '2031-07-01T10:00:00Z' });
  try {
    const ways: Ways = {
      ours: await asking(await mcpProgram(), { SCHEDULING_MCP_FOLDER: folder }),
      bare: async () => (await fetch(`${baseUrl}/bookings/${id}`, { headers: { authorization: `Bearer ${access_token}` } })).json(),
      handedOn: await asking(join(root, 'bench', 'service', 'bareMcpServer.mjs'), { BASE_URL: baseUrl, TOKEN: access_token }),
    };
    return [...(await compared(ways, 1)), ...(await compared(ways, 32))];
  } finally {
    for (const client of clients) await client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export const agents: Row = {
  name: 'agents',
  title: 'A tool call of the MCP server against the bare request to the service',
  run: () => withBookings(100, { limits: false }, measured),
};
