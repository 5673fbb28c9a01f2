import { type ErrorKind, ServiceError } from '../shared/serviceError.ts';

export { ServiceError, type ErrorDetails, type ErrorKind, type FieldComplaint } from '../shared/serviceError.ts';

/** Every error that the package throws, with one type for each kind: `switch (error.kind)` is exhaustive for the compiler. */
export type ServiceFailure = { [Kind in ErrorKind]: ServiceError & { readonly kind: Kind } }[ErrorKind];

/** Whether an error is one of the package's errors, even if another copy of the package threw it. */
export const isServiceError = (error: unknown): error is ServiceFailure =>
  error instanceof ServiceError || (error instanceof Error && error.name === 'ServiceError' && 'kind' in error && 'advice' in error);

/** Calls a callback of the application. If it throws or rejects, our own work must not stop and the process must not end. */
export function guarded(tell: () => unknown): void {
  void (async () => tell())().catch(console.error);
}
