import type { ApiRequest, JsonObject } from './client/ports.ts';
import type { RecordKind, ServiceRecord } from './records/fields.ts';
import type { Scope } from './scopes.ts';
import type { FieldComplaint, ServiceError } from './serviceError.ts';

/** The content of a refusal: its words, its code, and its complaints about fields. */
export interface RefusalWords {
  words: string;
  code: string | undefined;
  fields: readonly FieldComplaint[];
}

/** The subject of a request, so that an error can name it. */
export interface Subject {
  /** The thing in plain words, such as `booking`. */
  resourceName: string;
  id?: string | undefined;
  /** The scope that section 4 requires. */
  scope: Scope | 'any';
  /**
   * For requests that take a time slot: the start in the form's or the platform's time zone, or in UTC, such as
   * `2030-01-31T09:00:00+01:00`; and whether a refusal says that the slot is not free.
   */
  slot?: { when: string; isTaken: (status: number, said: RefusalWords) => boolean } | undefined;
  /** Returns the label of a documented field, if the call came from a form. */
  labelOf?: ((field: string) => string) | undefined;
}

/** One call of an endpoint of section 4. */
export interface Call extends Subject {
  method: ApiRequest['method'];
  /** The path after `/v1`; a segment in an object is an id, which is checked and encoded. */
  path: readonly (string | { id: string })[];
  query?: Record<string, string | undefined>;
  body?: JsonObject;
  notAfter?: number;
  /** Identifies repeats of the same write to the service (G48). */
  idempotencyKey?: string;
}

/** A list endpoint of section 4, with its filters. */
export interface Listing<Kind extends RecordKind = RecordKind> extends Omit<Call, 'method' | 'body' | 'path'> {
  path: readonly string[];
  record: Kind;
  /** Filters the records again, because the service's filter may match more than was asked for (G30). */
  keep?: (record: ServiceRecord) => boolean;
}

/** A response of the API, with a 2xx status unless stated otherwise. */
export interface ApiAnswer {
  status: number;
  /** Names are in lowercase. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/**
 * The outcome of a write: it was done; it was certainly not done; or it is unknown, because no response came, or one that may hide the
 * effect. `isServiceError`: the service itself responded with an error in its own form (section 7), or a filter replaced a complete
 * response, so that any effect already exists. `isReplay`: the service says that it had already sent this response for the same key.
 */
export type WriteResult =
  | { state: 'succeeded'; answer: ApiAnswer }
  | { state: 'rejected'; error: ServiceError; isReplay?: boolean }
  | { state: 'unknown'; error: ServiceError; isServiceError: boolean; isReplay?: boolean };
