import { ServiceError } from '../../shared/client/errors.ts';

/** The service error that a promise ends in; anything else fails the test. */
export async function refusal(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.then(
    (value) => new Error(`Nothing was refused, but this came: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw error;
}

/** The same for work that ends at once. */
export const refusalOf = (work: () => unknown): Promise<ServiceError> => refusal(Promise.resolve().then(work));

/** Everything that an asynchronous list gives. */
export async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}
