import * as z from 'zod/v4';
import { freePort } from '../tools/process/freePort.ts';
import type { OpenedParts } from '../tools/process/opened.ts';
import { inTurn, startBalancer } from '../tools/rigs/queue/balancer.ts';
import { startHosted, type Hosted, type HostedOptions } from '../tools/rigs/mcp/hosted.ts';

export type Processes = Awaited<ReturnType<typeof startProcesses>>;

/** Several processes of the server for many users behind one address, which distributes requests in turn. */
export async function startProcesses(count: number, options: Omit<HostedOptions, 'origin' | 'port'>, opened: OpenedParts) {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const nextOf = inTurn(ports);
  const balancer = await startBalancer(0, () => nextOf());
  const { origin } = balancer;
  opened.add('the balancer', () => balancer.stop());
  const start = (port: number): Promise<Hosted> => startHosted({ ...options, origin, port }, opened);
  const all = await Promise.all(ports.map(start));
  return {
    origin,
    all,
    /** Kills a process without warning, as the system does. */
    kill: async (at: number): Promise<void> => void (await all[at]?.program.stop('SIGKILL')),
    /** Starts a process again. */
    async restart(at: number): Promise<void> {
      all[at] = await start(ports[at] ?? 0);
    },
  };
}

const Answer = z.looseObject({
  id: z.unknown(),
  result: z
    .looseObject({
      isError: z.boolean().optional(),
      content: z.array(z.looseObject({ text: z.string().optional() })),
      structuredContent: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
});

/** The response to one call of a tool. */
export interface Asked {
  status: number;
  /** The whole response body, unchanged. */
  raw: string;
  /** The id of the request that it says it belongs to. */
  id: unknown;
  isError: boolean;
  /** The text for the model. */
  text: string;
  record: Record<string, unknown>;
}

let asked = 0;

/** Calls a tool in one request, at the process that listens on a port. @throws if no complete response came */
export async function askTool(port: number, token: string, name: string, args: object, signal?: AbortSignal): Promise<Asked> {
  const sent = (asked += 1);
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: sent, method: 'tools/call', params: { name, arguments: args } }),
    ...(signal && { signal }),
  });
  const raw = await answer.text();
  if (answer.status !== 200) return { status: answer.status, raw, id: sent, isError: true, text: raw, record: {} };
  // The body is one JSON text, perhaps after white space, or a stream whose last event contains it.
  const { id, result } = Answer.parse(JSON.parse(/(?:^|\n)data: (\{.*\})\s*$/.exec(raw)?.[1] ?? raw));
  if (id !== sent || result === undefined) throw new Error(`The answer is to another request, or has no result: ${raw.slice(0, 300)}`);
  const { isError = false, content, structuredContent: record = {} } = result;
  return { status: 200, raw, id, isError, text: content.map(({ text = '' }) => text).join('\n'), record };
}
