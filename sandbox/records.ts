import { createHash, randomBytes } from 'node:crypto';
import type { EventName } from './events.ts';

export { EVENTS, type EventName } from './events.ts';

/** The records that the sandbox stores. Instants are ISO 8601 in UTC with milliseconds, so that they sort as text. */

export type Locale = 'en' | 'es' | 'fr';

const PLANS = { FREE: 'Free', PRO: 'Pro', BUSINESS: 'Business' } as const;

/** A plan's name for people: "Pro plan". */
export const planLabel = ({ plan }: Pick<Account, 'plan'>): string => `${PLANS[plan]} plan`;

/** The owner of everything else: section 1 of the public document. */
export interface Account {
  id: string;
  name: string;
  email: string;
  timezone: string;
  locale: Locale;
  plan: keyof typeof PLANS;
}

/** An application that may ask accounts for access (G32). Its secret is not hashed, because the sandbox prints it at every start. */
export interface RegisteredClient {
  id: string;
  name: string;
  /** Empty for a public client, such as a program that everybody can read (RFC 6749 section 2.1). PKCE protects its codes. */
  secret: string;
  redirectUris: string[];
}

/** One consent, given by one account to one client. Revoking it ends every token that came from it. */
export interface Grant extends Owned {
  client_id: string;
  /** The redirect address of the consent, because several applications may share one client. Absent if no person was asked. */
  redirect_uri?: string;
  scopes: string[];
  revoked_at: string | null;
}

/** A token, or an authorization code. Its id is the hash of what the client received. */
export interface Token {
  id: string;
  kind: 'access' | 'refresh' | 'code';
  grant_id: string;
  client_id: string;
  account_id: string;
  scopes: string[];
  /** The challenge of the authorization request, if the kind is `code`. */
  code_challenge?: string | null;
  expires_at: number | null;
  used: boolean;
}

export const QUESTION_TYPES = ['text', 'textarea', 'number', 'boolean', 'select', 'multiselect', 'phone', 'email', 'date'] as const;

export interface Question {
  key: string;
  label: string;
  type: (typeof QUESTION_TYPES)[number];
  required: boolean;
  options: string[];
}

/** A record that belongs to an account, and its time of creation. */
export interface Owned {
  id: string;
  account_id: string;
  created_at: string;
}

interface Changing extends Owned {
  updated_at: string;
}

export interface EventType extends Changing {
  name: string;
  slug: string;
  description: string;
  duration_minutes: number;
  active: boolean;
  requires_approval: boolean;
  location: string;
  questions: Question[];
}

export const BOOKING_STATUSES = ['CONFIRMED', 'CANCELLED', 'PENDING'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];
export type QuestionAnswer = string | number | boolean | string[];

export interface Booking extends Changing {
  status: BookingStatus;
  event_type_id: string;
  event_type_name: string;
  start_time: string;
  end_time: string;
  invitee_name: string;
  invitee_email: string;
  invitee_timezone: string;
  notes: string | null;
  question_responses: Record<string, QuestionAnswer>;
  locale: Locale;
  location: string;
  meeting_url: string | null;
  cancellation_reason: string | null;
  /** A request that the host denied. The API has the same status for it as for a cancelled booking (G21). */
  denied?: true;
  previous_start_time: string | null;
}

export interface Contact extends Changing {
  name: string;
  email: string;
  phone: string | null;
  timezone: string;
  locale: Locale;
  notes: string | null;
}

export interface Subscription extends Owned {
  /** The application that created it; absent if a host did. */
  client_id?: string;
  url: string;
  events: EventName[];
  active: boolean;
  /** null for a subscription older than signing: its deliveries are unsigned (section 6, rule 1). */
  signing_secret: string | null;
  /** The first failed try since the last accepted delivery; absent if none has failed. */
  failing_since?: string | null;
}

/** Section 8 limits the *active* subscriptions of an account, so paused ones do not count. */
export const ACTIVE_SUBSCRIPTIONS = "account = ? AND record ->> '$.active' = 1";

export interface DeliveryAttempt {
  at: string;
  /** The receiver's status, or null if there was no response. */
  status: number | null;
  /** The beginning of the response; absent if there was none. */
  answer?: string;
  error: string | null;
  took_ms: number;
}

export interface Delivery extends Owned {
  subscription_id: string;
  event: EventName;
  /** The booking or contact that it is about. The body may show its id in another form. */
  record_id?: string;
  url: string;
  /** The exact text that is signed and sent, the same at every try. */
  body: string;
  signed: boolean;
  /** `dropped`: its subscription was deleted before it arrived. */
  status: 'pending' | 'delivered' | 'failed' | 'dropped';
  attempts: DeliveryAttempt[];
  /** Milliseconds since the epoch; null if it will not be sent again. */
  next_attempt_at: number | null;
  /** Why it was given up, as the end of a sentence; absent if it was not given up. */
  given_up?: string | null;
}

/** The times of a new record, which has not changed yet. */
export const made = (created_at: string) => ({ created_at, updated_at: created_at });

/** @param ms milliseconds since the epoch */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id whose beginning shows its kind: `bkg_` and 16 characters (80 random bits). */
export function newId(prefix: 'acc' | 'bkg' | 'evt' | 'con' | 'sub' | 'dlv' | 'grt'): string {
  return `${prefix}_${[...randomBytes(16)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')}`;
}

/** A token, code or secret of 256 random bits, whose beginning makes leaked ones easy to find. */
export function newSecret(prefix: 'at' | 'rt' | 'code' | 'cs' | 'whsec'): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** The hash that the data file contains instead of a token, so that nobody can use what they read there. */
export function hashed(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
