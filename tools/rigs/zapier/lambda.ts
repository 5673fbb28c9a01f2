import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzip } from '../../build/zip.ts';
import { root } from '../../root.cjs';
import { ZapierError } from './zap.ts';
import { STEP_LIMIT_MS, ZapierRuntime, type RunningApp, type RuntimeOptions } from './runtime.ts';

interface Pending {
  resolve: (results: unknown) => void;
  reject: (error: ZapierError) => void;
  timer: NodeJS.Timeout;
}

type Message = { ready: true } | { id: number; answer: { results?: unknown } } | { id: number; error: { name: string; message: string } };

/**
 * The archive of a Zapier app, unpacked into its own folder and running in its own process, because zapier-platform-core changes
 * `http` and `fetch` of the process it runs in.
 */
class Lambda implements RunningApp {
  readonly folder: string;
  /** Everything that the process has printed. */
  output = '';
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #next = 1;

  private constructor(folder: string, child: ChildProcess) {
    this.folder = folder;
    this.#child = child;
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.on('message', (text: string) => this.#settle(JSON.parse(text) as Message));
    child.on('exit', (code, signal) =>
      this.#failAll(`The app's process ended with ${code === null ? signal : `code ${code}`}.\n${this.output}`),
    );
  }

  /** @param options.zip path of the archive @param options.loggingEndpoint the address that the platform's logger posts to */
  static async start(options: { zip: string; loggingEndpoint: string }): Promise<Lambda> {
    const folder = await mkdtemp(join(tmpdir(), 'zapier-app-'));
    await unzip(options.zip, folder);
    const { PATH = '' } = process.env;
    // Our own environment is not passed on: a NODE_ENV of "test" alone would make the platform behave as in its own tests.
    const child = fork(join(root, 'tools', 'rigs', 'zapier', 'host.mjs'), [folder], {
      cwd: folder,
      env: { PATH, LOGGING_ENDPOINT: options.loggingEndpoint },
      execArgv: [],
      // Ctrl-C in a terminal must not reach it: its parent turns the Zaps off before it ends it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const lambda = new Lambda(folder, child);
    await lambda.#ready();
    return lambda;
  }

  async handle(event: object, limitMs = STEP_LIMIT_MS): Promise<unknown> {
    if (!this.#child.connected) throw new ZapierError('ProcessExitedError', `The app's process is gone.\n${this.output}`);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new ZapierError('TimeoutError', `The step took longer than ${limitMs / 1000} seconds.`));
      }, limitMs);
      this.#pending.set(id, { resolve, reject, timer });
      this.#child.send(JSON.stringify({ id, event }));
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill();
      await exited;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  #ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const failed = (code: number | null) =>
        reject(new Error(`The Zapier app does not load (exit code ${code ?? 'none'}):\n${this.output}`));
      this.#child.once('exit', failed);
      this.#child.once('error', reject);
      this.#child.once('message', () => {
        this.#child.off('exit', failed);
        resolve();
      });
    });
  }

  #settle(message: Message): void {
    if ('ready' in message) return;
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    this.#pending.delete(message.id);
    clearTimeout(pending.timer);
    if ('error' in message) pending.reject(new ZapierError(message.error.name, message.error.message));
    else pending.resolve(message.answer.results);
  }

  #failAll(reason: string): void {
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new ZapierError('ProcessExitedError', reason));
    }
    this.#pending.clear();
  }
}

/** Zapier with an app that runs from its archive. @param options.zip the path of the archive that the official CLI built */
export const startArchive = ({ zip, ...options }: Omit<RuntimeOptions, 'open'> & { zip: string }): Promise<ZapierRuntime> =>
  ZapierRuntime.start({ ...options, open: ({ loggingEndpoint }) => Lambda.start({ zip, loggingEndpoint }) });
