import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionFile, newConnectionId } from '../../../sdk/node/connectionFile.ts';
import { brand } from '../../../shared/brand.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/service.ts';
import { mcpProgram } from '../../../tools/build/products.ts';
import { root } from '../../../tools/root.cjs';
import type { Options } from '../options.ts';

/** How many calls run at a time. */
const width = 16;
/** The heap is read after each part of this many calls. */
const parts = 10;
/** What a call may leave behind, in bytes: less than the smallest thing that could be kept for each. */
const mostACall = 16;

type Ask = (method: string, params: Record<string, unknown>) => Promise<{ result?: { isError?: boolean }; error?: unknown }>;

/** The program's message while it keeps the account below its limit. A client then asks again. */
const heldBack = /rate limit|was not begun/;
const patienceMs = 100;

const patient =
  (ask: Ask): Ask =>
  async (method, params) => {
    for (;;) {
      const answer = await ask(method, params);
      if (!heldBack.test(JSON.stringify([answer.error, answer.result?.isError === true && answer.result]))) return answer;
      await pause(patienceMs);
    }
  };

interface Served {
  child: ChildProcess;
  ask: Ask;
}

export interface MemoryResult {
  way: string;
  calls: number;
  /** How many calls ended in an error, among those that should and among the others. */
  refused: number;
  failed: number;
  /** The heap after each part, in MB, and the whole process at the end. */
  heapMb: number[];
  residentMb: number;
  /** From the second part to the last. */
  bytesACall: number;
}

async function overLines(folder: string): Promise<Served> {
  const child = started(folder, await mcpProgram(), []);
  const waiting = new Map<number, (answer: never) => void>();
  let last = 0;
  if (child.stdout === null) throw new Error('The program has no output.');
  createInterface({ input: child.stdout }).on('line', (text) => {
    const answer = JSON.parse(text) as { id: number };
    waiting.get(answer.id)?.(answer as never);
    waiting.delete(answer.id);
  });
  const ask: Ask = (method, params) => {
    const id = (last += 1);
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  const clientInfo = { name: 'soak', version: '1.0.0' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return { child, ask };
}

async function overHttp(folder: string): Promise<Served> {
  const child = started(folder, await mcpProgram(), ['--http', '0']);
  const [, address = ''] = await said(child, /Serving at (http\S+\/mcp)/);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  };
  let last = 0;
  const ask: Ask = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: (last += 1), method, params });
    const text = await (await fetch(address, { method: 'POST', headers, body })).text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Awaited<ReturnType<Ask>>;
  };
  return { child, ask };
}

