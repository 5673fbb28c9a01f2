import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { lastLines } from '../../process/command.ts';
import { freePort } from '../../process/freePort.ts';
import { root } from '../../root.cjs';
import { n8nEnvironment, type N8nSettings } from './environment.ts';
import { installN8n, type N8nInstallation } from './install.ts';

const READY_WITHIN_MS = 300_000;
const STOP_WITHIN_MS = 20_000;

export interface StartOptions extends Partial<Pick<N8nSettings, 'unpublished' | 'extra' | 'editor' | 'lean'>> {
  /** Which of n8n's programs to run: by default, one that does everything; in queue mode, also the webhook processor or the worker. */
  command?: 'start' | 'webhook' | 'worker';
  /** The folder for its data. Without it, n8n gets a temporary folder that is deleted at the end. */
  folder?: string;
  /** The folder of a stopped n8n. An n8n that has never been started begins with a copy of it. */
  like?: string;
  /** 0, the default, uses any free port. */
  port?: number;
  installation?: N8nInstallation;
  /** If it is aborted before n8n is ready, n8n is ended. */
  signal?: AbortSignal | undefined;
}

/** A real n8n in a process of its own. */
export interface N8n {
  /** `http://localhost:PORT`: where its editor, its REST interface and its webhooks are. */
  readonly origin: string;
  readonly folder: string;
  /** Everything that it has printed so far. */
  log(): string;
  stop(): Promise<void>;
  /** Ends it at once, as a crash does. Its folder then stays as it is until `stop`. */
  kill(): Promise<void>;
}

/**
 * Starts n8n and waits until it answers, including its database migrations.
 *
 * @throws a readable error with the end of n8n's log if it stops before it is ready, or takes longer than five minutes
 */
export async function startN8n(options: StartOptions = {}): Promise<N8n> {
  const installation = options.installation ?? (await installN8n());
  const temporary = options.folder === undefined;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'n8n-')));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (options.like !== undefined && !existsSync(join(folder, '.n8n'))) await cp(options.like, folder, { recursive: true });
  const port = options.port === undefined || options.port === 0 ? await freePort() : options.port;
  const environment = n8nEnvironment({
    userFolder: folder,
    port,
    brokerPort: await freePort(),
    encryptionKey: await keptKey(folder),
    ...(options.unpublished ? { unpublished: options.unpublished } : {}),
    editor: options.editor,
    lean: options.lean,
    // Beside the n8n that they belong to, Node keeps its compiled scripts. If it cannot write there, it does without.
    extra: { NODE_COMPILE_CACHE: join(installation.folder, 'compile-cache'), ...options.extra },
  });
  // In its own process group: Ctrl-C in a terminal only reaches this process, which then stops n8n. If this process ends in any other way,
  // n8n ends too.
  const before = ['endWithParent.mjs', 'ownFiles.mjs'].flatMap((name) => [
    '--import',
    pathToFileURL(join(root, 'tools', 'process', name)).href,
  ]);
  const child = spawn(process.execPath, [...before, installation.bin, options.command ?? 'start'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  // A child that outlives this process would keep its port and its database.
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  child.once('exit', () => process.removeListener('exit', killNow));

  const origin = `http://localhost:${port}`;
  const stop = async (): Promise<void> => {
    await end(child);
    if (temporary) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await ready(origin, child, options.signal);
  } catch (error) {
    await stop();
    throw new Error(
      `n8n did not start: ${error instanceof Error ? error.message : String(error)} Its log ends with:\n${lastLines(log, 15)}`,
      { cause: error },
    );
  }
  return { origin, folder, log: () => log, stop, kill: () => end(child, 'SIGKILL') };
}

/** The key that encrypts n8n's stored credentials. It is made once for each folder and kept beside the data that it opens. */
export async function keptKey(folder: string): Promise<string> {
  const file = join(folder, 'encryption-key');
  if (existsSync(file)) return readFile(file, 'utf8');
  const key = randomBytes(24).toString('hex');
  await writeFile(file, key, { mode: 0o600 });
  return key;
}

async function ready(origin: string, child: ChildProcess, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}.`);
    // Not /healthz, because that answers before the database is ready. Refused connections are expected while n8n starts.
    const status = await fetch(`${origin}/healthz/readiness`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(250);
  }
  throw new Error(`it was not ready within ${READY_WITHIN_MS / 1000} seconds.`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  // n8n waits for open connections to close. If that takes too long, it is killed.
  const patience = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await gone;
  clearTimeout(patience);
}
