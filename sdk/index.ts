export { createClient, type CallOptions, type ClientOptions, type ListOptions } from './client/create.ts';
export type { RecordList } from './client/list.ts';
export * from './client/api.ts';
export type { Auth, Authorization } from './auth.ts';
export { isServiceError, ServiceError, type ErrorKind, type FieldComplaint, type ServiceFailure } from './errors.ts';
