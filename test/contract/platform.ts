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
  /** Each answer has a field of its own, which may still hold an earlier value. */
  | 'answerFields'
  /** It accepts a number in a field that takes an id. */
  | 'numbers'
  /** It reports a refused token in the connector's words. */
  | 'refusedToken'
  /** The connector, not the platform, reports an empty required field. */
  | 'emptyField'
  /** It refuses a filter that is set but empty. */
  | 'refusesEmpty'
  /** It leaves out a filter that is set but empty, and says so first. */
  | 'leavesEmptyOut'
  /** It can receive events. */
  | 'deliveries'
  /** The connector or the service, not the platform, reports an answer that a question does not allow. */
  | 'answerWords'
  /** One listener can listen to many events. */
  | 'manyEvents'
  /** It can also poll, so its items contain the key of their change and the id of their delivery. */
  | 'polls'
  /** It is tested with every existing service. The others are tested with one, because only the core reads the differences. */
  | 'everyService'
  /** A test can make it poll. */
  | 'pollsAtOnce'
  /** The connector keeps its tokens, not the host. */
  | 'keepsTokens'
  /** It responds to a refused delivery with an error. */
  | 'answers'
  /** It can be set to refuse old deliveries. */
  | 'maximumAge'
  /** A test can delete the secret that it stores. */
  | 'losesSecret';

/** The input for one operation, under the documented names. */
export interface Asked {
  fields: Readonly<Record<string, unknown>>;
  /** Answers to an event type's questions, by key, entered where the platform's users enter them. */
  answers?: Readonly<Record<string, unknown>>;
  /** Whether only the main fields are wanted. */
  isSimplified?: boolean;
}

/** A platform on which the connector can be installed. */
export interface Platform {
  name: string;
  /** The abilities that it lacks, with the reasons. */
  lacks: Readonly<Partial<Record<Ability, string>>>;
  /** Whether it offers an operation of the core. */
  offers(operation: Operation): boolean;
  /** What it shows of a full record. Without this, it shows the full record. */
  shown?(operation: Operation, record: ServiceRecord, sandbox: Sandbox): ServiceRecord;
  /** What it says in place of the core's sentence. Without this, it says the same. */
  says?(operation: Operation, sentence: string): string;
  /** It keeps to the service's limits by itself: a second subscription waits as long as they require. */
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
   * @throws Refused with the message that a person sees
   */
  runOperation(operation: Operation, asked: Asked): Promise<ServiceRecord[]>;
  /** The first line of a list's text. Only a platform that leaves out empty filters has this. */
  firstLine?(operation: Operation, asked: Asked): Promise<string | undefined>;
  /**
   * Starts to listen: to all these events, or to the only one on a platform that listens to one at a time.
   * @throws Refused
   */
  listen(rows: readonly EventRow[], options?: { maximumAgeSeconds?: number }): Promise<Listening>;
  /** Creates a poller: each call polls once and returns the changes that it finds. Only a platform that a test can make poll has this. */
  poller?(rows: readonly ListedRow[]): () => Promise<ServiceRecord[]>;
  close?(): Promise<void>;
}

/** Something that listens for an event. */
export interface Listening {
  /** The address to which the service delivers. */
  url: string;
  /** The signing secret, as the platform keeps it. */
  secret(): Promise<string>;
  /** The items received so far. Deliveries that are still being handled may be missing. */
  items(): Promise<ServiceRecord[]>;
  loseSecret(): Promise<void>;
  /**
   * Stops listening.
   * @throws Refused
   */
  stop(): Promise<void>;
}

/** The message that a person sees if something was not done: what happened, and what to do next. */
export class Refused extends Error {}

/** Turns a platform's errors into refusals. @param wordsOf the message that a person sees; `undefined` for an error that is no refusal */
export const inWords =
  (wordsOf: (error: unknown) => string | undefined) =>
  <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      const words = wordsOf(error);
      throw words === undefined ? error : new Refused(words);
    });

/** What a person sees: the records, or the message of a refusal. */
export const told = (work: Promise<ServiceRecord[]>): Promise<ServiceRecord[] | string> =>
  work.catch((error: unknown) => {
    if (error instanceof Refused) return error.message;
    throw error;
  });

/** Replaces {@link Connection.listen} on a platform whose users receive no events. */
export const hearsNothing = (): Promise<Listening> => Promise.reject(new Error('This platform has no deliveries.'));

/** The refusal with which a call ends. */
export async function refusalOf(work: Promise<unknown>): Promise<Refused> {
  const reason: unknown = await work.then(
    (value) => new Error(`It should have been refused, but gave ${JSON.stringify(value)?.slice(0, 400)}`),
    (error: unknown) => error,
  );
  if (reason instanceof Refused) return reason;
  throw reason;
}

/** What a platform says for a refusal of the core. */
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
  /** The core over `fetch`, connected to the same service. */
  core: Connection;
  /** Opens another connection to the same service, for another user. It ends with the stage. */
  another(zone?: string): Promise<Connection>;
  /** A listener for an event, kept as long as the stage, and its secret. Starting one counts towards a limit of ten a minute. */
  listener(row: EventRow): Promise<{ listening: Listening; secret: string }>;
  /** A connection that can start to listen without waiting for the limit. */
  unhurried(): Promise<Connection>;
}

/** What a requirement depends on, and where it comes from. */
export interface Traits {
  /**
   * Why it must hold: a section of the public document (`section 6`), an assumption about a gap in it (`G29`), a standard (`RFC 3986,
   * 5.2.4`), a platform's guideline (`n8n: Simplify`) or a public report (`whatwg/fetch#944`). docs/reference/contract.md lists them.
   */
  source: string;
  /** The abilities that a platform needs for it. */
  needs?: readonly Ability[];
  /** The operations that it needs, besides those that every platform offers. */
  uses?: readonly Operation[];
  /**
   * The requirement needs a service and a connection of its own, because the service has another form or because it waits. Those that
   * wait run at the same time.
   */
  alone?: SandboxOptions;
  /** The requirement waits for half a minute or more, while the connector looks for the effect of a lost request. */
  waits?: true;
}

/** Something that must hold on every platform. */
export interface Requirement extends Traits {
  /** What it is about, the situation, and the required result: `create:answer-lost:looked-for`. */
  id: string;
  hold(stage: Stage): Promise<void>;
}

export const requirement = (id: string, traits: Traits, hold: Requirement['hold']): Requirement => ({ id, ...traits, hold });

/** Everything that the core can do. */
export const offered: readonly Operation[] = [...operations, ...searches];

/** Why a requirement does not apply to a platform; `undefined` if it applies. */
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

/** An HTML page in place of a response: a proxy's sign-in page. */
export const page = {
  kind: 'status',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><body>Sign in</body></html>',
} as const;
