import type { ServiceError } from '../serviceError.ts';
import type { ApiAnswer, Call } from '../call.ts';
import type { WriteKeys } from '../client/pendingWrites.ts';

/** What one search for the effect of a write showed. */
export interface EffectLookup<Result> {
  /** What the write made. Absent if it was not seen. */
  found?: Result | undefined;
  /** Ids of records that may be what it made, because too little is known of them, or something is written otherwise. */
  candidates: readonly string[];
  /** Whether everything was read that could show the effect. Only then does "not seen" mean "not there". */
  isComplete: boolean;
}

/** What a search is about. */
export interface SearchFor<Content> {
  /** What was sent. An earlier try of the same item may have sent something else than this one would. */
  content: Content;
  /** What was made before this time was certainly made before the write was sent. Milliseconds since the epoch, with a margin for clocks. */
  sentAfter: number;
  /** Which write it is: what belongs to another one is not its effect. A later try of it is the same write. */
  by: string;
}

/** Something that changes the service: how it is sent, what its answer says, and how its effect is found. {@link runWrite} does the rest. */
export interface Write<Result, Content = unknown> {
  /** Writes with the same value are sent one after another. */
  lockKey: string;
  /** The names under which a pending write is kept for the next try. Absent if no later try needs to know of it. */
  keys?: WriteKeys;
  /** What is sent, so that a later try can look for it. */
  content: Content;
  /** Whether sending it twice has the same result as sending it once. Then it is repeated at once, instead of looked for. */
  isIdempotent: boolean;
  /** For idempotent writes that must clean up first: whether they are repeated only after a search that was answered. */
  repeatsOnlyAfterSearch?: boolean;
  call: Call;
  /**
   * What a 2xx answer says was made: believed, however it differs from what was sent. `undefined` if it shows no record.
   *
   * @param by which write it is
   * @throws ServiceError if what was made is of no use, such as a subscription without a secret
   */
  read(answer: ApiAnswer, by: string): Result | undefined | Promise<Result | undefined>;
  /** The result if the service confirmed the write, but neither its answer nor a search showed what it made. */
  unseen(): Result;
  /**
   * The result for a refusal that means that everything is already as wanted. `undefined` for any other refusal.
   *
   * @param isRepeat whether the same write was sent before, so that it may be the reason
   * @throws ServiceError that says more than the refusal
   */
  rejected?(refusal: ServiceError, isRepeat: boolean): Promise<Result | undefined>;
  /** Looks once for the effect. */
  find(search: SearchFor<Content>): Promise<EffectLookup<Result>>;
  /** Says what may or may not have happened to which thing: a sentence for the person. */
  uncertain(content: Content, sentAt: Date): string;
  /** What to do if something there may be what was sent. Default: to look at it, because it is probably as good. */
  ifThere?: string;
}

/** A write that is being done, with its name in every process. */
export type Sent<Result, Content = unknown> = Write<Result, Content> & { by: string };
