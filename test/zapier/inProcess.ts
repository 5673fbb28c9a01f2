import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend } from '../../tools/rigs/zapier/backend.ts';
import { ZapierError } from '../../tools/rigs/zapier/zap.ts';
import { ZapierRuntime, type RunningApp, type RuntimeOptions } from '../../tools/rigs/zapier/runtime.ts';
import { clock } from '../../zapier/adapter/connection.ts';
import { handler } from './definition.ts';

/** The variables of an app's process at Zapier. */
const names = ['CLIENT_ID', 'CLIENT_SECRET', 'BASE_URL', 'LOGGING_ENDPOINT'] as const;
type Environment = Partial<Record<(typeof names)[number], string>>;

const environments = new AsyncLocalStorage<Environment>();

/** Many steps run at once in this process, and each reads its own environment, as it does in its own process at Zapier. */
function ownSurroundings(): { printed: () => string; putBack: () => void } {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  // Tests that make waits short do so here, too.
  const wait = jest.spyOn(clock, 'sleep').mockImplementation((milliseconds) => sleep(milliseconds));
  // The platform ends a process that uses much memory, and this one runs all tests of a file.
  const memory = jest.spyOn(process, 'memoryUsage').mockReturnValue({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 });
  // node-fetch leaves the timer of an answer that breaks off. The process must not wait for it.
  const { setTimeout: set } = globalThis;
  const timer = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((
    work: (...given: unknown[]) => void,
    milliseconds = 0,
    ...given: unknown[]
  ) => {
    const made = set(work, milliseconds, ...given);
    return milliseconds < LONG_MS ? made : made.unref();
  }) as typeof setTimeout);
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names)
    Object.defineProperty(process.env, name, { get: () => environments.getStore()?.[name], configurable: true, enumerable: true });
  return {
    printed: () => log.mock.calls.flat().join('\n'),
    putBack: () => {
      for (const spy of [log, wait, memory, timer]) spy.mockRestore();
      for (const [name, value] of before) {
        Reflect.deleteProperty(process.env, name);
        if (value !== undefined) process.env[name] = value;
      }
    },
  };
}

/** What passes between Zapier and an app is text. */
const asText = <Value>(value: Value): Value => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value));

/** No test waits as long. Milliseconds. */
const LONG_MS = 5_000;

/** Shared by all apps that run. */
let surroundings: ReturnType<typeof ownSurroundings> | undefined;
let running = 0;

/** The app from its sources, in this process. */
async function openSources({ loggingEndpoint }: Backend): Promise<RunningApp> {
  const own = (surroundings ??= ownSurroundings());
  running += 1;

  async function handled(event: object): Promise<unknown> {
    try {
      return asText((await handler(event)).results);
    } catch (error) {
      const { name, message } = error as Error;
      throw new ZapierError(name, message);
    }
  }

  return {
    get output() {
      return own.printed();
    },
    handle(event) {
      const { environment, ...given } = asText({ bundle: {}, ...(event as { environment: Environment }) });
      return environments.run({ ...environment, LOGGING_ENDPOINT: loggingEndpoint }, () => handled(given));
    },
    async stop() {
      running -= 1;
      if (running > 0) return;
      own.putBack();
      surroundings = undefined;
    },
  };
}

/** Zapier with the app from its sources. */
export const startSources = (options: Omit<RuntimeOptions, 'open'>): Promise<ZapierRuntime> =>
  ZapierRuntime.start({ ...options, open: openSources });
