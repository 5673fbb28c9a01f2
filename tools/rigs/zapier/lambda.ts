import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzip } from '../../build/zip.ts';
import { root } from '../../root.cjs';
import { ZapierError } from './zap.ts';
import { ZapierRuntime, type RunningApp, type RuntimeOptions } from './runtime.ts';

type Answer = { id: number; answer: { results?: unknown }; error?: undefined } | { id: number; error: { name: string; message: string } };

/**
 * The archive of a Zapier app, unpacked into its own folder and running in its own process, because zapier-platform-core changes
 * `http` and `fetch` of the process it runs in.
 *
 * @param loggingEndpoint the address that the platform's logger posts to
 */
async function openArchive(zip: string, loggingEndpoint: string): Promise<RunningApp> {
  const folder = await mkdtemp(join(tmpdir(), 'zapier-app-'));
  await unzip(zip, folder);
  const { PATH = '' } = process.env;
  // Our own environment is not passed on: a NODE_ENV of "test" alone would make the platform behave as in its own tests.
  const child = fork(join(root, 'tools', 'rigs', 'zapier', 'host.mjs'), [folder], {
    cwd: folder,
    env: { PATH, LOGGING_ENDPOINT: loggingEndpoint },
    execArgv: [],
    // Ctrl-C in a terminal must not reach it: its parent turns the Zaps off before it ends it.
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
  const waiting = new Map<number, (answer: Answer) => void>();
  child.on('message', (answer: Answer) => waiting.get(answer.id)?.(answer));
  return {
    get output() {
      return output;
    },
    async handle(event) {
      const id = (steps += 1);
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      child.send({ id, event }, () => undefined);
      const given = await Promise.race([answered, gone]).finally(() => waiting.delete(id));
      if (given.error) throw new ZapierError(given.error.name, given.error.message);
      return given.answer.results;
    },
    async stop() {
      child.kill();
      await gone.catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Zapier with an app that runs from its archive. @param options.zip the path of the archive that the official CLI built */
export const startArchive = ({ zip, ...options }: Omit<RuntimeOptions, 'open'> & { zip: string }): Promise<ZapierRuntime> =>
  ZapierRuntime.start({ ...options, open: ({ loggingEndpoint }) => openArchive(zip, loggingEndpoint) });
