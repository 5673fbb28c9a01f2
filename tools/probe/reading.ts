import type { RecordKind } from '../../shared/records/fields.ts';
import { asText } from '../../shared/values.ts';
import { type ReceivedRecord, canonical, fields, judgeRefusal, list, single } from './recognise.ts';
import { isSuccess, shapeOf, type Probing } from './wire.ts';

/** The most records that a page holds. */
const PAGE = 100;

const LISTS = [
  { path: '/bookings', record: 'booking' },
  { path: '/event-types', record: 'eventType' },
  { path: '/contacts', record: 'contact' },
  { path: '/hooks', record: 'subscription' },
] as const;

/** Everything that can be seen without changing anything. @returns the event types, which can be booked later */
export async function read(probing: Probing): Promise<ReceivedRecord[]> {
  const { findings, wire } = probing;
  const me = await wire('GET', '/me');
  if (me.status === 401 || me.status === 403)
    throw new Error(
      `GET /v1/me was refused with ${me.status}: the token is not valid here, or the account does not have the Pro plan. Nothing was checked.`,
    );
  const user = isSuccess(me) ? single(findings, 'user', me) : undefined;
  if (user !== undefined) fields(findings, 'user', user);
  else findings.differs('userRecord', `${me.request} was answered with ${me.status} and ${shapeOf(me.body)}`);

  const firsts = new Map<string, ReceivedRecord[]>();
  for (const { path, record } of LISTS) firsts.set(path, await oneList(probing, path, record));
  const [bookings = [], eventTypes = [], contacts = []] = LISTS.map(({ path }) => firsts.get(path));

  const bookingShown = await one(probing, '/bookings', 'booking', bookings[0]);
  if (bookingShown !== undefined) fields(findings, 'booking', bookingShown);
  const shown: ReceivedRecord[] = [];
  for (const eventType of eventTypes) shown.push((await one(probing, '/event-types', 'eventType', eventType)) ?? eventType);
  for (const eventType of shown) fields(findings, 'eventType', eventType);
  await one(probing, '/contacts', 'contact', contacts[0]);

  await listedBookings(probing, bookings, eventTypes);
  await dateFilters(probing, bookings);
  await emailFilter(probing, contacts);
  judgeRefusal(findings, await wire('GET', '/bookings/no-such-booking'), 'NOT_FOUND', 404);
  judgeRefusal(findings, await wire('GET', '/bookings', { query: { limit: '0' } }), 'VALIDATION_ERROR');
  const tooMany = await wire('GET', '/bookings', { query: { limit: '101' } });
  findings.judge('limitAbove', !isSuccess(tooMany), `a limit of 101 is answered with ${tooMany.status}`);
  judgeRefusal(findings, await wire('GET', '/me', { token: 'not-a-token' }), 'INVALID_TOKEN', 401);
  return shown;
}

/** A list, read whole and in pages of one, as raw records. What the core reads from it decides. */
async function oneList(probing: Probing, path: string, kind: RecordKind): Promise<ReceivedRecord[]> {
  const { findings, wire } = probing;
  const reply = await wire('GET', path, { query: { limit: '100' } });
  if (reply.status === 403) return [];
  const whole = list(findings, kind, reply);
  for (const raw of whole?.items.slice(0, 10) ?? []) fields(findings, kind, raw);
  if (whole !== undefined && whole.items.length > 1 && path !== '/hooks') {
    const first = list(findings, kind, await wire('GET', path, { query: { limit: '1' } }));
    if (first?.cursor === undefined)
      findings.differs(
        'listEnvelope',
        `GET /v1${path}?limit=1 names no next cursor although there are ${whole.items.length} records: the rest of a list could not be reached`,
      );
    else await secondPage(probing, path, kind, first.items[0], first.cursor);
  }
  return whole?.items ?? [];
}

async function secondPage(
  { findings, wire }: Probing,
  path: string,
  kind: RecordKind,
  first: ReceivedRecord | undefined,
  cursor: string,
): Promise<void> {
  const second = list(findings, kind, await wire('GET', path, { query: { limit: '1', cursor } }));
  const moved = second?.items[0] !== undefined && canonical(kind, second.items[0])['id'] !== (first && canonical(kind, first)['id']);
  if (!moved) findings.differs('listEnvelope', `the cursor of GET /v1${path} does not lead to a second page`);
}

async function one(
  { findings, wire }: Probing,
  path: string,
  kind: RecordKind,
  listed: ReceivedRecord | undefined,
): Promise<ReceivedRecord | undefined> {
  if (listed === undefined) return undefined;
  const reply = await wire('GET', `${path}/:id`, { id: asText(canonical(kind, listed).id) });
  return isSuccess(reply) ? single(findings, kind, reply) : undefined;
}

/** Whether a list without `status` leaves out bookings, and whether inactive event types are listed (G42). */
async function listedBookings(
  { findings, wire }: Probing,
  all: readonly ReceivedRecord[],
  eventTypes: readonly ReceivedRecord[],
): Promise<void> {
  // Of more than one page, what is left out is not known.
  if (all.length < PAGE) {
    const known = new Set(all.map(idOf));
    for (const status of ['CONFIRMED', 'PENDING', 'CANCELLED']) {
      const found = list(findings, 'booking', await wire('GET', '/bookings', { query: { status, limit: String(PAGE) } }));
      const missing = found?.items.filter((each) => !known.has(idOf(each))).length ?? 0;
      findings.judge(
        'listedBookings',
        missing === 0,
        'a list without `status` leaves no booking out',
        `a list without \`status\` leaves out ${missing} ${status} bookings`,
      );
    }
  }
  if (eventTypes.some((each) => canonical('eventType', each)['active'] === false))
    findings.note('listedBookings', 'as assumed', 'inactive event types are listed');
}

/** The parameters that filter bookings by date, if any (G46): after the end of time, there is no booking. */
async function dateFilters({ findings, wire }: Probing, bookings: readonly ReceivedRecord[]): Promise<void> {
  if (bookings.length === 0) return;
  for (const name of ['from', 'after', 'start_after']) {
    const reply = await wire('GET', '/bookings', { query: { [name]: '9999-01-01T00:00:00Z', limit: '1' } });
    const works = isSuccess(reply) && list(findings, 'booking', reply)?.items.length === 0;
    findings.judge('dateFilters', !works, `\`${name}\` filters nothing`, `\`${name}\` filters bookings`);
  }
}

const idOf = (raw: ReceivedRecord): string => asText(canonical('booking', raw)['id']);

/** Whether part of an address finds its contact (G30). */
async function emailFilter({ findings, wire }: Probing, contacts: readonly ReceivedRecord[]): Promise<void> {
  const email = asText(contacts[0]?.['email']);
  if (email === '') return;
  const matches = async (wanted: string): Promise<boolean> => {
    const found = list(findings, 'contact', await wire('GET', '/contacts', { query: { email: wanted, limit: '100' } }));
    return found?.items.some((each) => asText(each['email']).toLowerCase() === email.toLowerCase()) ?? false;
  };
  const isFound = await matches(email);
  findings.must('emailFilter', isFound, 'a contact is found by its email address', 'a contact is not found by its own email address');
  if (!(await matches(email.toUpperCase())))
    findings.alsoRead('emailFilter', 'case matters: a search by an address in a different case finds nothing');
  if (await matches(email.slice(0, Math.ceil(email.length / 2)))) findings.alsoRead('emailFilter', 'a part of an address finds it too');
}
