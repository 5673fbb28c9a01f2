import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtFolder } from '../../build/products.ts';
import { bundleZapier } from '../../build/zapier.ts';
import { unzip } from '../../build/zip.ts';
import { localFolder } from '../../process/command.ts';
import { root } from '../../root.cjs';
import { ZapierError } from './zap.ts';
import { ZapierRuntime, type RunningApp, type RuntimeOptions } from './runtime.ts';

type LambdaReply = { id: number; answer?: { results?: unknown }; error?: { name: string; message: string } };

/** The archive that Zapier's own tool built, unpacked into a new folder. */
async function unpacked(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zapier-app-'));
  await unzip(join(await builtFolder('zapier'), 'build', 'build.zip'), folder);
  return folder;
}

/** Our and Zapier's part of an archive, without the packages, which are found in the project that contains the folder. */
async function bundled(): Promise<string> {
  const folder = await localFolder('zapier-app-');
  const core = dirname(createRequire(import.meta.url).resolve('zapier-platform-core'));
  const [wrapper] = await Promise.all([readFile(join(core, 'include', 'zapierwrapper.mjs'), 'utf8'), bundleZapier(folder)]);
  await writeFile(join(folder, 'zapierwrapper.js'), wrapper.replaceAll('{REPLACE_ME_PACKAGE_NAME}', './dist/index.js'));
  return folder;
}

/**
 * Runs a Zapier app in its own process, because zapier-platform-core changes `http` and `fetch` of its process.
 *
 * @param folder of the app, which is deleted when the app stops
 */
async function run(folder: string, loggingEndpoint: string): Promise<RunningApp> {
  const { PATH = '' } = process.env;
  // Our own environment is not passed on: NODE_ENV "test" alone would make the platform behave as in its own tests.
  const child = fork(join(root, 'tools', 'rigs', 'zapier', 'host.mjs'), [folder], {
    cwd: folder,
    env: { PATH, LOGGING_ENDPOINT: loggingEndpoint },
    execArgv: [],
    // Ctrl-C in a terminal must not reach it, because its parent first turns the Zaps off.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const gone = once(child, 'exit').then(([code]) => {
    throw new ZapierError('ProcessExitedError', `The app's process ended with ${code ?? 'a signal'}.\n${output}`);
  });
  gone.catch(() => undefined);
  await Promise.race([once(child, 'message'), gone]);

  let steps = 0;
  const waiting = new Map<number, (answer: LambdaReply) => void>();
  child.on('message', (answer: LambdaReply) => waiting.get(answer.id)?.(answer));
  return {
    get output() {
      return output;
    },
    async handle(event) {
      const id = (steps += 1);
      const answered = new Promise<LambdaReply>((resolve) => waiting.set(id, resolve));
      child.send({ id, event }, () => undefined);
      const given = await Promise.race([answered, gone]).finally(() => waiting.delete(id));
      if (given.error) throw new ZapierError(given.error.name, given.error.message);
      return given.answer?.results;
    },
    async stop() {
      child.kill();
      await gone.catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const starting =
  (folder: () => Promise<string>) =>
  (options: Omit<RuntimeOptions, 'open'>): Promise<ZapierRuntime> =>
    ZapierRuntime.start({ ...options, open: async ({ loggingEndpoint }) => run(await folder(), loggingEndpoint) });

/** Zapier with an app that runs from its archive. */
export const startArchive = starting(unpacked);

/** Zapier with the app bundled as for the archive. This takes a second, because no packages are installed and packed. */
export const startBundle = starting(bundled);
