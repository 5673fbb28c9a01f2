/** The names of an app's errors at Zapier, and of the two that only Zapier's runtime can raise. */
export type ZapierErrorKind =
  | 'AppError'
  | 'HaltedError'
  | 'ExpiredAuthError'
  | 'RefreshAuthError'
  | 'ThrottledError'
  | 'ResponseError'
  | 'CheckError'
  | 'TimeoutError'
  | 'ProcessExitedError'
  | (string & {});

/**
 * An error as Zapier receives it from an app's handler.
 *
 * - `message`: what a person reads in the Zap's history;
 * - `kind`: what Zapier does about it: refresh, ask to reconnect, hold, or fail;
 * - `delaySeconds`: for a ThrottledError, when Zapier tries again;
 * - `raw`: the message as it was received, with anything the platform added to it. It must not contain a secret.
 */
export class ZapierError extends Error {
  readonly kind: ZapierErrorKind;
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly delaySeconds: number | undefined;
  readonly raw: string;

  constructor(kind: ZapierErrorKind, raw: string) {
    const said = parsed(raw);
    super(typeof said?.message === 'string' ? said.message : raw);
    this.name = 'ZapierError';
    this.kind = kind;
    this.raw = raw;
    this.code = typeof said?.code === 'string' ? said.code : undefined;
    this.status = typeof said?.status === 'number' ? said.status : undefined;
    this.delaySeconds = typeof said?.delay === 'number' ? said.delay : undefined;
  }
}

/** Three of the platform's errors have JSON as their message; the others have the sentence itself. */
function parsed(raw: string): Record<string, unknown> | undefined {
  if (!raw.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
