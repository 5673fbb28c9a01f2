import type { Sandbox } from '../../sandbox/service.ts';
import type { ServiceRecord } from '../../shared/api/records.ts';
import type { Operation } from '../../shared/define.ts';
import type { EventRow } from '../../shared/events.ts';

/**
 * What not every platform has. A requirement that needs one is shown as not applicable where it is lacking, with the reason that the
 * platform's file gives.
 */
export type Ability =
  /** It is held against the core. Of the core itself nothing else can be the measure. */
  | 'measured'
  /** It gives records with all that they have. */
  | 'whole'
  /** It gives records with their main fields alone, where that is asked for. */
  | 'simplified'
  /** It has a zone of its own, which reads a start without an offset. */
  | 'zone'
  /** It may have none. */
  | 'zoneless'
  /** The zone of a form goes before its own. */
  | 'formZone'
  /** Answers to questions have fields of their own, which may hold something from before. */
  | 'answerFields'
  /** It takes a number where a form asks for an id. */
  | 'numbers'
  /** It tells a refused token in the words of the connector. */
  | 'refusedToken'
  /** It has no words of its own for an empty field that is required. */
  | 'emptyField'
  /** It can be told of events. */
  | 'deliveries'
  /** It has no words of its own for an answer that no question takes. */
  | 'answerWords'
  /** One who listens can listen to many events. */
  | 'manyEvents'
  /** It answers a delivery that it refuses with an error. */
  | 'answers'
  /** It can be told to refuse what is old. */
  | 'maximumAge'
  /** A test can take away the secret that it keeps. */
  | 'losesSecret';

/** Something that is asked of a platform, under the documented names. */
export interface Asked {
  fields: Readonly<Record<string, unknown>>;
  /** Answers to an event type's questions, by their keys. They are put where the platform's users put them. */
  answers?: Readonly<Record<string, unknown>>;
  /** The main fields alone. */
  isSimplified?: boolean;
}

/** A platform on which the connector can be installed. */
export interface Platform {
  name: string;
  /** What it lacks, and why. */
  lacks: Readonly<Partial<Record<Ability, string>>>;
  /** What it offers of all that the core can do. */
  offers(operation: Operation): boolean;
  /** What it gives of a record that the core gives whole; the whole of it where this is absent. */
  shown?(operation: Operation, record: ServiceRecord, sandbox: Sandbox): ServiceRecord;
  /** Waits take as long as they do for its users. */
  isRealTime?: true;
  /** It keeps the service's limits by itself: who listens a second time waits for as long as they ask. */
  isPaced?: true;
  install(): Promise<Installed>;
}

export interface Installed {
  /**
   * Connects an account.
   *
   * @param zone the platform's own, where it has one; none where it may have none
   */
  connect(sandbox: Sandbox, zone?: string): Promise<Connection>;
  remove(): Promise<void>;
}

/** One user's connection to the service, as they have it on the platform. */
export interface Connection {
  /**
   * Carries out an operation, and reads all of a list. Where the platform itself runs a step again, so does this.
   *
   * @throws Refused in the words that a person is shown
   */
  carryOut(operation: Operation, asked: Asked): Promise<ServiceRecord[]>;
  /** Starts to listen, to one event where the platform knows no more at once. @throws Refused */
  listen(rows: readonly EventRow[], options?: { maximumAgeSeconds?: number }): Promise<Listening>;
  close(): Promise<void>;
}

/** Somebody who is told of an event. */
export interface Listening {
  /** Where the service delivers. */
  url: string;
  /** The signing secret, as the platform keeps it. */
  secret(): Promise<string>;
  /** What it was given so far; whatever is under way may be missing. */
  items(): Promise<ServiceRecord[]>;
  loseSecret(): Promise<void>;
  /** Stops to listen. @throws Refused */
  stop(): Promise<void>;
}

/** What a person is told where something was not done. */
export class Refused extends Error {
  override readonly name = 'Refused';

  /** What happened, and what to do next. */
  get sentence(): string {
    return this.message;
  }
}

/** What a platform whose users hear of nothing has in place of {@link Connection.listen}. */
export const hearsNothing = (): Promise<Listening> => Promise.reject(new Error('This platform has no deliveries.'));

/** The refusal in which something ends. */
export async function refusalOf(work: Promise<unknown>): Promise<Refused> {
  const reason: unknown = await work.then(
    (value) => new Error(`It should have been refused, but gave ${JSON.stringify(value)?.slice(0, 400)}`),
    (error: unknown) => error,
  );
  if (reason instanceof Refused) return reason;
  throw reason;
}

/** Closes what was opened for something that then failed. */
export async function closingOnFailure<Result>(work: Promise<Result>, close: () => Promise<unknown>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await close();
    throw error;
  }
}
