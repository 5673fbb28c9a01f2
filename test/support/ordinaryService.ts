import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type Client } from '../../shared/client/client.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { fetchTransport, testStart } from './service.ts';

type Row = Record<string, unknown>;

/** What an ordinary service does to what it is sent. */
export interface Habits {
  /** What it stores of a booking. */
  stored?: (sent: Row) => Row;
  /** What its lists show of a booking. */
  listed?: (booking: Row) => Row;
  /** Which bookings a list without a status holds. */
  unfiltered?: (booking: Row) => boolean;
  /** How its filter by email compares. By default letter by letter. */
  filter?: (stored: string, asked: string) => boolean;
  eventTypes?: readonly Row[];
  /** The host, as `GET /me` shows it. */
  me?: Row;
  contacts?: readonly Row[];
}

export interface OrdinaryService extends AsyncDisposable {
  client: Client;
  bookings: Row[];
  /** Makes a booking of what was sent, and stores it in the service's own way. */
  book(sent: Row): void;
  /** Each request, such as `GET /bookings?status=PENDING`, since they were last removed. */
  requests: string[];
}

/** A healthy service over real HTTP that stores and shows bookings in its own way, and loses nothing. */
export async function ordinaryService(habits: Habits = {}): Promise<OrdinaryService> {
  const { stored = (sent) => sent, listed = (row) => row, unfiltered = () => true, filter = (a, b) => a === b } = habits;
  const bookings: Row[] = [];
  const requests: string[] = [];
  const lists: Record<string, readonly Row[]> = { bookings, 'event-types': habits.eventTypes ?? [], contacts: habits.contacts ?? [] };

  const answer = (url: URL): { status: number; data: unknown } => {
    const [, , , name = '', id] = url.pathname.split('/');
    if (name === 'me') return habits.me === undefined ? { status: 404, data: undefined } : { status: 200, data: habits.me };
    const rows = lists[name] ?? [];
    if (id !== undefined) {
      const row = rows.find((each) => each['id'] === id || each['slug'] === id);
      return row === undefined ? { status: 404, data: undefined } : { status: 200, data: row };
    }
    const [email, status] = [url.searchParams.get('email'), url.searchParams.get('status')];
    const found = rows
      .filter((row) => (status === null ? unfiltered(row) : row['status'] === status))
      .filter((row) => email === null || filter(String(row['invitee_email'] ?? row['email']), email));
    return { status: 200, data: name === 'bookings' ? found.map(listed) : found };
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    url.searchParams.delete('limit');
    const { status, data } = answer(url);
    requests.push(`${request.method ?? ''} ${url.pathname.replace('/api/v1', '')}${decodeURIComponent(url.search)}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const client = createClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    retryPolicy: backgroundPolicy,
    clock: { now: () => testStart, sleep: () => Promise.resolve(), random: () => 0.5 },
    transport: fetchTransport('token'),
  });
  return {
    client,
    bookings,
    book: (sent) => void bookings.push(stored({ id: `bkg_${bookings.length}`, status: 'CONFIRMED', ...sent })),
    requests,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
