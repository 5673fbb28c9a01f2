import { once } from 'node:events';
import { startBackend, type Backend } from './backend.ts';
import { connect, refreshed, type AuthData } from './connection.ts';
import { turnOn, type Zap, ZapierError } from './zap.ts';

/** The time limit after which Zapier ends a step. */
export const STEP_LIMIT_MS = 30_000;

/** The environment variables of an app on Zapier (`zapier-platform env:set`). */
interface AppEnvironment {
  CLIENT_ID: string;
  CLIENT_SECRET: string;
  BASE_URL?: string;
}

export interface RunningApp {
  /** Its output so far. */
  readonly output: string;
  /** Runs one event through the app's handler. @returns the event's results @throws {ZapierError} what the app threw */
  handle(event: object): Promise<unknown>;
  stop(): Promise<void>;
}

export interface RuntimeOptions {
  /** Starts the app with Zapier's side of the wire. */
  open: (backend: Backend) => Promise<RunningApp>;
  environment: AppEnvironment;
  /** The time zone of the account's Zaps. */
  timeZone?: string;
  /** The port of Zapier's side (hooks, store, log); 0, the default, uses any free port. */
  port?: number;
}

/**
 * A Zapier app that runs on this machine as on Zapier: with one connected account, Zaps that can be turned on and off, the store of
 * `z.cache`, and the log.
 */
export class ZapierRuntime {
  readonly backend: Backend;
  readonly app: RunningApp;
  /** The stored data of the connected account. */
  authData: AuthData | undefined;
  /** May be changed at any time, as `zapier-platform env:set` does. */
  environment: AppEnvironment;
  /** The time limit of a step. On Zapier, each step has its own process. If many run in this one process, they need longer. */
  stepLimitMs = STEP_LIMIT_MS;
  readonly timeZone: string;

  private constructor(backend: Backend, app: RunningApp, { environment, timeZone = 'America/Chicago' }: RuntimeOptions) {
    this.backend = backend;
    this.app = app;
    this.environment = environment;
    this.timeZone = timeZone;
  }

  static async start(options: RuntimeOptions): Promise<ZapierRuntime> {
    const backend = await startBackend(options.port);
    try {
      return new ZapierRuntime(backend, await options.open(backend), options);
    } catch (error) {
      await backend.stop();
      throw error;
    }
  }

  /** The redirect address, in Zapier's form for its apps. Register it with the service before `connect`. */
  get redirectUri(): string {
    return `${this.backend.origin}/dashboard/auth/oauth/return/AppCLIAPI/`;
  }

  /** The app's definition, with placeholders for functions. */
  definition(): Promise<unknown> {
    return this.#handle({ command: 'definition' });
  }

  /** Connects the account through the service's real consent page. */
  async connect(): Promise<void> {
    this.authData = await connect(this.#execute, this.redirectUri);
  }

  /**
   * Runs one of the app's methods for the connected account. If the app reports a stale token, the token is refreshed and the method runs
   * once more. Zapier does not say whether one call refreshes for all that wait. Here each does, which is the worst case for the app.
   *
   * @throws {ZapierError} what the app threw; after an ExpiredAuthError, Zapier asks the person to reconnect
   */
  async invoke(method: string, bundle: object = {}): Promise<unknown> {
    const before = this.authData;
    try {
      return await this.#execute(method, this.#bundle(bundle));
    } catch (error) {
      if (!(error instanceof ZapierError) || error.kind !== 'RefreshAuthError' || before === undefined) throw error;
      this.authData = await refreshed(this.#execute, before);
      return this.#execute(method, this.#bundle(bundle));
    }
  }

  /** Turns a Zap on. @param inputData the values in the trigger's form */
  turnOn(trigger: string, inputData: object = {}): Promise<Zap> {
    return turnOn({ trigger, inputData, backend: this.backend, invoke: (method, bundle) => this.invoke(method, bundle) });
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.backend.stop();
  }

  #bundle(bundle: { meta?: object }): object {
    const meta = {
      ...{ isLoadingSample: false, isFillingDynamicDropdown: false, isPopulatingDedupe: false, isTestingAuth: false, isBulkRead: false },
      ...{ limit: -1, page: 0, timezone: this.timeZone, inputFields: {}, ...bundle.meta },
    };
    return { authData: this.authData ?? {}, inputData: {}, ...bundle, meta };
  }

  readonly #execute = (method: string, bundle: object): Promise<unknown> => this.#handle({ command: 'execute', method, bundle });

  async #handle(event: object): Promise<unknown> {
    const wire = { token: 'of the account', rpc_base: `${this.backend.origin}/rpc`, logToStdout: true };
    const late = once(AbortSignal.timeout(this.stepLimitMs), 'abort').then((): never => {
      throw new ZapierError('TimeoutError', `The step took longer than ${this.stepLimitMs / 1000} seconds.`);
    });
    return Promise.race([this.app.handle({ ...event, ...wire, environment: this.environment }), late]);
  }
}
