import type { Fault } from './faultKinds.ts';
import type { Account, Booking, Delivery, EventType } from './records.ts';
import { parseForm, startSandbox as startService, type Forms } from './service.ts';

export type { Fault, FaultKind } from './faultKinds.ts';
export type { Account, QuestionAnswer, DeliveryAttempt, Booking, Delivery, EventName, EventType } from './records.ts';

export interface SandboxOptions {
  /** The port on this machine. Default: any free one. */
  port?: number;
  /** Other answers and habits of the service, such as `'listLag=45s'`. `npx <package> --help` lists them. */
  forms?: readonly string[];
  /** Whether the service's rate limits apply. Default: no. */
  limits?: boolean;
  /** Takes a line for each delivery. It never contains a token or a signing secret. */
  log?: (line: string) => void;
}

/** What an invitee enters. Missing values are filled in: an event type without required questions, and its next free time. */
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

/** What a host and invitees do on the service's own pages. Each action sends its deliveries. */
export interface Host {
  book(booking?: NewBooking): Booking;
  reschedule(bookingId: string, to: { start_time: string }): Booking;
  approve(bookingId: string): Booking;
  deny(bookingId: string, options?: { reason?: string }): Booking;
  cancel(bookingId: string, options?: { reason?: string }): Booking;
}

/** A running sandbox, with its data in memory. */
export interface Sandbox extends AsyncDisposable {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string;
  /** The page on which a host sees and does everything, for your browser. */
  readonly hostPage: string;
  /** The test account, on the Pro plan, with bookings from four weeks ago to two weeks ahead. */
  readonly account: Account;
  /** For the test account, with every permission. Valid for a day. */
  readonly accessToken: string;
  /** For an application that connects accounts itself. `http://localhost:9000` is registered as redirect address. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Registers one more redirect address. */
  allowRedirect(address: string): void;
  /** More tokens of the test account, such as expired ones. */
  issueToken(options?: { scopes?: string[]; expiresInSeconds?: number }): { access_token: string; refresh_token: string };
  readonly host: Host;
  eventTypes(): EventType[];
  /** Everything that was sent to subscriptions, with each try and its answer. */
  deliveries(): Delivery[];
  /** Makes the next request of a route fail, or several. */
  fail(fault: Fault): void;
  /** Resolves when no delivery is being sent or due. Deliveries that wait for their next try keep waiting. */
  settled(): Promise<void>;
  /** Moves the clock forward, and sends what becomes due. Milliseconds. */
  forward(milliseconds: number): Promise<void>;
  /** Puts the data back as it was at the start, without subscriptions and faults. Address, client and tokens stay valid. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a stand-in for the service on this machine, for tests. It was made from the service's public document alone. It delivers to this
 * machine only.
 *
 * @throws an error if the port is taken, or there is no such form
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
