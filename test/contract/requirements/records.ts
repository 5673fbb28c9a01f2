import { findBooking, getBusyTimes, getManyBookings, operations } from '../../../shared/operations/index.ts';
import type { ServiceRecord } from '../../../shared/records/fields.ts';
import type { Operation } from '../../../shared/operations/define.ts';
import { offersSimplify } from '../../../n8n/adapter/simplification.ts';
import { formFields } from '../../../shared/operations/form.ts';
import { email, formFor, nowhere, start } from '../fixtures.ts';
import { nameOf, offered, requestsTo, requirement, type Requirement, type Stage } from '../platform.ts';
import { listOf, recordIn } from '../../support/wire.ts';

/** A record without the fields that differ from one booking or subscription to the next. */
const own = ({
  id: _,
  meeting_url: _url,
  reschedule_url: _reschedule,
  cancel_url: _cancel,
  booking_url: _page,
  created_at: _made,
  updated_at: _changed,
  signing_secret: _secret,
  ...rest
}: ServiceRecord): ServiceRecord => rest;

/** The requests that an operation sent to its own endpoint, without page size and cursor. */
function asked({ sandbox }: Stage, operation: Operation, fields: Readonly<Record<string, unknown>>) {
  const ids = Object.values(fields).filter((value): value is string => typeof value === 'string');
  return requestsTo(sandbox, operation.endpoint).map(({ path, query: { limit: _size, cursor: _place, ...query }, body }) => ({
    path: path
      .split('/')
      .map((part) => (ids.includes(part) ? ':id' : part))
      .join('/'),
    query,
    body,
  }));
}

/** Runs an operation on the core and the platform, and returns both results. A write gets a new form each time. */
async function both(stage: Stage, operation: Operation, { isWhole = false, isSimplified = false }) {
  const { sandbox, connection, core } = stage;
  // The person to find must exist.
  sandbox.host.book({ start_time: start, invitee_email: email });
  sandbox.host.addSecretlessSubscription({ url: `${nowhere}listed`, events: ['BOOKING_CREATED'] });
  const outcomes = [];
  const read = formFor(operation, sandbox, isWhole);
  for (const each of [core, connection]) {
    // A change by one must not affect the other's record.
    const fields = operation.effect === 'read' ? read : formFor(operation, sandbox, isWhole);
    sandbox.forgetRequests();
    const records = await each.runOperation(operation, { fields, isSimplified });
    const requests = asked(stage, operation, fields);
    outcomes.push({ records: operation.effect === 'read' ? records : records.map(own), requests });
  }
  const [expected, given] = outcomes;
  if (expected === undefined || given === undefined) throw new Error('Nothing was carried out.');
  return { expected, given };
}

const asTheCore = (operation: Operation, situation: string, isWhole: boolean) =>
  requirement(`${nameOf(operation)}:${situation}:as-the-core`, { source: 'section 4', uses: [operation] }, async (stage) => {
    const { expected, given } = await both(stage, operation, { isWhole });
    const { platform, sandbox } = stage;
    const shown = (record: ServiceRecord) => platform.shown?.(operation, record, sandbox) ?? record;
    expect(expected.records.length).toBeGreaterThan(0);
    expect(given.records).toEqual(expected.records.map(shown));
    expect(questions(operation, given.requests)).toEqual(questions(operation, expected.requests));
  });

/** A list takes one request per page, and lists are read in parallel: compare what was asked, not how often or in what order. */
const questions = <Request>({ yields }: Operation, requests: Request[]): unknown[] =>
  yields === 'many' ? [...new Set(requests.map((request) => JSON.stringify(request)))].sort() : requests;

/** A record as the service itself sends it. */
async function sent({ baseUrl, issueToken, ...sandbox }: Stage['sandbox'], operation: Operation, id: unknown): Promise<ServiceRecord> {
  const address = baseUrl + operation.endpoint.replace(/^GET \/v1/, '').replace(':id', String(id));
  const answer = await fetch(address, { headers: { authorization: `Bearer ${issueToken().access_token}`, connection: 'close' } });
  const record = recordIn<ServiceRecord | undefined>(await answer.json());
  if (record === undefined) throw new Error(`${address} answered with no record: ${sandbox.origin}`);
  return record;
}

const reads = offered.filter(({ effect, yields }) => effect === 'read' && yields === 'one');

