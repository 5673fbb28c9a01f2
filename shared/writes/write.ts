import type { ServiceError } from '../serviceError.ts';
import type { ApiAnswer, Call } from '../call.ts';
import type { WriteKeys } from '../client/pendingWrites.ts';

/** The result of one search for the effect of a write. */
export interface EffectLookup<Result> {
  /** What the write created. Absent if it was not found. */
  found?: Result | undefined;
  /** Ids of records that may be what it created, because too little is known about them, or something is written differently. */
  candidates: readonly string[];
  /** Whether everything that could show the effect was read. Only then does "not found" mean "does not exist". */
  isComplete: boolean;
}

/** What to search for. */
export interface SearchFor<Content> {
  /** What was sent. An earlier attempt of the same item may have sent something different. */
  content: Content;
  /**
   * What was created before this time was certainly created before the write was sent. Milliseconds since the epoch, with a margin for
   * clocks.
   */
  sentAfter: number;
  /** Identifies the write: a record that is assigned to another write is not its effect. A later attempt is the same write. */
  by: string;
}

/** A change at the service: how it is sent, how its response is read, and how its effect is found. {@link runWrite} does the rest. */
export interface Write<Result, Content = unknown> {
  /** Writes with the same value are sent one after another. */
  lockKey: string;
  /** The keys under which a pending write is recorded for the next attempt. Absent if no later attempt needs it. */
  keys?: WriteKeys;
  /** The data that was sent, so that a later attempt can look for it. */
  content: Content;
  /** Whether sending it twice has the same result as sending it once. It is then repeated at once, instead of looked for. */
  isIdempotent: boolean;
  /** For idempotent writes that must clean up first: whether they are repeated only after a successful search. */
  repeatsOnlyAfterSearch?: boolean;
  call: Call;
  /**
   * Reads what was created from a 2xx response, which is trusted even if it differs from what was sent. `undefined` if it shows no record.
   *
   * @param by identifies the write
   * @throws ServiceError if the result is unusable, such as a subscription without a secret
   */
  read(answer: ApiAnswer, by: string): Result | undefined | Promise<Result | undefined>;
  /** The result if the service confirmed the write, but neither its response nor a search showed what it created. */
  unseen(): Result;
  /**
   * The result of a refusal that means that everything is already as wanted. `undefined` for any other refusal.
   *
   * @param isRepeat whether the same write was sent before, so that it may be the reason
   * @throws ServiceError that explains more than the refusal
   */
  rejected?(refusal: ServiceError, isRepeat: boolean): Promise<Result | undefined>;
  /** Searches once for the effect. */
  find(search: SearchFor<Content>): Promise<EffectLookup<Result>>;
  /** A sentence for the person that says what may or may not have happened to which thing. */
  uncertain(content: Content, sentAt: Date): string;
  /** What to do if an existing record may be the one that was sent. Default: to look at it, because it probably serves as well. */
  ifThere?: string;
}

/** A write in progress, with a name that identifies it in every process. */
export type Sent<Result, Content = unknown> = Write<Result, Content> & { by: string };
