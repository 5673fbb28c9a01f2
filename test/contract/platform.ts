import { operations, searches } from '../../shared/operations/index.ts';
import type { ServiceRecord } from '../../shared/records/fields.ts';
import type { RequestEntry, Sandbox, SandboxOptions } from '../../sandbox/service.ts';
import type { Operation } from '../../shared/operations/define.ts';
import type { EventRow, ListedRow } from '../../shared/events.ts';

/**
 * Abilities that not every platform has. If a platform lacks one, each requirement that needs it is shown as not applicable, with the
 * reason from the platform's file.
 */
type Ability =
  /** It gives records with all their fields. */
  | 'whole'
  /** It gives records with only their main fields, if asked to. */
  | 'simplified'
  /** It has a time zone of its own, in which it reads a start without an offset. */
  | 'zone'
  /** It may have no time zone. */
  | 'zoneless'
  /** The zone in a form takes precedence over its own. */
  | 'formZone'
  /** Answers to questions have fields of their own, which may still hold an earlier value. */
  | 'answerFields'
  /** It accepts a number in a field that takes an id. */
  | 'numbers'
  /** It reports a refused token in the connector's words. */
  | 'refusedToken'
  /** It has no words of its own for a required field that is empty. */
  | 'emptyField'
  /** It refuses a filter that is set and came out empty. */
  | 'refusesEmpty'
  /** It leaves a filter out that is set and empty, and says so before anything else. */
  | 'leavesEmptyOut'
  /** It can receive events. */
  | 'deliveries'
  /** It has no words of its own for an answer to which there is no question. */
  | 'answerWords'
  /** One listener can listen to many events. */
  | 'manyEvents'
  /** It can also poll, so its items have the key of their change, and the id of their delivery. */
  | 'polls'
  /** It is the one that meets every service: what they differ in is read by the core alone. Each other platform meets one of them. */
  | 'everyService'
  /** A test can make it poll. */
  | 'pollsAtOnce'
  /** The connector keeps its tokens, and not the host. */
  | 'keepsTokens'
  /** It answers a delivery that it refuses with an error. */
  | 'answers'
  /** It can be set to refuse old deliveries. */
  | 'maximumAge'
  /** A test can take away the secret that it stores. */
  | 'losesSecret';

/** The input for one operation, under the documented names. */
export interface Asked {
  fields: Readonly<Record<string, unknown>>;
  /** Answers to an event type's questions, by their keys. They go where the platform's users enter them. */
  answers?: Readonly<Record<string, unknown>>;
  /** Only the main fields. */
  isSimplified?: boolean;
}

/** A platform on which the connector can be installed. */
export interface Platform {
  name: string;
  /** What it lacks, and why. */
  lacks: Readonly<Partial<Record<Ability, string>>>;
  /** The operations it offers, out of all that the core has. */
  offers(operation: Operation): boolean;
  /** What it gives of a record that the core gives in full. If this is absent, it gives the full record. */
  shown?(operation: Operation, record: ServiceRecord, sandbox: Sandbox): ServiceRecord;
  /** What it says in place of a sentence of the core. If this is absent, it says the same. */
  says?(operation: Operation, sentence: string): string;
  /** It keeps the service's limits by itself: the second subscription waits as long as the limits require. */
  isPaced?: true;
  install(): Promise<Installed>;
}

export interface Installed {
  /**
   * Connects an account.
   *
   * @param zone the platform's own time zone; none if the platform has none or should have none
   */
  connect(sandbox: Sandbox, zone?: string): Promise<Connection>;
  remove?(): Promise<void>;
}

/** One user's connection to the service, as they have it on the platform. */
export interface Connection {
  /**
   * Runs an operation, and reads all pages of a list. If the platform itself repeats a step, so does this.
   *
   * @throws Refused in the words that a person is shown
   */
  runOperation(operation: Operation, asked: Asked): Promise<ServiceRecord[]>;
  /** The first line of what is said about a list. Only a platform that leaves empty filters out has it. */
  firstLine?(operation: Operation, asked: Asked): Promise<string | undefined>;
  /**
   * Starts to listen. If the platform can only listen to one event at a time, to that one.
   * @throws Refused
   */
  listen(rows: readonly EventRow[], options?: { maximumAgeSeconds?: number }): Promise<Listening>;
  /** A poller of its own: each call is one poll, and gives the changes that it finds. Only a platform that can be made to poll has it. */
  poller?(rows: readonly ListedRow[]): () => Promise<ServiceRecord[]>;
  close?(): Promise<void>;
}

/** Something that listens for an event. */
export interface Listening {
  /** The address to which the service delivers. */
  url: string;
  /** The signing secret, as the platform keeps it. */
  secret(): Promise<string>;
  /** What it has received so far. Deliveries that are still being handled may be missing. */
  items(): Promise<ServiceRecord[]>;
  loseSecret(): Promise<void>;
  /**
   * Stops listening.
   * @throws Refused
   */
  stop(): Promise<void>;
}

