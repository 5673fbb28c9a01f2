import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { Account } from '../../../mcp/adapter/account.ts';
import { callTool } from '../../../mcp/adapter/call.ts';
import { toolName } from '../../../mcp/adapter/names.ts';
import { toolsOf } from '../../../mcp/adapter/tools.ts';
import { transportOf } from '../../../mcp/connection.ts';
import type { PendingStore } from '../../../shared/writes/index.ts';
import { operations, type Operation } from '../../../shared/operations/index.ts';
import type { VirtualTime } from '../time.ts';
import { keeping, portsOver, type Surroundings } from './package.ts';
import { failure, type Told } from './told.ts';

/** After this time a client of the protocol gives up, and an agent calls again. */
const PATIENCE_MS = 60_000;
const CALLS = 3;

const tools = toolsOf(operations);

/** The part of the server's program between a tool call and the wire. */
export class Program {
  readonly #account: Account;
  readonly #time: VirtualTime;

  constructor({ wire, time, connection }: Surroundings) {
    this.#time = time;
    const sleep = (milliseconds: number): Promise<void> => time.sleep(milliseconds);
    this.#account = new Account({
      baseUrl: connection.baseUrl,
      transport: transportOf(keeping(connection), keeping(connection).read().id, portsOver(wire, time)),
      clock: { now: () => Date.now(), sleep, random: () => Math.random() },
      pause: sleep,
      store: memory(),
    });
  }

  /** Runs an operation, and reads all pages of a list. */
  run(operation: Operation, fields: Record<string, unknown>): Promise<Told> {
    const name = toolName(operation);
    if (operation.yields === 'many') return this.#list(name, fields);
    return this.#call(name, { ...fields, ...(operation.effect === 'destructive' && { confirm: true }) });
  }

  /** Calls a tool like an agent. If no answer comes in time, it calls again with the same arguments. */
  async #call(name: string, given: Record<string, unknown>): Promise<Told> {
    for (let calls = 0; calls < CALLS; calls += 1) {
      const told = await this.#once(name, given);
      if (told !== undefined) return told;
    }
    return failure('No answer came within a minute, three times.', 'Nobody said anything.');
  }

  async #once(name: string, given: Record<string, unknown>): Promise<Told | undefined> {
    const tool = tools.find(({ definition }) => definition.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const left = new AbortController();
    const context = { mcpReq: { signal: left.signal } } as unknown as ServerContext;
    const answer = callTool(tool, given, { account: this.#account, tools, operations, canAsk: false, context });
    answer.catch(() => undefined);
    const late = Promise.withResolvers<undefined>();
    const timer = this.#time.set(() => late.resolve(undefined), PATIENCE_MS);
    const result = (await Promise.race([answer, late.promise])) as CallToolResult | undefined;
    this.#time.clear(timer);
    left.abort();
    return result && toldBy(result);
  }

  /** The pages are the service's own: an agent sees what the service repeats, and stops where it has been before. */
  async #list(name: string, given: Record<string, unknown>): Promise<Told> {
    const all = new Map<unknown, unknown>();
    const cursors = new Set<unknown>();
    for (let cursor: unknown; ; ) {
      const told = await this.#call(name, { ...given, limit: 50, ...(cursor !== undefined && { cursor }) });
      if (told.outcome === 'failed') return told;
      const { records, next_cursor: next } = told.value as { records: unknown[]; next_cursor?: unknown };
      for (const record of records) all.set((record as { id?: string }).id || record, record);
      if (next === undefined) return { outcome: 'done', value: [...all.values()] };
      if (cursors.has(next)) return { outcome: 'failed', words: 'The list repeats itself. Try again later.', isUnsure: false };
      cursors.add(next);
      cursor = next;
    }
  }
}

function toldBy({ isError, structuredContent, content }: CallToolResult): Told {
  if (isError !== true) return { outcome: 'done', value: structuredContent };
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  // Words around the service's own text that tell a model who wrote it.
  return failure(text.replace(/^<data [^>]*>\n([^]*?)\n<\/data>\n[^\n]*$/m, '$1'), '');
}

function memory(): PendingStore {
  const kept = new Map<string, unknown>();
  return {
    mayStoreContent: true,
    advice: 'Call it again with the same arguments.',
    writesAhead: true,
    get: async (key) => kept.get(key),
    set: async (key, value) => kept.set(key, value) === kept,
    delete: async (key) => void kept.delete(key),
  };
}
