import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport, type CallToolResult, type ClientCapabilities } from '@modelcontextprotocol/client';
import { Account } from '../../mcp/adapter/account.ts';
import { serverFactory, type Serving } from '../../mcp/adapter/server.ts';
import { transportOf } from '../../mcp/connection.ts';
import { openWritesIn } from '../../sdk/node/openWrites.ts';
import { ConnectionFile, newConnectionId } from '../../sdk/node/connectionFile.ts';
import { serveHttp, type HttpHandle, type Listening } from '../../mcp/http.ts';
import type { Clock } from '../../shared/client/transport.ts';
import { startSandbox, type EventType, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { typeNamed } from '../contract/fixtures.ts';

/** The core looks for a lost booking for half a minute. A faster clock makes it look as often, but wait less. */
export const fastClock: Clock = { now: () => Date.now(), sleep: (milliseconds) => sleep(milliseconds / 25), random: () => 0 };

/** In real time, and no longer than a test may take. */
const pause = async (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { ref: false });

/** A service, a connected account and the server; `close` ends all of them. */
export class Stage {
  readonly sandbox: Sandbox;
  readonly file: ConnectionFile;
  readonly logged: string[] = [];
  readonly #ends: (() => Promise<unknown>)[] = [];

  private constructor(sandbox: Sandbox, folder: string) {
    this.sandbox = sandbox;
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

  /** An account as one process stores it. */
  account(clock: Clock = fastClock): Account {
    const { id, baseUrl } = this.file.read();
    return new Account({
      baseUrl,
      transport: transportOf(this.file, id),
      clock,
      pause,
      store: openWritesIn(this.file.openWrites(id)),
    });
  }

  async serve(serving: Partial<Serving> = {}, listening: Partial<Listening> = {}): Promise<HttpHandle> {
    const log = (line: string): void => void this.logged.push(line);
    let current: { id: string; account: Account } | undefined;
    const account = (): Account => {
      const { id } = this.file.read();
      if (current?.id !== id) current = { id, account: this.account() };
      return current.account;
    };
    const factory = serverFactory({ version: '1.0.0', account, log, ...serving });
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

  /** An event type without questions. */
  get coffee(): EventType {
    return typeNamed(this.sandbox, 'Coffee Chat');
  }

  /** A booking that nobody else has made. */
  get wanted() {
    return { event_type_id: this.coffee.id, start_time: freeStart(), invitee_name: 'Ada Lovelace', invitee_email: somebody() };
  }

  bookingsOf(email: string) {
    return this.sandbox.bookings().filter(({ invitee_email }) => invitee_email === email);
  }
}

let days = 0;
/** A start that nobody else has booked. */
export const freeStart = (): string => new Date(Date.UTC(2059, 0, 6, 9) + 86_400_000 * (days += 1)).toISOString();

let people = 0;
/** A person who has not booked before. */
export const somebody = (): string => `guest-${(people += 1)}@example.com`;

export const textOf = ({ content }: CallToolResult): string => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

export const call = (client: Client, name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> =>
  client.callTool({ name, arguments: given });
