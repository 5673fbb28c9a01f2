import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionFile, newConnectionId } from '../../sdk/node/connectionFile.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { mcpProgram } from '../../tools/build/products.ts';
import { root } from '../../tools/root.cjs';
import { atMost, line, type Line } from '../harness/lines.ts';
import { quantile } from '../harness/statistics.ts';
import { inTurns, type Way } from '../harness/turns.ts';
import { plainEventType, withBookings } from '../service/account.ts';
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
async function measured(sandbox: Sandbox, width: number): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-mcp-'));
  const { access_token, refresh_token } = sandbox.issueToken();
  const { client: application, baseUrl } = sandbox;
  const kept = { id: newConnectionId(), baseUrl, clientId: application.id, clientSecret: application.secret };
  await new ConnectionFile(folder, { connect: '', folder: '' }).write({ ...kept, tokens: { access_token, refresh_token } });
  const clients: LineClient[] = [];
  const asking = async (program: string, env: Record<string, string>): Promise<Way> => {
    const client = await LineClient.start(program, env);
    clients.push(client);
    return () => client.call('get_booking', { booking_id: id });
  };
  // On a usual day: on one when the clocks change, which comes twice a year, each time is asked of the engine.
  const { id } = sandbox.host.book({ event_type_id: plainEventType(sandbox), start_time: `2031-07-0${1 + (width % 9)}T10:00:00Z` });
  const bareOf = { BASE_URL: baseUrl, TOKEN: access_token };
  try {
    const ways: Ways = {
      ours: await asking(await mcpProgram(), { SCHEDULING_MCP_FOLDER: folder }),
      bare: async () => (await fetch(`${baseUrl}/bookings/${id}`, { headers: { authorization: `Bearer ${access_token}` } })).json(),
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
  run: () => withBookings(100, { limits: false }, async (sandbox) => [...(await measured(sandbox, 1)), ...(await measured(sandbox, 32))]),
};