/** What a person is told if something was not done: what happened, and what to do next. */
export class Refused extends Error {}

/** Puts a platform's own errors into words. @param wordsOf what a person is shown of an error; nothing of one that is no refusal */
export const inWords =
  (wordsOf: (error: unknown) => string | undefined) =>
  <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      const words = wordsOf(error);
      throw words === undefined ? error : new Refused(words);
    });

/** What a person is told: the records, or the sentence of a refusal. */
export const told = (work: Promise<ServiceRecord[]>): Promise<ServiceRecord[] | string> =>
  work.catch((error: unknown) => {
    if (error instanceof Refused) return error.message;
    throw error;
  });

/** Takes the place of {@link Connection.listen} on a platform whose users receive no events. */
export const hearsNothing = (): Promise<Listening> => Promise.reject(new Error('This platform has no deliveries.'));

/** The refusal that a call ends in. */
export async function refusalOf(work: Promise<unknown>): Promise<Refused> {
  const reason: unknown = await work.then(
    (value) => new Error(`It should have been refused, but gave ${JSON.stringify(value)?.slice(0, 400)}`),
    (error: unknown) => error,
  );
  if (reason instanceof Refused) return reason;
  throw reason;
}

/** What a platform says where the core has refused. */
export const saidBy = ({ says }: Platform, operation: Operation, { message }: Refused): string => says?.(operation, message) ?? message;

/** Closes what was opened before a later step failed. */
export async function closingOnFailure<Result>(work: Promise<Result>, close: () => Promise<unknown>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a requirement runs on. */
export interface Stage {
  sandbox: Sandbox;
  platform: Platform;
  connection: Connection;
  /** The core over `fetch`, before the same service. */
  core: Connection;
  /** One more connection to the same service, for another user. It ends with the stage. */
  another(zone?: string): Promise<Connection>;
  /** A listener for an event, kept as long as the stage, and its secret. Starting one uses up part of a limit of ten a minute. */
  listener(row: EventRow): Promise<{ listening: Listening; secret: string }>;
  /** A connection that may start to listen immediately. */
  unhurried(): Promise<Connection>;
}

/** What a requirement depends on, and where it comes from. */
export interface Traits {
  /**
   * Why it must hold: a section of the public document (`section 6`), an assumption about what that leaves open (`G29`), a standard
   * (`RFC 3986, 5.2.4`), a platform's guideline (`n8n: Simplify`) or a public report (`whatwg/fetch#944`). docs/reference/contract.md
   * lists them.
   */
  source: string;
  /** The abilities of a platform that it needs. */
  needs?: readonly Ability[];
  /** The operations that it needs, beside those that every platform offers. */
  uses?: readonly Operation[];
  /**
   * The requirement needs a service and a connection of its own, because the service has another form or because it waits. All such
   * requirements run at the same time.
   */
  alone?: SandboxOptions;
  /** The requirement waits for half a minute or more, in which the connector looks for what became of a lost request. */
  waits?: true;
}

/** Something that must hold on every platform. */
export interface Requirement extends Traits {
  /** What it is about, when, and what has to come of it: `create:answer-lost:looked-for`. */
  id: string;
  hold(stage: Stage): Promise<void>;
}

export const requirement = (id: string, traits: Traits, hold: Requirement['hold']): Requirement => ({ id, ...traits, hold });

/** All that the core can do. */
export const offered: readonly Operation[] = [...operations, ...searches];

/** Why a requirement does not apply to a platform; nothing if it applies. */
export function whyNot({ needs = [], uses = [] }: Requirement, { lacks, offers }: Platform): string | undefined {
  const missing = uses.find((operation) => !offers(operation));
  if (missing !== undefined) return `it does not offer ${nameOf(missing)}`;
  return needs.map((ability) => lacks[ability]).find((reason) => reason !== undefined);
}

/** An operation by its place in the core: `booking.create`. */
export const nameOf = ({ resource, name }: Operation): string => `${resource}.${name}`;

/** The requests to one endpoint, such as `POST /v1/bookings/:id/cancel`, since the requests were last forgotten. */
export function requestsTo(sandbox: Sandbox, endpoint: string): RequestEntry[] {
  const pattern = new RegExp(`^${endpoint.replace(/:id/g, '[^/]+')}$`);
  return sandbox.requests().filter(({ method, path }) => pattern.test(`${method} ${path}`));
}

/** An HTML page as the answer to a request: a proxy's page that asks the user to sign in. */
export const page = {
  kind: 'status',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><body>Sign in</body></html>',
} as const;
