import { brand } from '../shared/brand.ts';
import { instant, made, newId, newSecret } from './records.ts';
import type { Account, Booking, BookingStatus, EventType, Question, RegisteredClient } from './records.ts';
import { DAY_MS, newBooking } from './scheduling.ts';
import written from './seed.json' with { type: 'json' };
import type { SandboxStore } from './store.ts';

/** The redirect addresses of platforms on this machine: a local n8n, and Zapier's command line tool. */
const REDIRECTS = [
  ...['localhost', '127.0.0.1'].map((host) => `http://${host}:5678/rest/oauth2-credential/callback`),
  ...['http://localhost:9000', 'http://localhost:9000/'],
];

type Offered = Pick<EventType, 'name' | 'description' | 'duration_minutes' | 'location' | 'active' | 'requires_approval' | 'questions'>;
const EVENT_TYPES = written.eventTypes as Offered[];

const PEOPLE = written.people.map((name) => ({ name, email: `${name.toLowerCase().replace(' ', '.')}@example.com` }));

const ZONES = ['Europe/Madrid', 'America/New_York', 'Asia/Tokyo', 'Europe/London', 'America/Mexico_City'];
const LOCALES = ['en', 'es', 'fr'] as const;

/** The account and the client that a fresh sandbox starts with, with bookings from four weeks ago to two weeks ahead. */
export function seed(store: SandboxStore, now: number): void {
  store.transaction(() => {
    store.clients.insert(newClient(`${brand.name} connector`, REDIRECTS));
    const account = addAccount(store, now, { name: 'Morgan Host', email: 'morgan@host.example', timezone: 'Europe/Madrid', locale: 'es' });
    addContacts(store, account, now);
    addBookings(store, account, now);
  });
}

export function newClient(name: string, redirectUris: string[]): RegisteredClient {
  return { id: `${brand.slug}-${newId('grt').slice(4, 12)}`, name, secret: newSecret('cs'), redirectUris };
}

/** An account with the event types of the seed, but no bookings. */
export function addAccount(store: SandboxStore, now: number, given: Partial<Omit<Account, 'id'>> = {}): Account {
  const id = newId('acc');
  const usual = { name: 'Alex Host', email: `${id}@host.example`, timezone: 'Europe/London', locale: 'en', plan: 'PRO' } as const;
  const account = store.accounts.insert({ id, ...usual, ...given });
  for (const offered of EVENT_TYPES) {
    const slug = offered.name.toLowerCase().replaceAll(' ', '-');
    store.eventTypes.insert({ id: newId('evt'), account_id: id, slug, ...offered, ...made(instant(now - 300 * DAY_MS)) });
  }
  return account;
}

function addContacts(store: SandboxStore, account: Account, now: number): void {
  for (const [index, { name, email }] of PEOPLE.entries()) {
    const phone = index % 3 === 0 ? `+34 600 000 ${String(100 + index)}` : null;
    const notes = index % 7 === 0 ? 'Prefers mornings.' : null;
    const [timezone = account.timezone, locale = 'en'] = [ZONES[index % ZONES.length], LOCALES[index % LOCALES.length]];
    const at = made(instant(now - (120 - index) * DAY_MS));
    store.contacts.insert({ id: newId('con'), account_id: account.id, name, email, phone, timezone, locale, notes, ...at });
  }
}

/** Adds 28 bookings in the last four weeks and 14 in the next two: never two on one day, and none today. */
function addBookings(store: SandboxStore, account: Account, now: number): void {
  const types = store.eventTypes.all({ where: 'account = ?', values: [account.id] }).filter(({ active }) => active);
  const days = Array.from({ length: 42 }, (_, index) => (index < 28 ? index - 28 : index - 27));
  for (const [index, day] of days.entries()) {
    const type = types[index % types.length];
    const person = PEOPLE[(index * 7) % PEOPLE.length];
    if (type === undefined || person === undefined) continue;
    const start = Math.floor((now + day * DAY_MS) / DAY_MS) * DAY_MS + (8 + (index % 8)) * 60 * 60_000;
    const status: BookingStatus = index % 9 === 4 ? 'CANCELLED' : type.requires_approval && day > 0 ? 'PENDING' : 'CONFIRMED';
    const at = instant(Math.min(start, now) - (3 + (index % 5)) * DAY_MS);
    store.bookings.insert({
      ...newBooking(type, start, at, {
        status,
        invitee_name: person.name,
        invitee_email: person.email,
        invitee_timezone: ZONES[index % ZONES.length] ?? account.timezone,
        notes: index % 4 === 0 ? 'Please send the agenda beforehand.' : null,
        question_responses: answersTo(type.questions),
        locale: LOCALES[index % LOCALES.length] ?? 'en',
      }),
      cancellation_reason: status === 'CANCELLED' ? 'Something came up' : null,
    });
  }
}

const ANSWERS: Record<Question['type'], (question: Question) => Booking['question_responses'][string]> = {
  text: ({ key }) => (key === 'link' ? 'https://drafts.example/brightside' : 'Brightside Studio'),
  textarea: () => 'A new website before the summer.',
  number: () => 12,
  boolean: () => true,
  select: ({ options }) => options[1] ?? '',
  multiselect: ({ options }) => options.slice(0, 2),
  phone: () => '+34 600 000 042',
  email: () => 'invoices@example.com',
  date: () => '2027-06-30',
};

/** An answer to each question. */
export function answersTo(questions: readonly Question[]): Booking['question_responses'] {
  return Object.fromEntries(questions.map((each) => [each.key, ANSWERS[each.type](each)]));
}
