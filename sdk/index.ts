export { createClient } from './client/create.ts';
export type { CallOptions, ClientOptions, ListOptions } from './client/options.ts';
export type { RecordList } from './client/api/list.ts';
export type * from './client/api/inputs.ts';
export type * from './client/api/methods.ts';
export type * from './client/api/records.ts';
export type { Fetch } from '../shared/client/httpClient.ts';
export type { Auth, Authorization } from './auth.ts';
export { isServiceError, ServiceError, type ErrorDetails, type ErrorKind, type FieldComplaint, type ServiceFailure } from './errors.ts';
