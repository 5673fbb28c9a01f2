import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport, type CallToolResult, type ClientCapabilities } from '@modelcontextprotocol/client';
import { serverFactory, type Serving } from '../../mcp/adapter/server.ts';
import { accounts } from '../../mcp/program.ts';
import { ConnectionFile, newConnectionId } from '../../sdk/node/connectionFile.ts';
import { serveHttp, type HttpHandle, type HttpListening } from '../../mcp/http.ts';
import type { Clock } from '../../shared/client/ports.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { Visited } from '../sdk/stage.ts';

export { freeStart, somebody } from '../sdk/stage.ts';

/** The core looks for a lost booking for half a minute. A faster clock makes it look as often, but wait less. */
export const fastClock: Clock = { now: () => Date.now(), sleep: (milliseconds) => sleep(milliseconds / 25), random: () => Math.random() };

/** A service, a connected account and the server; `close` ends all of them. */
export class Stage extends Visited {
  readonly file: ConnectionFile;
  readonly logged: string[] = [];
  readonly #ends: (() => Promise<unknown>)[] = [];

  private constructor(sandbox: Sandbox, folder: string) {
    super(sandbox);
    this.file = new ConnectionFile(folder, { connect: 'npx our-mcp login', folder: 'SCHEDULING_MCP_FOLDER' });
    // A renewal that nobody waits for may still write.
    this.#ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  }

  static async open(options: SandboxOptions = {}): Promise<Stage> {
    const sandbox = await startSandbox({ limits: false, ...options });
    const stage = await Stage.on(sandbox);
    stage.#ends.push(() => sandbox.stop());
    return stage;
  }

  /** The same on a service that somebody else started and will stop. */
  static async on(sandbox: Sandbox): Promise<Stage> {
    const stage = new Stage(sandbox, await mkdtemp(join(tmpdir(), 'mcp-')));
    await stage.connect();
    return stage;
  }

  /** Connects an account without going through the consent page. */
  async connect(given: Parameters<Sandbox['issueToken']>[0] = {}): Promise<void> {
    const { access_token, refresh_token } = this.sandbox.issueToken(given);
    const { client, baseUrl } = this.sandbox;
    await this.file.write({
      id: newConnectionId(),
      baseUrl,
      clientId: client.id,
      clientSecret: client.secret,
      tokens: { access_token, refresh_token },
    });
  }

  async serve(serving: Partial<Serving> = {}, listening: Partial<HttpListening> = {}): Promise<HttpHandle> {
    const log = (line: string): void => void this.logged.push(line);
    const factory = serverFactory({ version: '1.0.0', account: accounts(this.file, false, fastClock), log, ...serving });
    const handle = await serveHttp(factory, { port: 0, key: undefined, log, ...listening });
    this.#ends.unshift(() => handle.close());
    return handle;
  }

  /** The SDK's own client, over HTTP. */
  async client(address: string, { capabilities = {} }: { capabilities?: ClientCapabilities } = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities, versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(address)));
    this.#ends.unshift(() => client.close());
    return client;
  }

  /** The same for servers that do not depend on how they are served. */
  async served(serving: Partial<Serving> = {}): Promise<Client> {
    return this.client((await this.serve(serving)).address);
  }

  later(end: () => Promise<unknown>): void {
    this.#ends.unshift(end);
  }

  async close(): Promise<void> {
    for (const end of this.#ends) await end();
  }
}

export const textOf = ({ content }: CallToolResult): string => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

export const call = (client: Client, name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> =>
  client.callTool({ name, arguments: given });
