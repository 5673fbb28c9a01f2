import { EventEmitter, once } from 'node:events';
import type { Backend, RawRequest } from './backend.ts';

const PATIENCE_MS = 240_000;

/** What a trigger returned for one delivery: the items that start the Zap (none if it was filtered or refused), or an error. */
interface ZapOutcome {
  items: Record<string, unknown>[];
  error: ZapierError | undefined;
  /** When the trigger finished it, in milliseconds since the epoch. */
  doneAt: number;
}

interface ZapOptions {
  trigger: string;
  inputData: object;
  backend: Backend;
  invoke: (method: string, bundle: object) => Promise<unknown>;
}

/** One Zap that is turned on: its own hook address, a subscription at the service, and everything that has arrived since. */
export class Zap {
  readonly trigger: string;
  readonly targetUrl: string;
  /** The values in the trigger's form. */
  readonly inputData: object;
  /** What the app's subscribe returned. Zapier passes it to `perform` and to unsubscribe. */
  subscribeData: Record<string, unknown> = {};
  readonly outcomes: ZapOutcome[] = [];
  readonly #options: ZapOptions;
  readonly #arrived = new EventEmitter();
  #running = 0;

  private constructor(options: ZapOptions) {
    this.#options = options;
    this.trigger = options.trigger;
    this.inputData = options.inputData;
    this.targetUrl = options.backend.openHook((request) => void this.receive(request));
  }

  /** Turns a Zap on: the app subscribes the Zap's own address at the service. */
  static async turnOn(options: ZapOptions): Promise<Zap> {
    const zap = new Zap(options);
    try {
      zap.subscribeData = { ...((await zap.#invoke('performSubscribe')) as Record<string, unknown>) };
    } catch (error) {
      options.backend.closeHook(zap.targetUrl);
      throw error;
    }
    return zap;
  }

  /** Every item that started this Zap, in order. */
  get items(): Record<string, unknown>[] {
    return this.outcomes.flatMap(({ items }) => items);
  }

  /** Whether the trigger is still running for a delivery. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** Turns the Zap off. As at Zapier, the address is closed even if the app could not unsubscribe. */
  async turnOff(): Promise<void> {
    try {
      await this.#invoke('performUnsubscribe');
    } finally {
      this.#options.backend.closeHook(this.targetUrl);
    }
  }

  /** Runs the trigger for one delivery, from the service or from a test. */
  async receive(request: RawRequest): Promise<void> {
    const outcome: ZapOutcome = { items: [], error: undefined, doneAt: 0 };
    this.#running += 1;
    try {
      const items = await this.#invoke('perform', { rawRequest: request });
      if (!Array.isArray(items)) throw new ZapierError('CheckError', `The trigger ${this.trigger} returned no list.`);
      outcome.items = items as Record<string, unknown>[];
    } catch (error) {
      if (!(error instanceof ZapierError)) throw error;
      outcome.error = error;
    }
    this.#running -= 1;
    outcome.doneAt = Date.now();
    this.outcomes.push(outcome);
    this.#arrived.emit('outcome');
  }

  /** Waits until this many deliveries have been processed since the Zap was turned on. @throws an error if they have not arrived in time */
  async settled(deliveries: number): Promise<ZapOutcome[]> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (this.outcomes.length < deliveries || this.#running > 0)
      await once(this.#arrived, 'outcome', { signal }).catch(() => {
        throw new Error(`The Zap on ${this.trigger} has processed ${this.outcomes.length} of ${deliveries} deliveries.`);
      });
    return this.outcomes;
  }

  #invoke(method: string, more: object = {}): Promise<unknown> {
    return this.#options.invoke(`triggers.${this.trigger}.operation.${method}`, {
      inputData: this.inputData,
      targetUrl: this.targetUrl,
      subscribeData: this.subscribeData,
      ...more,
    });
  }
}

/** An error as Zapier receives it from an app's handler. */
export class ZapierError extends Error {
  override readonly name = 'ZapierError';
  /** Its name at Zapier, which says what Zapier does about it: refresh, ask to reconnect, hold, or fail. */
  readonly kind: string;
  readonly status: number | undefined;
  /** For a ThrottledError, when Zapier tries again. */
  readonly delaySeconds: number | undefined;
  /** The message as it was received, with anything the platform added to it. It must not contain a secret. */
  readonly raw: string;

  constructor(kind: string, raw: string) {
    // Three of the platform's errors have JSON as their message; the others have the sentence itself.
    const read = (raw.startsWith('{') ? JSON.parse(raw) : {}) as { message?: string; status?: number; delay?: number };
    super(read.message ?? raw);
    this.kind = kind;
    this.raw = raw;
    this.status = read.status;
    this.delaySeconds = read.delay;
  }
}
