import { type ErrorKind, ServiceError } from '../shared/serviceError.ts';

export { ServiceError, type ErrorDetails, type ErrorKind, type FieldComplaint } from '../shared/serviceError.ts';

/** Every error that the package throws, with one type for each kind: `switch (error.kind)` is exhaustive for the compiler. */
export type ServiceFailure = { [Kind in ErrorKind]: ServiceError & { readonly kind: Kind } }[ErrorKind];

/** Whether an error is one of the package's errors, even if another copy of the package threw it. */
export const isServiceError = (error: unknown): error is ServiceFailure =>
  error instanceof ServiceError || (error instanceof Error && error.name === 'ServiceError' && 'kind' in error && 'advice' in error);

/** Calls a callback of the developer. An error in it, now or later, must neither stop our own work nor end the process. */
export function guarded(tell: () => unknown): void {
  void (async () => tell())().catch(console.error);
}
