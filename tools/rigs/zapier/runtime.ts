import { Backend, type LogLine } from './backend.ts';
import { tokenOf } from './cache.ts';
import { connect, refreshed, type Connection } from './connection.ts';
import { ZapierError } from './errors.ts';
import { missingFields, resolveInputs, type InputField } from './inputs.ts';
import { Lambda, STEP_LIMIT_MS } from './lambda.ts';
import { Zap, type Outcome } from './zap.ts';

/** The environment that an app is given at Zapier (`zapier-platform env:set`). */
export interface AppEnvironment {
  CLIENT_ID: string;
  CLIENT_SECRET: string;
  BASE_URL?: string;
}

export interface RuntimeOptions {
  /** Path of the archive that the official CLI built. */
  zip: string;
  environment: AppEnvironment;
  /** The zone of the account's Zaps. */
  timeZone?: string;
  /** The port of Zapier's side (hooks, store, log); 0, the default, takes any. */
  port?: number;
}

interface AppDefinition {
  authentication: { connectionLabel?: string; oauth2Config: { scope?: string } };
  triggers: Record<string, Action>;
  creates: Record<string, Action>;
  searches: Record<string, Action>;
}
interface Action {
  operation: { inputFields?: InputField[]; cleanInputData?: boolean };
}

export type ActionPath = `${'triggers' | 'creates' | 'searches'}.${string}`;
export interface DropdownPage {
  choices: { id: string; label: string }[];
  next: string | undefined;
}

/**
 * A Zapier app running as it does at Zapier, on this machine: the pushed archive in a process of its own, one connected account, Zaps that
 * are switched on and off, the store behind `z.cache`, and the log.
 */
export class ZapierRuntime {
  readonly backend: Backend;
  readonly lambda: Lambda;
  connection: Connection | undefined;
  /** May be changed while it runs, as `zapier-platform env:set` does. */
  environment: AppEnvironment;
  /** Of many calls that find the token stale at once one refreshes for all; set to true, each does. Zapier does not say how it is there. */
  everyCallRefreshes = false;
  /** How long a step may take. Where many run at once in this one process, as on Zapier each does in its own, they need longer. */
  stepLimitMs = STEP_LIMIT_MS;
  readonly #options: RuntimeOptions;
  /** Whose steps these are. */
  readonly #user: string;
  #definition: AppDefinition | undefined;
  #refreshing: Promise<Connection> | undefined;

  private constructor(backend: Backend, lambda: Lambda, options: RuntimeOptions, user: string) {
    this.#user = user;
    this.backend = backend;
    this.lambda = lambda;
    this.#options = options;
    this.environment = options.environment;
  }

  static async start(options: RuntimeOptions): Promise<ZapierRuntime> {
    const backend = await Backend.start(options.port);
    try {
      const lambda = await Lambda.start({ zip: options.zip, loggingEndpoint: backend.loggingEndpoint });
      return new ZapierRuntime(backend, lambda, options, 'first');
    } catch (error) {
      await backend.stop();
      throw error;
    }
  }

