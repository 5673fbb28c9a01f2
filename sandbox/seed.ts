import { brand } from '../shared/brand.ts';
import {
  type Account,
  type Booking,
  type BookingStatus,
  type Client,
  type EventType,
  instant,
  newId,
  newSecret,
  type Question,
} from './records.ts';
import { newBooking } from './scheduling.ts';
import type { Store } from './store.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Where the platforms on this machine receive the answer: a local n8n, and Zapier's command line tool. */
const REDIRECTS = [
  'http://localhost:5678/rest/oauth2-credential/callback',
  'http://127.0.0.1:5678/rest/oauth2-credential/callback',
  'http://localhost:9000',
  'http://localhost:9000/',
];

const question = (key: string, label: string, type: Question['type'], required = false, options: string[] = []): Question => ({
  key,
  label,
  type,
  required,
  options,
});

type Offered = Pick<EventType, 'name' | 'description' | 'duration_minutes' | 'location' | 'questions' | 'active' | 'requires_approval'>;

const eventType = (
  [name, duration_minutes, location, description]: [string, number, string, string],
  questions: Question[] = [],
  more: Partial<Offered> = {},
): Offered => ({ name, description, duration_minutes, location, active: true, requires_approval: false, questions, ...more });

const MADRID = 'Calle Mayor 5, Madrid';
const EVENT_TYPES: Offered[] = [
  eventType(
    ['Intro Call', 30, 'Video call', 'Half an hour to get to know each other.'],
    [question('topic', 'What would you like to talk about?', 'textarea')],
  ),
  eventType(
    ['Project Kick-off', 60, 'Video call', 'We agree on goals, dates and who does what.'],
    [
      question('company', 'Company', 'text', true),
      question('goals', 'What should the project achieve?', 'textarea'),
      question('team_size', 'How many people work on it?', 'number'),
      question('nda_signed', 'Is the confidentiality agreement signed?', 'boolean'),
      question('budget', 'Budget', 'select', true, ['Up to 5,000', '5,000 to 20,000', 'More than 20,000']),
      question('services', 'Which services do you need?', 'multiselect', false, ['Design', 'Development', 'Hosting', 'Support']),
      question('mobile', 'A phone number for the day', 'phone'),
      question('billing_email', 'Email address for invoices', 'email'),
      question('deadline', 'When must it be finished?', 'date'),
    ],
  ),
  eventType(
    ['Design Review', 45, 'Video call', 'A close look at your drafts. We confirm every request ourselves.'],
    [question('link', 'Link to the drafts', 'text', true)],
    { requires_approval: true },
  ),
  eventType(
    ['Support Session', 30, 'Phone', 'We solve one problem together.'],
    [question('phone', 'Phone number', 'phone', true), question('urgent', 'Is it urgent?', 'boolean')],
  ),
  eventType(['Coffee Chat', 15, 'Video call', 'A quarter of an hour, no agenda.']),
  eventType(
    ['Quarterly Review', 90, MADRID, 'Figures, plans and open questions of the quarter.'],
    [question('topics', 'Topics', 'multiselect', false, ['Figures', 'Roadmap', 'Contract'])],
  ),
  eventType(
    ['Workshop', 120, MADRID, 'Half a morning for the whole team.'],
    [question('people', 'Number of participants', 'number', true), question('day', 'Preferred day', 'date')],
    { requires_approval: true },
  ),
  eventType(['Podcast Recording', 60, 'Video call', 'The season is over.'], [], { active: false }),
];

const PEOPLE =
  `Ana Ruiz|Ben Okafor|Chloe Martin|David Kim|Elena Petrova|Farid Haddad|Grace Liu|Hugo Sanchez|Ines Costa|Jonas Weber|Kavya Rao|Liam Murphy|Marta Nowak|Noah Fischer|Olivia Brown|Pablo Torres
Quynh Tran|Rosa Bianchi|Samuel Mensah|Tomoko Sato|Ulrich Braun|Valeria Gomez|William Clark|Ximena Vega|Yusuf Demir|Zoe Laurent|Aisha Bello|Bruno Silva|Carmen Ortega|Dmitri Volkov`
    .split(/[|\n]/)
    .map((name) => ({ name, email: `${name.toLowerCase().replace(' ', '.')}@example.com` }));

const ZONES = ['Europe/Madrid', 'America/New_York', 'Asia/Tokyo', 'Europe/London', 'America/Mexico_City'];
const LOCALES = ['en', 'es', 'fr'] as const;

/** The account and the client that a fresh sandbox starts with, with bookings from four weeks ago to two weeks ahead. */
export function seed(store: Store, now: number): void {
  store.transaction(() => {
    store.clients.insert(newClient(`${brand.name} connector`, REDIRECTS));
    const account = addAccount(store, now, { name: 'Morgan Host', email: 'morgan@host.example', timezone: 'Europe/Madrid', locale: 'es' });
    addContacts(store, account, now);
    addBookings(store, account, now);
  });
}

export function newClient(name: string, redirectUris: string[]): Client {
  return {
    id: `${brand.slug}-${newSecret('cs')
      .slice(3, 11)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '0')}`,
    name,
    secret: newSecret('cs'),
    redirectUris,
  };
}

/** An account with the event types of the seed, and no bookings. */
export function addAccount(store: Store, now: number, given: Partial<Omit<Account, 'id'>> = {}): Account {
  const id = newId('acc');
  const account = store.accounts.insert({
    id,
    name: 'Alex Host',
    email: `${id}@host.example`,
    timezone: 'Europe/London',
    locale: 'en',
    plan: 'PRO',
    ...given,
  });
  const created_at = instant(now - 300 * DAY_MS);
  for (const offered of EVENT_TYPES) {
    store.eventTypes.insert({
      id: newId('evt'),
      account_id: id,
      slug: offered.name.toLowerCase().replaceAll(' ', '-'),
      ...offered,
      created_at,
      updated_at: created_at,
    });
  }
  return account;
}

function addContacts(store: Store, account: Account, now: number): void {
  for (const [index, { name, email }] of PEOPLE.entries()) {
    const created_at = instant(now - (120 - index) * DAY_MS);
    store.contacts.insert({
      id: newId('con'),
      account_id: account.id,
      name,
      email,
      phone: index % 3 === 0 ? `+34 600 000 ${String(100 + index)}` : null,
      timezone: ZONES[index % ZONES.length] ?? account.timezone,
      locale: LOCALES[index % LOCALES.length] ?? 'en',
      notes: index % 7 === 0 ? 'Prefers mornings.' : null,
      created_at,
      updated_at: created_at,
    });
  }
}

/** 28 in the last four weeks and 14 in the next two: never two on one day, and none today. */
function addBookings(store: Store, account: Account, now: number): void {
  const types = store.eventTypes.all({ where: 'account = ?', values: [account.id] }).filter(({ active }) => active);
  const days = Array.from({ length: 42 }, (_, index) => (index < 28 ? index - 28 : index - 27));
  for (const [index, day] of days.entries()) {
    const type = types[index % types.length];
    const person = PEOPLE[(index * 7) % PEOPLE.length];
    if (type === undefined || person === undefined) continue;
    const start = Math.floor((now + day * DAY_MS) / DAY_MS) * DAY_MS + (8 + (index % 8)) * 60 * 60_000;
    const status: BookingStatus = index % 9 === 4 ? 'CANCELLED' : type.requires_approval && day > 0 ? 'PENDING' : 'CONFIRMED';
    const made = instant(Math.min(start, now) - (3 + (index % 5)) * DAY_MS);
    store.bookings.insert({
      ...newBooking(type, start, made, {
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