function started(folder: string, program: string, args: string[]): ChildProcess {
  const telling = join(root, 'test', 'soak', 'suites', 'tellingHeap.mjs');
  return spawn(process.execPath, ['--expose-gc', '--import', telling, program, ...args], {
    env: { SCHEDULING_MCP_FOLDER: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

function said({ stderr }: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    let text = '';
    const listen = (piece: Buffer): void => {
      const found = pattern.exec((text += piece.toString()));
      if (found === null) return;
      stderr?.off('data', listen);
      resolve(found);
    };
    stderr?.on('data', listen);
  });
}

async function heapOf(child: ChildProcess): Promise<{ heap: number; resident: number }> {
  const told = said(child, /heap (\d+) of (\d+)\n/);
  child.kill('SIGUSR2');
  const [, heap, resident] = await told;
  return { heap: Number(heap), resident: Number(resident) };
}

/** One kind of call after another, including refused ones. Every tenth is a booking that is made and cancelled. */
async function one(ask: Ask, sandbox: Sandbox, index: number, bookingId: string): Promise<'answered' | 'refused' | 'failed'> {
  const call = (name: string, given: Record<string, unknown>): ReturnType<Ask> => ask('tools/call', { name, arguments: given });
  const kinds: (() => ReturnType<Ask>)[] = [
    () => call('get_booking', { booking_id: bookingId }),
    () => call('list_contacts', { limit: 5 }),
    () => call('get_current_user', {}),
    () => call('get_booking', { booking_id: `bkg_${index}` }),
    () => call('search_contacts', { email: `nobody-${index}@example.com` }),
    () => call('get_booking', { booking_id: bookingId, [`argument_${index}`]: true }),
    () => ask('tools/list', {}),
    () => ask('resources/read', { uri: `${brand.slug}://account` }),
    () => call('list_event_types', {}),
  ];
  const isRefusal = [3, 5].includes(index % 10);
  const answer = await (kinds[index % 10]?.() ?? booked(call, sandbox, index));
  if (answer.error !== undefined) return 'failed';
  if (answer.result?.isError === true) return isRefusal ? 'refused' : 'failed';
  return isRefusal ? 'failed' : 'answered';
}

async function booked(
  call: (name: string, given: Record<string, unknown>) => ReturnType<Ask>,
  sandbox: Sandbox,
  index: number,
): ReturnType<Ask> {
  const made = await call('create_booking', {
    event_type_id: sandbox.eventTypes().find(({ name }) => name === 'Coffee Chat')?.id,
    start_time: new Date(Date.UTC(2040, 0, 1) + index * 3_600_000).toISOString(),
    invitee_name: 'Ada Lovelace',
    invitee_email: `guest-${index % 50}@example.com`,
  });
  const { id } = (made.result as { structuredContent?: { id?: string } } | undefined)?.structuredContent ?? {};
  return id === undefined ? made : call('cancel_booking', { booking_id: id, confirm: true });
}

/** Calls to one server, and what they leave in its memory. */
export async function memoryOver(way: 'stdio' | 'http', calls: number): Promise<MemoryResult> {
  const sandbox = await startSandbox({ limits: false });
  const folder = await mkdtemp(join(tmpdir(), 'soak-mcp-'));
  const { access_token, refresh_token } = sandbox.issueToken({ expiresInSeconds: 1_000_000 });
  const { client, baseUrl } = sandbox;
  const kept = { id: newConnectionId(), baseUrl, clientId: client.id, clientSecret: client.secret };
  await new ConnectionFile(folder, { connect: '', folder: '' }).write({ ...kept, tokens: { access_token, refresh_token } });
  const bookingId = sandbox.bookings()[0]?.id ?? '';
  const { child, ask: askOnce } = await (way === 'stdio' ? overLines : overHttp)(folder);
  const ask = patient(askOnce);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const counts = { answered: 0, refused: 0, failed: 0 };
  const heaps: number[] = [];
  let resident = 0;
  try {
    let next = 0;
    for (let part = 1; part <= parts; part += 1) {
      const until = Math.round((calls * part) / parts);
      const worker = async (): Promise<void> => {
        while (next < until) counts[await one(ask, sandbox, next++, bookingId)] += 1;
      };
      await Promise.all(Array.from({ length: width }, worker));
      sandbox.forgetRequests();
      const now = await heapOf(child);
      heaps.push(now.heap);
      resident = now.resident;
      process.stderr.write(`${way}: ${next} calls, heap ${(now.heap / 1e6).toFixed(1)} MB\n`);
    }
  } finally {
    child.kill('SIGTERM');
    await ended;
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return {
    way,
    calls,
    refused: counts.refused,
    failed: counts.failed,
    heapMb: heaps.map((heap) => Number((heap / 1e6).toFixed(2))),
    residentMb: Math.round(resident / 1e6),
    bytesACall: Number((((heaps.at(-1) ?? 0) - (heaps[1] ?? 0)) / ((calls * (parts - 2)) / parts)).toFixed(1)),
  };
}

/** What calls leave in the memory of the MCP server, over both of its transports. */
export async function memorySuite({ runs }: Options): Promise<boolean> {
  const results = [await memoryOver('stdio', runs), await memoryOver('http', runs)];
  console.log(JSON.stringify({ suite: 'memory', results }));
  return results.every(({ failed, bytesACall }) => failed === 0 && bytesACall <= mostACall);
}