/** More than two of the service's largest pages. */
const many = 230;

const bookMany = ({ host }: Stage['sandbox'], invitee_email?: string): void => {
  for (let at = 0; at < many; at += 1) host.book({ start_time: start, invitee_email: invitee_email ?? `guest-${at}@example.com` });
};

/** The lists without required fields: nothing is sorted or filtered, so the service's own cursor is used. */
const plainLists = operations.filter(({ yields, input }) => yields === 'many' && formFields(input).every(({ required }) => !required));

/** Requesting a page twice, or reading a list from its start for each page, would cost more. A cursor is sent back unchanged. */
const onePageOneRequest: Requirement = requirement(
  'lists:pages:one-request-each',
  { source: 'section 8', uses: plainLists, alone: { forms: { slots: 'shared', cursors: 'long' } } },
  async ({ sandbox, connection }) => {
    bookMany(sandbox);
    for (const operation of plainLists) {
      sandbox.forgetRequests();
      const found = await connection.runOperation(operation, { fields: {} });
      const requests = sandbox.requests().filter(({ path }) => path !== '/v1/me');
      const [size, ...otherSizes] = new Set(requests.map(({ query }) => Number(query['limit'])));
      const pages = Math.max(1, Math.ceil(found.length / (size ?? 0)));
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(pages).fill(operation.endpoint));
      if (operation === getManyBookings) expect(found).toHaveLength(sandbox.bookings().length);
      expect([otherSizes, new Set(found.map(({ id }) => id)).size]).toEqual([[], found.length]);
    }
  },
);

/** Times on a page that was not read would look free, and bookings on it as if they did not exist. */
const toTheLastPage: readonly Requirement[] = [getBusyTimes, findBooking].map((operation) =>
  requirement(
    `${nameOf(operation)}:many-pages:none-of-it-is-missing`,
    { source: 'G1', uses: [operation], alone: { forms: { slots: 'shared' } } },
    async ({ sandbox, connection }) => {
      bookMany(sandbox, email);
      const fields = operation === findBooking ? { email } : formFor(operation, sandbox, true);
      const found = await connection.runOperation(operation, { fields });
      expect(found.reduce((sum, { booking_count: count = 1 }) => sum + Number(count), 0)).toBe(many);
      expect(new Set(found.map((record) => JSON.stringify(record))).size).toBe(found.length);
    },
  ),
);

/** Records that the service sends although a filter excludes them are left out, without another request. */
const statusIgnored: Requirement = requirement(
  'lists:status-ignored:shows-that-status-alone',
  { source: 'section 4', uses: [getManyBookings], alone: {} },
  async ({ sandbox, connection }) => {
    const records = ['CONFIRMED', 'CANCELLED', 'PENDING', 'canceled'].map((status, index) => ({ id: `bkg_${index}`, status }));
    sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, body: listOf(records), times: 'always' });
    sandbox.forgetRequests();
    const found = await connection.runOperation(getManyBookings, { fields: { status: 'CANCELLED' } });
    expect(found.map(({ id }) => id)).toEqual(['bkg_1', 'bkg_3']);
    expect(requestsTo(sandbox, getManyBookings.endpoint)).toHaveLength(1);
  },
);

export const records: readonly Requirement[] = [
  ...reads.map((operation) =>
    requirement(
      `${nameOf(operation)}:record:all-that-the-service-sent`,
      { source: 'section 4', uses: [operation], needs: ['whole'] },
      async ({ sandbox, connection }) => {
        sandbox.host.book({ start_time: start, invitee_email: email });
        const fields = formFor(operation, sandbox, false);
        const [record] = await connection.runOperation(operation, { fields });
        expect(record).toMatchObject(await sent(sandbox, operation, Object.values(fields)[0]));
      },
    ),
  ),
  ...offered.flatMap((operation) => [asTheCore(operation, 'required-fields', false), asTheCore(operation, 'every-field', true)]),
  onePageOneRequest,
  ...toTheLastPage,
  statusIgnored,
  ...operations.filter(offersSimplify).map((operation) =>
    requirement(
      `${nameOf(operation)}:simplified:as-the-core`,
      { source: 'n8n: Simplify', uses: [operation], needs: ['simplified'] },
      async (stage) => {
        const { expected, given } = await both(stage, operation, { isSimplified: true });
        expect(given.records).toEqual(expected.records);
      },
    ),
  ),
];
