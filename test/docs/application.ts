import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/service.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { root } from '../../tools/root.cjs';
import { Installed } from '../sdk/installed.ts';
import { until } from '../support/until.ts';

/** An empty folder with the example in it, and what it depends on: the package from its tarball, and Hono's two packages. */
export async function copiedExample(): Promise<Installed> {
  const installed = await Installed.open();
  for (const name of ['hono', '@hono/node-server']) await installed.with(name);
  await cp(join(root, 'examples', 'custom-app'), installed.folder, { recursive: true });
  return installed;
}

/** The example, run by somebody who has copied it. */
export class Application {
  /** Its own pages, and its public addresses. */
  readonly own: string;
  readonly open: string;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  printed = '';

  private constructor(folder: string, ports: readonly [number, number], env: Record<string, string>, args: readonly string[]) {
    [this.own, this.open] = [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`];
    this.#folder = folder;
    this.#args = args;
    this.#env = { PORT: String(ports[0]), PUBLIC_PORT: String(ports[1]), ...env };
  }

  /** @param args the arguments of its command line */
  static async start(
    { folder }: Pick<Installed, 'folder'>,
    sandbox: Sandbox,
    env: Record<string, string> = {},
    args: string[] = [],
  ): Promise<Application> {
    const { id, secret } = sandbox.client;
    const given = { BASE_URL: sandbox.baseUrl, CLIENT_ID: id, CLIENT_SECRET: secret, ...env };
    const application = new Application(folder, [await freePort(), await freePort()], given, args);
    sandbox.allowRedirect(`${application.open}/callback`);
    await application.restart();
    return application;
  }

  get file(): string {
    return join(this.#folder, this.#env['DATA'] ?? '.local/custom-app.sqlite');
  }

  /** Whether it has ended by itself. */
  get hasEnded(): boolean {
    return this.#child?.exitCode !== null;
  }

  /** Ends it the way a crash does, and starts it again. @param more added to its environment this time */
  async restart(more: Record<string, string> = {}): Promise<void> {
    await this.stop('SIGKILL');
    const env = { ...process.env, NODE_OPTIONS: '', ...this.#env, ...more };
    const child = spawn(process.execPath, ['main.ts', ...this.#args], { cwd: this.#folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    const before = this.printed.length;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
    await until(() => {
      if (child.exitCode !== null) throw new Error(this.printed);
      return this.printed.includes('to connect an account', before);
    });
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}
