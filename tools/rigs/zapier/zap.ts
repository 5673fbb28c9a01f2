import { until } from '../../process/until.ts';
import type { Backend, RawRequest } from './backend.ts';

/** The result of a trigger for one delivery: the items that start the Zap (none if it was filtered or refused), or an error. */
interface ZapOutcome {
  items: Record<string, unknown>[];
  error: ZapierError | undefined;
  /** When the trigger finished, in milliseconds since the epoch. */
  doneAt: number;
}

interface ZapOptions {
  trigger: string;
  /** The values in the trigger's form. */
  inputData: object;
  backend: Backend;
  invoke: (method: string, bundle: object) => Promise<unknown>;
}

/** One Zap that is turned on, with its own hook address, its subscription at the service, and everything that has arrived since. */
export type Zap = Awaited<ReturnType<typeof turnOn>>;

/** Turns a Zap on: the app subscribes the Zap's own address at the service. */
export async function turnOn({ trigger, inputData, backend, invoke }: ZapOptions) {
  const outcomes: ZapOutcome[] = [];
  let running = 0;
  const run = (method: string, more: object = {}): Promise<unknown> => {
    const { targetUrl, subscribeData } = zap;
    return invoke(`triggers.${trigger}.operation.${method}`, { inputData, targetUrl, subscribeData, ...more });
  };
  const zap = {
    trigger,
    inputData,
    targetUrl: backend.openHook((request) => void zap.receive(request)),
    /** The result of the app's subscribe. Zapier passes it to `perform` and to unsubscribe. */
    subscribeData: {} as Record<string, unknown>,
    outcomes,
    /** Whether the trigger is still running for a delivery. */
    get isBusy(): boolean {
      return running > 0;
    },
    /** Turns the Zap off. As on Zapier, the address is closed even if the app could not unsubscribe. */
    async turnOff(): Promise<void> {
      await run('performUnsubscribe').finally(() => backend.closeHook(zap.targetUrl));
    },
    /** Runs the trigger for one delivery from the service or from a test. */
    async receive(request: RawRequest): Promise<void> {
      const outcome: ZapOutcome = { items: [], error: undefined, doneAt: 0 };
      running += 1;
      try {
        const items = await run('perform', { rawRequest: request });
        if (!Array.isArray(items)) throw new ZapierError('CheckError', `The trigger ${trigger} returned no list.`);
        outcome.items = items as Record<string, unknown>[];
      } catch (error) {
        if (!(error instanceof ZapierError)) throw error;
        outcome.error = error;
      }
      running -= 1;
      outcomes.push({ ...outcome, doneAt: Date.now() });
    },
    /** Waits until this many deliveries were processed since the Zap was turned on. @throws an error if they do not arrive in time */
    async settled(deliveries: number): Promise<ZapOutcome[]> {
      await until(() => outcomes.length >= deliveries && running === 0, `Delivery ${deliveries} to the Zap on ${trigger}`);
      return outcomes;
    },
  };
  try {
    zap.subscribeData = { ...((await run('performSubscribe')) as Record<string, unknown>) };
  } catch (error) {
    backend.closeHook(zap.targetUrl);
    throw error;
  }
  return zap;
}

/** An error as Zapier receives it from an app's handler. */
export class ZapierError extends Error {
  override readonly name = 'ZapierError';
  /** Its name on Zapier, which decides what Zapier does: refresh, ask to reconnect, hold, or fail. */
  readonly kind: string;
  readonly status: number | undefined;
  /** For a ThrottledError, when Zapier tries again. */
  readonly delaySeconds: number | undefined;
  /** The message as received, with anything that the platform added to it. It must not contain a secret. */
  readonly raw: string;

  constructor(kind: string, raw: string) {
    // Three of the platform's errors have a JSON message; the others have the sentence itself.
    const read = (raw.startsWith('{') ? JSON.parse(raw) : {}) as { message?: string; status?: number; delay?: number };
    super(read.message ?? raw);
    this.kind = kind;
    this.raw = raw;
    this.status = read.status;
    this.delaySeconds = read.delay;
  }
}
