import type { Scope } from './scopes.ts';

/** The kind of failure. Programs use the kind to decide what to do; people read the sentences. */
export type ErrorKind =
  | 'unauthenticated'
  | 'scope'
  | 'plan'
  | 'forbidden'
  | 'subscriptionLimit'
  | 'notFound'
  | 'slotTaken'
  | 'alreadyCancelled'
  | 'conflict'
  | 'invalid'
  | 'rateLimited'
  | 'server'
  | 'unreachable'
  | 'unreadable'
  | 'redirected'
  | 'notRenewed'
  | 'unknownOutcome';

/** What is wrong with one field of a form. */
export interface FieldComplaint {
  /** The documented name of the field, such as `invitee_email`; for an answer to a question, `question_responses.<key>`. */
  field: string;
  message: string;
}

/** The parts of an error. */
export interface ErrorDetails {
  message: string;
  advice: string;
  status?: number | undefined;
  code?: string | undefined;
  fields?: readonly FieldComplaint[];
  retryAfterSeconds?: number | undefined;
  scope?: Scope | undefined;
  holdsOthers?: boolean;
}

/**
 * The only error of the core. `message` says what happened and to which thing, `advice` what to do next. Both are sentences for people, and
 * neither ever contains a token or a signing secret.
 */
export class ServiceError extends Error {
  readonly kind: ErrorKind;
  readonly advice: string;
  readonly status: number | undefined;
  /** The service's error code (section 7), if it sent one. */
  readonly code: string | undefined;
  readonly fields: readonly FieldComplaint[];
  /** Seconds until the service accepts requests again, if it sent that (G16). */
  readonly retryAfterSeconds: number | undefined;
  /** The permission that is required (section 4), if the kind is `scope` or `forbidden`. */
  readonly scope: Scope | undefined;
  /** For the kind `rateLimited`: whether other requests would also be refused, because the limit counts all requests (section 8). */
  readonly holdsOthers: boolean;

  constructor(kind: ErrorKind, details: ErrorDetails) {
    super(details.message);
    this.name = 'ServiceError';
    this.kind = kind;
    this.advice = details.advice;
    this.status = details.status;
    this.code = details.code;
    this.fields = details.fields ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.scope = details.scope;
    this.holdsOthers = details.holdsOthers ?? false;
  }

  /** What happened and what to do, as one text. */
  get sentence(): string {
    return `${this.message} ${this.advice}`;
  }

  /** A copy of this error with one more sentence. */
  adding(sentence: string): ServiceError {
    return withMessage(this, `${this.message} ${sentence}`);
  }
}

/** Outside the class: esbuild renames a class that names itself, and its traces would begin with `_ServiceError`. */
const withMessage = (error: ServiceError, message: string): ServiceError => new ServiceError(error.kind, { ...error, message });

/** Ignores the failure of a request that is not essential. A host's own signal, such as Zapier's to refresh the token, is still thrown. */
export function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error;
}
