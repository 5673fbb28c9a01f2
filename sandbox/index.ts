import type { Fault } from './faultKinds.ts';
import type { Account, Booking, Delivery, EventType } from './records.ts';
import { parseForm, startSandbox as startService, type Forms } from './service.ts';

export type { Fault, FaultKind } from './faultKinds.ts';
export type { Account, QuestionAnswer, DeliveryAttempt, Booking, Delivery, EventName, EventType } from './records.ts';

export interface SandboxOptions {
  /** The port on this machine. Default: any free one. */
  port?: number;
  /** Other response forms and habits of the service, such as `'listLag=45s'`. `npx <package> --help` lists them. */
  forms?: readonly string[];
  /** Whether the service's rate limits apply. Default: no. */
  limits?: boolean;
  /** Called with a line for each delivery. It never contains a token or a signing secret. */
  log?: (line: string) => void;
}

/** An invitee's input. Missing values are filled in: an event type without required questions, and its next free time. */
export interface NewBooking {
  event_type_id?: string;
  /** ISO 8601 with an offset. */
  start_time?: string;
  invitee_name?: string;
  invitee_email?: string;
  invitee_timezone?: string;
  notes?: string;
  question_responses?: Booking['question_responses'];
}

/** Actions of hosts and invitees on the service's own pages. Each sends its deliveries. */
export interface Host {
  book(booking?: NewBooking): Booking;
  reschedule(bookingId: string, to: { start_time: string }): Booking;
  approve(bookingId: string): Booking;
  deny(bookingId: string, options?: { reason?: string }): Booking;
  cancel(bookingId: string, options?: { reason?: string }): Booking;
}

/** A running sandbox, with its data in memory. */
export interface Sandbox extends AsyncDisposable {
  /** The base URL of the API. Ends in `/api/v1`. */
  readonly baseUrl: string;
  /** The address of the host's pages, on which a host sees and does everything. Open it in your browser. */
  readonly hostPage: string;
  /** The test account, on the Pro plan, with bookings from four weeks ago to two weeks ahead. */
  readonly account: Account;
  /** An access token of the test account, with every permission. Valid for a day. */
  readonly accessToken: string;
  /** Client id for an application that connects accounts itself. `http://localhost:9000` is registered as its redirect address. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Registers one more redirect address for the client. */
  allowRedirect(address: string): void;
  /** Issues more tokens for the test account, such as expired ones. */
  issueToken(options?: { scopes?: string[]; expiresInSeconds?: number }): { access_token: string; refresh_token: string };
  readonly host: Host;
  eventTypes(): EventType[];
  /** Everything that was sent to subscriptions, with each try and its response. */
  deliveries(): Delivery[];
  /** Makes one or more of the next requests of a route fail. */
  fail(fault: Fault): void;
  /** Resolves when no delivery is being sent or due. Deliveries that wait for their next try stay. */
  settled(): Promise<void>;
  /** Moves the clock forward, and sends the deliveries that become due. Milliseconds. */
  forward(milliseconds: number): Promise<void>;
  /** Restores the data of the start, and deletes subscriptions and faults. Address, client and tokens stay valid. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a stand-in for the service on this machine, for tests. It was made from the service's public document alone, and delivers to this
 * machine only.
 *
 * @throws an error if the port is taken, or if a form does not exist
 *
 * @example
 * ```ts
 * let sandbox: Sandbox;
 * beforeAll(async () => {
 *   sandbox = await startSandbox();
 * });
 * beforeEach(() => sandbox.reset());
 * afterAll(() => sandbox.close());
 * ```
 */
export async function startSandbox({ port, forms = [], limits = false, log }: SandboxOptions = {}): Promise<Sandbox> {
  const service = await startService({
    ...(port !== undefined && { port }),
    forms: forms.reduce<Partial<Forms>>((all, form) => ({ ...all, ...parseForm(form) }), {}),
    ...(limits ? {} : { limits: false as const }),
    ...(log !== undefined && { log }),
  });
  const close = () => service.stop();
  return {
    ...service,
    hostPage: `${service.origin}/host`,
    accessToken: service.issueToken({ expiresInSeconds: 86_400 }).access_token,
    clientId: service.client.id,
    clientSecret: service.client.secret,
    fail: (fault) => service.faults.add(fault),
    close,
    [Symbol.asyncDispose]: close,
  };
}
