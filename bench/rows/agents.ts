import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { newConnectionId, TokenFile } from '../../mcp/connect/tokenFile.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { mcpProgram } from '../../tools/build/products.ts';
import { atMost, line, type Line } from '../harness/lines.ts';
import { quantile } from '../harness/statistics.ts';
import { withBookings } from '../service/account.ts';
import type { Row } from './index.ts';

/** Both ways take turns, so that whatever else the machine does falls on both alike. */
const rounds = 5;
/** All rounds together stay below what the service takes in a minute: beyond that the server holds calls back, as it should. */
const callsOfARound = 64;
/** Until the engines of both processes have compiled the way. */
const warmUp = 2;

type Way = () => Promise<unknown>;

async function latencies(way: Way, width: number): Promise<number[]> {
  const taken: number[] = [];
  const worker = async (): Promise<void> => {
    for (let call = 0; call < callsOfARound / width; call += 1) {
      const started = performance.now();
      await way();
      taken.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return taken;
}

async function compared(ours: Way, bare: Way, width: number): Promise<Line[]> {
  const all: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const [mine, theirs] = [await latencies(ours, width), await latencies(bare, width)];
    if (round < warmUp) continue;
    all.ours.push(...mine);
    all.bare.push(...theirs);
  }
  return [0.5, 0.99].map((share) => {
    const [mine, theirs] = [quantile(all.ours, share), quantile(all.bare, share)];
    return line({
      what: `a tool call, ${width} at a time, p${share * 100}`,
      ours: `${mine.toFixed(1)} ms`,
      against: `the bare request: ${theirs.toFixed(1)} ms`,
      figure: mine / theirs,
      target: share === 0.5 ? atMost(width === 1 ? 1.3 : 1.5) : undefined,
      limit:
        'The sandbox answers within a millisecond or two on this machine: what shows is the second process and the protocol between, some milliseconds that stay the same at a service that is further away.',
    });
  });
}

async function measured(sandbox: Sandbox): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-mcp-'));
  const { access_token, refresh_token } = sandbox.issueToken();
  const { client: application, baseUrl } = sandbox;
  const connected = { id: newConnectionId(), baseUrl, clientId: application.id, clientSecret: application.secret };
  await new TokenFile(folder, '').write({ ...connected, tokens: { access_token, refresh_token } });
  const client = new Client({ name: 'bench', version: '1.0.0' });
  try {
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [await mcpProgram()], env: { SCHEDULING_MCP_FOLDER: folder } }),
    );
    const id = sandbox.bookings()[0]?.id ?? '';
    const ours: Way = () => client.callTool({ name: 'get_booking', arguments: { booking_id: id } });
    const bare: Way = async () =>
      (await fetch(`${baseUrl}/bookings/${id}`, { headers: { authorization: `Bearer ${access_token}` } })).json();
    return [...(await compared(ours, bare, 1)), ...(await compared(ours, bare, 32))];
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export const agents: Row = {
  name: 'agents',
  title: 'A tool call of the MCP server against the bare request to the service',
  run: () => withBookings(100, { limits: false }, measured),
};
