/**
 * An error as Zapier receives it from an app's handler.
 *
 * - `message`: what a person reads in the Zap's history;
 * - `kind`: its name at Zapier, which says what Zapier does about it: refresh, ask to reconnect, hold, or fail;
 * - `delaySeconds`: for a ThrottledError, when Zapier tries again;
 * - `raw`: the message as it was received, with anything the platform added to it. It must not contain a secret.
 */
export class ZapierError extends Error {
  override readonly name = 'ZapierError';
  readonly kind: string;
  readonly status: number | undefined;
  readonly delaySeconds: number | undefined;
  readonly raw: string;

  constructor(kind: string, raw: string) {
    const { message, status, delay } = parsed(raw);
    super(typeof message === 'string' ? message : raw);
    this.kind = kind;
    this.raw = raw;
    this.status = typeof status === 'number' ? status : undefined;
    this.delaySeconds = typeof delay === 'number' ? delay : undefined;
  }
}

/** Three of the platform's errors have JSON as their message; the others have the sentence itself. */
function parsed(raw: string): { message?: unknown; status?: unknown; delay?: unknown } {
  try {
    return raw.startsWith('{') ? (JSON.parse(raw) as object) : {};
  } catch {
    return {};
  }
}
