import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { freePort } from '../../tools/process/freePort.ts';
import { Program } from '../../tools/process/program.ts';
import { root } from '../../tools/root.cjs';

interface WorkerOptions {
  /** Text variables in its environment. */
  env?: Readonly<Record<string, string>>;
  /** A class of durable objects with SQLite, and the name of its binding in the environment. */
  durable?: { className: string; binding: string };
  /** The port to listen on; any free port if absent. */
  port?: number;
}

/** The path of the runtime's program, from the package for this system. */
function workerd(): string {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as 'linux'];
  return join(root, 'node_modules', '@cloudflare', `workerd-${system}-${process.arch === 'arm64' ? 'arm64' : '64'}`, 'bin', 'workerd');
}

/**
 * Bundles a worker and serves it in the runtime of Cloudflare Workers, without Node.js.
 *
 * @param entry the worker's file; its packages are looked up from its folder
 * @throws an error with the runtime's output if the runtime ends
 */
export async function startWorker(entry: string, { env = {}, durable, port: wanted }: WorkerOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'worker-'));
  await build({
    entryPoints: [entry],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['worker'],
    external: ['cloudflare:*'],
    logLevel: 'error',
  });
  // A durable object in memory has no SQLite.
  await mkdir(join(folder, 'kept'));
  const port = wanted ?? (await freePort());
  const bindings = Object.entries(env).map(([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`);
  if (durable !== undefined) bindings.push(`(name = "${durable.binding}", durableObjectNamespace = "${durable.className}")`);
  const kept =
    durable === undefined
      ? ''
      : `, durableObjectNamespaces = [(className = "${durable.className}", uniqueKey = "one", enableSql = true)], durableObjectStorage = (localDisk = "kept")`;
  await writeFile(
    join(folder, 'worker.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker.js", esModule = embed "worker.js")], compatibilityDate = "2025-01-01", bindings = [${bindings.join(', ')}]${kept})),
    (name = "kept", disk = (path = ${JSON.stringify(join(folder, 'kept'))}, writable = true)),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
  );
  const program = new Program(workerd(), ['serve', join(folder, 'worker.capnp')], {});
  const worker = {
    origin: `http://127.0.0.1:${port}`,
    /** Everything that it has printed. */
    said: () => program.printed,
    async stop(): Promise<void> {
      await program.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
  if (await program.answers(() => fetch(worker.origin, { method: 'OPTIONS' }))) return worker;
  await worker.stop();
  throw new Error(`The worker did not start: ${program.printed}`);
}
