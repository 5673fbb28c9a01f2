import type { ApiRequest, JsonObject } from './client/ports.ts';
import type { RecordKind, ServiceRecord } from './records/fields.ts';
import type { Scope } from './scopes.ts';
import type { FieldComplaint, ServiceError } from './serviceError.ts';

/** What a refusal says: in words, by its code, and about single fields. */
export interface RefusalWords {
  words: string;
  code: string | undefined;
  fields: readonly FieldComplaint[];
}

/** What a request is about, so that an error can name it. */
export interface Subject {
  /** The thing in plain words, such as `booking`. */
  resourceName: string;
  id?: string | undefined;
  /** The scope that section 4 asks for. */
  scope: Scope | 'any';
  /**
   * For what takes a time: the start in the form's or the platform's time zone, or in UTC, such as `2030-01-31T09:00:00+01:00`; and whether a
   * refusal says that it is not free.
   */
  slot?: { when: string; isTaken: (status: number, said: RefusalWords) => boolean } | undefined;
  /** The label of a documented field, if the call came from a form. */
  labelOf?: ((field: string) => string) | undefined;
}

/** One call of an endpoint of section 4. */
export interface Call extends Subject {
  method: ApiRequest['method'];
  /** The path after `/v1`; a segment in an object is an id and is checked and encoded. */
  path: readonly (string | { id: string })[];
  query?: Record<string, string | undefined>;
  body?: JsonObject;
  notAfter?: number;
  /** Under which the service knows it again (G48). */
  idempotencyKey?: string;
}

/** A list endpoint of section 4, with its filters. */
export interface Listing<Kind extends RecordKind = RecordKind> extends Omit<Call, 'method' | 'body' | 'path'> {
  path: readonly string[];
  record: Kind;
  /** Filters the records again, because the service's filter may match more than was asked for (G30). */
  keep?: (record: ServiceRecord) => boolean;
}

/** An answer of the API, with a 2xx status unless it is said otherwise. */
export interface ApiAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/**
 * What the answer to a write shows: it was done; it was certainly not done; or nobody knows, because no answer came, or one that may hide
 * the effect. `isServiceError`: the service itself answered with an error in its own form (section 7), or a filter in place of a whole answer,
 * so that what was done, if anything, is there already. `isReplay`: the service says that it had given this answer to the same key before.
 */
export type WriteResult =
  | { state: 'succeeded'; answer: ApiAnswer }
  | { state: 'rejected'; error: ServiceError; isReplay?: boolean }
  | { state: 'unknown'; error: ServiceError; isServiceError: boolean; isReplay?: boolean };