  /**
   * The same app as another user of Zapier has it: the same process, store and log, and a connection of their own. It ends with this one,
   * and is not stopped by itself.
   */
  as(user: string): ZapierRuntime {
    return new ZapierRuntime(this.backend, this.lambda, { ...this.#options, environment: this.environment }, user);
  }

  /** The address to register at the service before `connect`. */
  get redirectUri(): string {
    return this.backend.redirectUri;
  }

  get logs(): LogLine[] {
    return this.backend.logs;
  }

  get timeZone(): string {
    return this.#options.timeZone ?? 'America/Chicago';
  }

  /** The app's definition, functions replaced by placeholders. */
  async definition(): Promise<AppDefinition> {
    this.#definition ??= (await this.#handle({ command: 'definition' })) as AppDefinition;
    return this.#definition;
  }

  /** What the platform's own schema has against the app: nothing, when all is well. */
  async validate(): Promise<unknown[]> {
    return (await this.#handle({ command: 'validate' })) as unknown[];
  }

  /** Connects the account through the service's real consent page. */
  async connect(press?: RegExp): Promise<Connection> {
    const { authentication } = await this.definition();
    this.connection = await connect((method, bundle) => this.#execute(method, bundle), this.redirectUri, {
      labelTemplate: authentication.connectionLabel ?? '',
      scope: authentication.oauth2Config.scope ?? '',
      ...(press === undefined ? {} : { press }),
    });
    return this.connection;
  }

  /**
   * Runs one of the app's methods for the connected account. When the app says that its token is stale, it is refreshed (once, for all calls that
   * wait, unless `everyCallRefreshes`), and the method runs once more.
   *
   * @throws {ZapierError} what the app threw; ExpiredAuthError is where Zapier asks the person to reconnect
   */
  async invoke(method: string, bundle: object = {}): Promise<unknown> {
    const before = this.connection;
    try {
      return await this.#execute(method, this.#bundle(bundle));
    } catch (error) {
      if (!(error instanceof ZapierError) || error.kind !== 'RefreshAuthError' || before === undefined) throw error;
      await this.#refresh(before);
      return this.#execute(method, this.#bundle(bundle));
    }
  }

  /** The fields of a form for what is filled in so far, dynamic ones included. */
  async fields(action: ActionPath, inputData: object = {}): Promise<InputField[]> {
    return (await this.invoke(`${action}.operation.inputFields`, { inputData })) as InputField[];
  }

  /** One page of a field's dropdown. */
  async dropdown(action: ActionPath, key: string, options: { inputData?: object; token?: string } = {}): Promise<DropdownPage> {
    const fields = (await this.#action(action)).operation.inputFields ?? [];
    const position = fields.findIndex((field) => field.key === key);
    const answer = (await this.invoke(`${action}.operation.inputFields.${position}.choices.perform`, {
      inputData: options.inputData ?? {},
      meta: { isFillingDynamicDropdown: true, ...(options.token === undefined ? {} : { paging_token: options.token }) },
    })) as { results: DropdownPage['choices']; paging_token?: string | null };
    return { choices: answer.results, next: answer.paging_token ?? undefined };
  }

  /**
   * Runs a create or a search as a Zap's step does: the form's fields are asked for, the values typed, and required ones demanded.
   *
   * @throws {ZapierError} with kind 'MissingFields' when a required field is empty: at Zapier such a step does not run
   */
  async step(action: ActionPath, raw: Record<string, unknown>, options: { token?: string; meta?: object } = {}): Promise<unknown> {
    const fields = await this.fields(action, raw);
    const clean = (await this.#action(action)).operation.cleanInputData !== false;
    const inputData = resolveInputs(fields, raw, { timeZone: this.timeZone, clean });
    const missing = missingFields(fields, inputData);
    if (missing.length > 0) throw new ZapierError('MissingFields', `Required fields are missing: ${missing.join(', ')}`);
    const meta = { ...options.meta, ...(options.token === undefined ? {} : { paging_token: options.token }) };
    return this.invoke(`${action}.operation.perform`, { inputData, inputDataRaw: raw, meta });
  }

  /** What the editor shows as "Test trigger": the trigger's list of recent records. */
  async samples(trigger: string, inputData: object = {}): Promise<Record<string, unknown>[]> {
    return (await this.invoke(`triggers.${trigger}.operation.performList`, { inputData, meta: { isLoadingSample: true } })) as Record<
      string,
      unknown
    >[];
  }

  /** Switches a Zap on. */
  async turnOn(trigger: string, inputData: Record<string, unknown> = {}, onOutcome?: (outcome: Outcome) => void): Promise<Zap> {
    return Zap.turnOn({
      trigger,
      inputData,
      backend: this.backend,
      invoke: (method, bundle) => this.invoke(method, bundle),
      ...(onOutcome === undefined ? {} : { onOutcome }),
    });
  }

  async stop(): Promise<void> {
    await this.lambda.stop();
    await this.backend.stop();
  }

  async #action(path: ActionPath): Promise<Action> {
    const [kind, key = ''] = path.split('.') as ['triggers' | 'creates' | 'searches', string];
    const action = (await this.definition())[kind][key];
    if (action === undefined) throw new Error(`The app has no ${path}.`);
    return action;
  }

  async #refresh(stale: Connection): Promise<void> {
    if (this.everyCallRefreshes) {
      this.connection = await refreshed((method, bundle) => this.#execute(method, bundle), stale);
      return;
    }
    if (this.connection !== stale) return;
    this.#refreshing ??= refreshed((method, bundle) => this.#execute(method, bundle), stale).finally(() => (this.#refreshing = undefined));
    this.connection = await this.#refreshing;
  }

  #bundle(bundle: { meta?: object }): object {
    const meta = {
      isLoadingSample: false,
      isFillingDynamicDropdown: false,
      isPopulatingDedupe: false,
      isTestingAuth: false,
      isBulkRead: false,
      limit: -1,
      page: 0,
    };
    return {
      authData: this.connection?.authData ?? {},
      inputData: {},
      ...bundle,
      meta: { ...meta, timezone: this.timeZone, inputFields: {}, ...bundle.meta },
    };
  }

  #execute(method: string, bundle: object): Promise<unknown> {
    return this.#handle({ command: 'execute', method, bundle });
  }

  #handle(event: object): Promise<unknown> {
    const { environment } = this;
    const token = tokenOf({ user: this.#user, connection: `connection of ${this.#user}` });
    return this.lambda.handle(
      { ...event, environment, token, rpc_base: this.backend.rpcAddress, storeKey: 'zapier-runtime', logToStdout: true },
      this.stepLimitMs,
    );
  }
}
