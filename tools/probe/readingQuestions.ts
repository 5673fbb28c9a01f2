import { oauthEndpoints, refreshExchange } from '../../shared/oauth/oauth.ts';
import { asText, isObject } from '../../shared/values.ts';
import { canonical, idOf } from './answers.ts';
import { type Ask, type Asking, differs, isSuccess, type Question, type ReceivedRecord, type Reply, type Seen } from './asking.ts';
import { sent } from './tokenQuestions.ts';

export const get = (path: string, query?: Record<string, string>, more: Partial<Ask> = {}): Ask => ({
  what: `GET ${path}`,
  ...(query && { query }),
  ...more,
});

/** The maximum number of records on a page. */
const PAGE = '100';

/** The first page of a list. */
const listed = ({ replies }: Seen, path: string): ReceivedRecord[] => replies.find(({ ask }) => ask.what === `GET ${path}`)?.items ?? [];

/** The event types, as a read by id shows them if there was one. */
export const eventTypes = (seen: Seen): ReceivedRecord[] =>
  listed(seen, '/event-types').map((each) => {
    const id = idOf('eventType', each);
    return seen.replies.find(({ ask }) => ask.what === 'GET /event-types/:id' && ask.id === id)?.record ?? each;
  });

const showsContact = ({ items = [] }: Reply, seen: Seen): boolean =>
  items.some((each) => asText(each['email']).toLowerCase() === asText(listed(seen, '/contacts')[0]?.['email']).toLowerCase());

/** A search for a contact by its address, or by a changed form of it. */
const searched = (change: (email: string) => string, says: (isFound: boolean) => ReturnType<NonNullable<Question['says']>>): Question => ({
  ask: (seen) => {
    const email = asText(listed(seen, '/contacts')[0]?.['email']);
    return email === '' ? undefined : get('/contacts', { email: change(email), limit: PAGE });
  },
  says: (reply, seen) => says(showsContact(reply, seen)),
});

/** Everything that can be checked without changing anything. */
export const reading: readonly Question[] = [
  {
    ask: () => get('/me'),
    says: ({ status, record, request }) => {
      if (status === 401 || status === 403)
        throw new Error(
          `${request} was refused with ${status}: the token is not valid here, or the account does not have the Pro plan. Nothing was checked.`,
        );
      return [record === undefined && differs('userRecord')];
    },
  },
  ...['/bookings', '/event-types', '/contacts', '/hooks'].map((path): Question => ({ ask: () => get(path, { limit: PAGE }) })),
  // Two pages of one record.
  ...['/bookings', '/event-types', '/contacts'].map(
    (path): Question => ({
      *ask(seen): Asking {
        if (listed(seen, path).length < 2) return;
        const { cursor } = yield get(path, { limit: '1' });
        if (cursor !== undefined) yield get(path, { limit: '1', cursor });
      },
      says: ({ ask, request, items: [item] = [], cursor }, { replies }) => {
        const isMoved = item !== undefined && JSON.stringify(item) !== JSON.stringify(replies.at(-2)?.items?.[0]);
        const none = `${request} names no next cursor although there are more records: the rest of a list could not be reached`;
        return ask.query?.['cursor'] === undefined
          ? [cursor === undefined && differs('listEnvelope', none)]
          : [!isMoved && differs('listEnvelope', `the cursor of GET /v1${path} does not lead to a second page`)];
      },
    }),
  ),
  {
    *ask(seen) {
      for (const each of listed(seen, '/bookings').slice(0, 1)) yield get('/bookings/:id', undefined, { id: idOf('booking', each) });
      for (const each of listed(seen, '/contacts').slice(0, 1)) yield get('/contacts/:id', undefined, { id: idOf('contact', each) });
      for (const each of listed(seen, '/event-types')) yield get('/event-types/:id', undefined, { id: idOf('eventType', each) });
    },
    says: (_, seen) => {
      const isInactive = (each: ReceivedRecord) => canonical('eventType', each).active === false;
      return [listed(seen, '/event-types').some(isInactive) && ['listedBookings', true, 'inactive event types are listed']];
    },
  },
  ...['CONFIRMED', 'PENDING', 'CANCELLED'].map(
    (status): Question => ({
      // If there is more than one page, it is unknown which bookings a list leaves out.
      ask: (seen) => (listed(seen, '/bookings').length < Number(PAGE) ? get('/bookings', { status, limit: PAGE }) : undefined),
      says: ({ items = [] }, seen) => {
        const all = new Set(listed(seen, '/bookings').map((each) => idOf('booking', each)));
        const missing = items.filter((each) => !all.has(idOf('booking', each))).length;
        const otherwise = `a list without \`status\` leaves out ${missing} ${status} bookings`;
        return [['listedBookings', missing === 0, 'a list without `status` leaves no booking out', otherwise]];
      },
    }),
  ),
  // No booking starts this late, so a filter that works finds nothing.
  ...['from', 'after', 'start_after'].map(
    (name): Question => ({
      ask: (seen) =>
        listed(seen, '/bookings').length === 0
          ? undefined
          : get('/bookings', { [name]: '9999-01-01T00:00:00Z', limit: '1' }, { trial: true }),
      says: ({ items }) => [['dateFilters', items?.length !== 0, `\`${name}\` filters nothing`, `\`${name}\` filters bookings`]],
    }),
  ),
  searched(
    (email) => email,
    (isFound) => [
      ['emailFilter', isFound, 'a contact is found by its email address', 'a contact is not found by its own email address', 'differs'],
    ],
  ),
  searched(
    (email) => email.toUpperCase(),
    (isFound) => [!isFound && ['emailFilter', false, 'case matters: a search by an address in a different case finds nothing']],
  ),
  searched(
    (email) => email.slice(0, Math.ceil(email.length / 2)),
    (isFound) => [isFound && ['emailFilter', false, 'a part of an address finds it too']],
  ),
  { ask: () => get('/bookings/no-such-booking', undefined, { refused: 'NOT_FOUND' }) },
  { ask: () => get('/bookings', { limit: '0' }, { refused: 'VALIDATION_ERROR' }) },
  { ask: () => get('/me', undefined, { token: 'not-a-token', refused: 'INVALID_TOKEN' }) },
  { ask: () => get('/bookings', { limit: '101' }, { trial: true }), says: (reply) => [['limitAbove', !isSuccess(reply)]] },
  // Whether the addresses of the consent page and of the token endpoint exist. This needs no connection and changes nothing.
  {
    ask: ({ baseUrl }) => {
      const { authorizeUrl } = oauthEndpoints(baseUrl);
      const url = `${authorizeUrl}?response_type=code&client_id=probe&redirect_uri=https://example.invalid/`;
      return { what: `GET ${new URL(authorizeUrl).pathname}`, elsewhere: { url, method: 'GET', headers: { connection: 'close' } } };
    },
    says: ({ status, body }) => {
      const isPage = typeof body === 'string' && /<html/i.test(body) && ![404, 405].includes(status);
      return [['oauthAddresses', isPage || (status >= 300 && status < 400), 'the consent page answers', undefined, 'differs']];
    },
  },
  {
    ask: ({ baseUrl }) => sent(refreshExchange({ baseUrl, clientId: 'probe', clientSecret: 'probe' }, 'none')),
    says: ({ status, body }) => {
      const isRefused = status >= 400 && status < 500 && status !== 404 && isObject(body) && typeof body['error'] === 'string';
      return [['oauthAddresses', isRefused, 'the token address refuses an unknown client', undefined, 'differs']];
    },
  },
];
