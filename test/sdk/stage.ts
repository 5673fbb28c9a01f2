import { setTimeout as realSleep } from 'node:timers/promises';
import { operations, searches } from '../../shared/operations/index.ts';
import type { Client } from '../../sdk/client/api/methods.ts';
import type { ClientOptions } from '../../sdk/client/options.ts';
import { clientOf } from '../../sdk/client/methods.ts';
import { ownTime, type Time } from '../../sdk/time.ts';
import { createClient } from '../../sdk/index.ts';
import { createOAuth, memoryStore, type OAuth, type TokenStore } from '../../sdk/oauth/index.ts';
import { startSandbox, type EventType, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { typeNamed } from '../contract/fixtures.ts';

/** The core looks for a lost booking for half a minute. A faster clock makes it look as often, but wait less. */
export const fastTime: Time = {
  ...ownTime,
  sleep: (milliseconds, over) => realSleep(milliseconds / 25, undefined, { signal: over }),
};

export const redirectUri = 'http://localhost:9000/callback';

let days = 0;
/** A start that nobody else has booked. */
export const freeStart = (): string => new Date(Date.UTC(2059, 0, 6, 9) + 86_400_000 * (days += 1)).toISOString();

let people = 0;
/** A person who has not booked before. */
export const somebody = (): string => `guest-${(people += 1)}@example.com`;

/** A service, and what is seen of it. */
export class Visited {
  readonly sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  /** An event type without questions. */
  get coffee(): EventType {
    return typeNamed(this.sandbox, 'Coffee Chat');
  }

  /** A booking that nobody else has made. */
  get wanted() {
    return { event_type_id: this.coffee.id, start_time: freeStart(), invitee_name: 'Ada Lovelace', invitee_email: somebody() };
  }

  bookingsOf(email: string) {
    return this.sandbox.bookings().filter(({ invitee_email }) => invitee_email === email);
  }

  requestsTo(path: string) {
    return this.sandbox.requests().filter((request) => request.path === path);
  }
}

/** A service, and an application on the package that uses it. */
export class Stage extends Visited {
  private constructor(sandbox: Sandbox) {
    super(sandbox);
    sandbox.allowRedirect(redirectUri);
  }

  static async open(options: SandboxOptions = {}): Promise<Stage> {
    return new Stage(await startSandbox({ limits: false, ...options }));
  }

  close(): Promise<void> {
    return this.sandbox.stop();
  }

  token(given: Parameters<Sandbox['issueToken']>[0] = {}): string {
    return this.sandbox.issueToken(given).access_token;
  }

  client(options: Partial<ClientOptions> = {}): Client {
    return createClient({ auth: this.token(), baseUrl: this.sandbox.baseUrl, ...options });
  }

  /** The same with short waits. */
  hurriedClient(options: Partial<ClientOptions> = {}): Client {
    const given = { auth: this.token(), baseUrl: this.sandbox.baseUrl, ...options };
    return clientOf([...operations, ...searches], fastTime)(given);
  }

  get application() {
    const { client, baseUrl } = this.sandbox;
    return { clientId: client.id, clientSecret: client.secret, redirectUri, baseUrl };
  }

  oauth(more: Partial<Parameters<typeof createOAuth>[0]> = {}): OAuth {
    return createOAuth({ ...this.application, ...more });
  }

  /** A store whose access token has expired. */
  expiredStore(): TokenStore {
    const { access_token, refresh_token } = this.sandbox.issueToken({ expiresInSeconds: -1 });
    return memoryStore({ access_token, refresh_token });
  }
}

/** The error of a promise that fails. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => new Error(`Nothing failed, but this came: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
