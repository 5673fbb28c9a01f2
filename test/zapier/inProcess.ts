import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend } from '../../tools/rigs/zapier/backend.ts';
import { ZapierError } from '../../tools/rigs/zapier/errors.ts';
import {
  STEP_LIMIT_MS,
  ZapierRuntime,
  type AppEnvironment,
  type RunningApp,
  type RuntimeOptions,
} from '../../tools/rigs/zapier/runtime.ts';
import { clock } from '../../zapier/adapter/connection.ts';
import app from '../../zapier/app.ts';

type Logger = (message: string, data: Record<string, unknown>) => Promise<void>;
type Input = Readonly<Record<string, unknown>>;

interface Event {
  environment: AppEnvironment;
}

/** A part of zapier-platform-core, whose types leave it out. */
const part = <Part extends object>(path: string): Part => jest.requireActual<Part>(`zapier-platform-core/src/${path}`);

const createApp = part<(raw: object) => (input: Input) => Promise<{ results?: unknown }>>('create-app');
const { prepareApp } = part<{ prepareApp: (raw: object) => object }>('tools/schema');
const createInput = part<(compiled: object, event: object, logger: Logger, logged: unknown[], rpc: unknown) => Input>('tools/create-input');
const createLogger = part<(event: object, options: object) => Logger>('tools/create-logger');
const createRpcClient = part<(event: object) => unknown>('tools/create-rpc-client');

const environments = new AsyncLocalStorage<AppEnvironment>();

/**
 * Many steps run at once in this process, and each reads its own environment, as it does in its own process at Zapier. What they print is
 * kept and not shown.
 */
function ownSurroundings(): { printed: () => string; putBack: () => void } {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  // Tests that make waits short do so here, too.
  const wait = jest.spyOn(clock, 'sleep').mockImplementation((milliseconds) => sleep(milliseconds));
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
  const names = ['CLIENT_ID', 'CLIENT_SECRET', 'BASE_URL'] as const;
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names)
    Object.defineProperty(process.env, name, { get: () => environments.getStore()?.[name], configurable: true, enumerable: true });
  return {
    printed: () => log.mock.calls.flat().join('\n'),
    putBack: () => {
      log.mockRestore();
      wait.mockRestore();
      timer.mockRestore();
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

/**
 * The app from its sources, in this process. It runs in all that zapier-platform-core puts around an app, but for its outermost function:
 * that one changes the environment, `http` and `fetch` of the whole process, and ends it if it uses much memory.
 */
async function openSources({ rpcAddress, logs }: Backend): Promise<RunningApp> {
  const [compiled, run] = [prepareApp(app), createApp(app)];
  const own = (surroundings ??= ownSurroundings());
  running += 1;

  async function handled(event: Event): Promise<unknown> {
    const customLogger = (message: string, data: Record<string, unknown>) => void logs.push({ message, data });
    const logger = createLogger({ ...event, token: undefined, logToStdout: false, customLogger }, {});
    try {
      const { results } = await run(createInput(compiled, event, logger, [], createRpcClient({ ...event, rpc_base: rpcAddress })));
      return asText(results);
    } catch (error) {
      const { name, message } = error as Error;
      throw new ZapierError(name, message);
    }
  }

  return {
    get output() {
      return own.printed();
    },
    async handle(event, limitMs = STEP_LIMIT_MS) {
      const given = asText({ bundle: {}, ...(event as Event) });
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new ZapierError('TimeoutError', 'The step took too long.')), limitMs);
      try {
        return await Promise.race([environments.run(given.environment, () => handled(given)), late.promise]);
      } finally {
        clearTimeout(timer);
      }
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
