import { once } from 'node:events';
import { DateTime } from 'luxon';
import { startBackend, type Backend } from './backend.ts';
import { connect, refreshed, type ZapierConnection } from './connection.ts';
import { turnOn, type Zap, ZapierError } from './zap.ts';

/** The time that Zapier gives each step before it ends it. */
export const STEP_LIMIT_MS = 30_000;

/** The environment variables of an app at Zapier (`zapier-platform env:set`). */
interface AppEnvironment {
  CLIENT_ID: string;
  CLIENT_SECRET: string;
  BASE_URL?: string;
}

/** An app that runs. */
export interface RunningApp {
  /** Everything that it has printed. */
  readonly output: string;
  /** Runs one event through the app's handler. @returns the event's results @throws {ZapierError} what the app threw */
  handle(event: object): Promise<unknown>;
  stop(): Promise<void>;
}

export interface RuntimeOptions {
  /** Starts the app, with Zapier's side of the wire. */
  open: (backend: Backend) => Promise<RunningApp>;
  environment: AppEnvironment;
  /** The time zone of the account's Zaps. */
  timeZone?: string;
  /** The port of Zapier's side (hooks, store, log); 0, the default, uses any free port. */
  port?: number;
}

/** A field that is mapped to a value of an earlier step, which may be empty in this run. */
export class Mapped {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

interface AppDefinition {
  triggers: Record<string, { operation: { sample: Record<string, unknown> } }>;
}

type ActionPath = `${'creates' | 'searches'}.${string}`;

/**
 * A Zapier app running on this machine as it does at Zapier: with one connected account, Zaps that can be turned on and off, the store
 * behind `z.cache`, and the log.
 */
export class ZapierRuntime {
  readonly backend: Backend;
  readonly app: RunningApp;
  connection: ZapierConnection | undefined;
  /** May be changed while it runs, as `zapier-platform env:set` does. */
  environment: AppEnvironment;
  /** How long a step may take. At Zapier each step has a process of its own. If many run in this one process, they need longer. */
  stepLimitMs = STEP_LIMIT_MS;
  readonly #timeZone: string;

  private constructor(backend: Backend, app: RunningApp, { environment, timeZone = 'America/Chicago' }: RuntimeOptions) {
    this.backend = backend;
    this.app = app;
    this.environment = environment;
    this.#timeZone = timeZone;
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

  /** The redirect address, in the form that Zapier gives its apps. Register it with the service before `connect`. */
  get redirectUri(): string {
    return `${this.backend.origin}/dashboard/auth/oauth/return/AppCLIAPI/`;
  }

  /** The app's definition, with placeholders instead of functions. */
  async definition(): Promise<AppDefinition> {
    return (await this.#handle({ command: 'definition' })) as AppDefinition;
  }

  /** Connects the account through the service's real consent page. */
  async connect(): Promise<void> {
    this.connection = await connect(this.#execute, this.redirectUri);
  }

  /**
   * Runs one of the app's methods for the connected account. If the app says that its token is stale, the token is refreshed, and the method
   * runs once more. Zapier does not say whether one call refreshes for all that wait: here each does, which is the worst for the app.
   *
   * @throws {ZapierError} what the app threw; after an ExpiredAuthError, Zapier asks the person to reconnect
   */
  async invoke(method: string, bundle: object = {}): Promise<unknown> {
    const before = this.connection;
    try {
      return await this.#execute(method, this.#bundle(bundle));
    } catch (error) {
      if (!(error instanceof ZapierError) || error.kind !== 'RefreshAuthError' || before === undefined) throw error;
      this.connection = await refreshed(this.#execute, before);
      return this.#execute(method, this.#bundle(bundle));
    }
  }

  /** The fields of a form for the values that are filled in so far, including dynamic fields. */
  async fields(action: ActionPath, inputData: object = {}): Promise<InputField[]> {
    return (await this.invoke(`${action}.operation.inputFields`, { inputData })) as InputField[];
  }

  /**
   * Runs a create or a search as a Zap's step does: gets the form's fields, converts the values, and checks the required ones.
   *
   * @param form what the person typed, or {@link Mapped} from an earlier step
   * @throws {ZapierError} with kind 'MissingFields' if a required field is empty: Zapier does not run such a step
   */
  async step(action: ActionPath, form: Record<string, unknown>, pagingToken?: string): Promise<unknown> {
    const entries = Object.entries(form);
    const raw = Object.fromEntries(entries.map(([key, value]) => [key, value instanceof Mapped ? value.value : value]));
    const inputDataRaw = Object.fromEntries(entries.map(([key, value]) => [key, value instanceof Mapped ? `{{1__${key}}}` : value]));
    const fields = await this.fields(action, raw);
    const inputData = resolveInputs(fields, raw, this.#timeZone);
    const missing = fields.flatMap(({ key, label, required }) => (required === true && isEmpty(inputData[key]) ? [label ?? key] : []));
    if (missing.length > 0) throw new ZapierError('MissingFields', `Required fields are missing: ${missing.join(', ')}`);
    const meta = pagingToken === undefined ? {} : { paging_token: pagingToken };
    return this.invoke(`${action}.operation.perform`, { inputData, inputDataRaw, meta });
  }

  /** The recent records that the editor shows for "Test trigger". */
  async samples(trigger: string, inputData: object = {}): Promise<Record<string, unknown>[]> {
    const bundle = { inputData, meta: { isLoadingSample: true } };
    return (await this.invoke(`triggers.${trigger}.operation.performList`, bundle)) as Record<string, unknown>[];
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
      ...{ limit: -1, page: 0, timezone: this.#timeZone, inputFields: {}, ...bundle.meta },
    };
    return { authData: this.connection?.authData ?? {}, inputData: {}, ...bundle, meta };
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

/** An input field as an app describes it, limited to what its values depend on. */
interface InputField {
  key: string;
  label?: string;
  type?: string;
  required?: boolean;
  list?: boolean;
  choices?: unknown;
  group?: string;
  helpText?: string;
}

/**
 * Prepares the values in a step's form as Zapier does before the app sees them: converts each value to its field's type, reads a datetime
 * without an offset in the Zap's zone, and removes empty values.
 *
 * @param fields the fields of the form, dynamic ones included
 * @param raw what the person typed or mapped
 */
function resolveInputs(fields: InputField[], raw: Record<string, unknown>, timeZone: string): Record<string, unknown> {
  const typed = Object.entries(raw).map(([key, value]) => {
    const { list = false, type = 'string' } = fields.find((field) => field.key === key) ?? {};
    if (!list) return [key, scalar(value, timeZone, type)] as const;
    const items = [value].flat().filter((each) => !isEmpty(each));
    return [key, items.map((each) => scalar(each, timeZone, type))] as const;
  });
  return Object.fromEntries<unknown>(typed.filter(([, value]) => !isEmpty(value)));
}

function scalar(value: unknown, timeZone: string, type: string): unknown {
  if (typeof value !== 'string' || value === '') return value;
  if (type === 'number') return Number.parseFloat(value);
  if (type === 'boolean') return !/^(n|no|false|f|never|0|none|null)$/i.test(value);
  if (type !== 'datetime') return value;
  const read = DateTime.fromISO(value, { zone: timeZone });
  return read.isValid ? read.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ") : value;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
