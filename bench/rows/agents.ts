import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionFile, newConnectionId } from '../../sdk/node/connectionFile.ts';
import { mcpProgram } from '../../tools/build/products.ts';
import { root } from '../../tools/root.cjs';
import { atMost, line, type Line } from '../harness/lines.ts';
import { quantile } from '../harness/statistics.ts';
import { inTurns, type Way } from '../harness/turns.ts';
import { withServiceApart, type Service } from '../service/apart.ts';
import { LineClient } from '../service/lineClient.ts';
import type { Row } from './index.ts';

interface Ways {
  ours: Way;
  bare: Way;
  /** The bare request, made by a second process that speaks the protocol and does nothing else. */
  handedOn: Way;
  /** The same by one that does not even know the protocol. */
  lines: Way;
}

/** What ours is set against, and what that is called. */
const peers = {
  bare: 'the bare request',
  handedOn: 'a server with the same SDK that forwards the bare request',
  lines: 'a second process that forwards the bare request, without a protocol',
} as const;

async function compared(ways: Ways, width: number): Promise<Line[]> {
  const all = await inTurns({ ours: ways.ours, bare: ways.bare, handedOn: ways.handedOn, lines: ways.lines }, width);
  const against = (name: keyof typeof peers, share: number): Line => {
    const [mine, theirs] = [quantile(all.ours, share), quantile(all[name], share)];
    return line({
      what: `a tool call, ${width} at a time, p${share * 100}`,
      ours: `${mine.toFixed(1)} ms`,
      against: `${peers[name]}: ${theirs.toFixed(1)} ms`,
      figure: mine / theirs,
      ...(name === 'bare' && {
        target: atMost(width === 1 ? 1.3 : 1.5),
        limit:
          'The service runs on this machine, so the second process and the protocol make up a large part of the time. With a remote service they take just as long, but make up a smaller part. The lines below show the time of such a process with the protocol and without it.',
      }),
    });
  };
  return [0.5, 0.99].flatMap((share) => (['bare', 'handedOn', 'lines'] as const).map((name) => against(name, share)));
}

/** With new processes, because the minute's calls of the earlier ones are used up. */
async function measured({ baseUrl, client: application, accessToken, refreshToken, booking }: Service, width: number): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-mcp-'));
  const kept = { id: newConnectionId(), baseUrl, clientId: application.id, clientSecret: application.secret };
  const tokens = { access_token: accessToken, refresh_token: refreshToken };
  await new ConnectionFile(folder, { connect: '', folder: '' }).write({ ...kept, tokens });
  const clients: LineClient[] = [];
  const asking = async (program: string, env: Record<string, string>): Promise<Way> => {
    const client = await LineClient.start(program, env);
    clients.push(client);
    return () => client.call('get_booking', { booking_id: booking });
  };
  const bareOf = { BASE_URL: baseUrl, TOKEN: accessToken };
  try {
    const ways: Ways = {
      ours: await asking(await mcpProgram(), { SCHEDULING_MCP_FOLDER: folder }),
      bare: async () => (await fetch(`${baseUrl}/bookings/${booking}`, { headers: { authorization: `Bearer ${accessToken}` } })).json(),
      handedOn: await asking(join(root, 'bench', 'service', 'bareMcpServer.mjs'), bareOf),
      lines: await asking(join(root, 'bench', 'service', 'bareLines.mjs'), bareOf),
    };
    return await compared(ways, width);
  } finally {
    for (const client of clients) await client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export const agents: Row = {
  name: 'agents',
  title: 'A tool call of the MCP server, compared with the bare request to the service',
  run: () => withServiceApart(async (service) => [...(await measured(service, 1)), ...(await measured(service, 32))]),
};
