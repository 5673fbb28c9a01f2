import { createBooking, isCreate } from '../../../shared/operations/index.ts';
import type { Fault, Sandbox } from '../../../sandbox/service.ts';
import type { Operation } from '../../../shared/operations/define.ts';
import { formFields } from '../../../shared/operations/form.ts';
import { formFor, nowhere, somebody } from '../fixtures.ts';
import { nameOf, offered, requestsTo, requirement, told, type Requirement, type Stage, type Traits } from '../platform.ts';
import { madeWith, oneOf } from '../../support/wire.ts';

/** Every operation that changes something at the service. An operation added to the core is checked without a new line here. */
const writes: readonly Operation[] = offered.filter(({ effect }) => effect !== 'read');

let forms = 0;
/** A form that was never sent before, because what is remembered of one write must not affect another. */
const freshForm = (operation: Operation, sandbox: Sandbox): Record<string, unknown> => {
  forms += 1;
  const fresh: Partial<Record<string, () => string>> = {
    email: somebody,
    url: () => `${nowhere}write-${forms}`,
    dateTime: () => new Date(Date.UTC(2059, 3, forms, 15)).toISOString().replace('.000Z', 'Z'),
  };
  const form = formFor(operation, sandbox, false);
  const changed = formFields(operation.input).flatMap(({ key, control }) =>
    form[key] === undefined || fresh[control] === undefined ? [] : [[key, fresh[control]()]],
  );
  return { ...form, ...(Object.fromEntries(changed) as Record<string, unknown>) };
};

/** Everything that writes can change, as one text for each record. */
const recordsOf = (sandbox: Sandbox): Map<string, string> =>
  new Map([...sandbox.bookings(), ...sandbox.subscriptions()].map((record) => [record.id, JSON.stringify(record)]));

/** How many records were created, changed or removed. */
function changedSince(before: Map<string, string>, sandbox: Sandbox): number {
  const now = recordsOf(sandbox);
  return [...new Set([...before.keys(), ...now.keys()])].filter((id) => before.get(id) !== now.get(id)).length;
}

interface Evidence {
  /** How many records the service changed. */
  effects: number;
  /** How many requests the platform sent for the write. */
  requests: number;
  /** What the person saw: a record, or the message of a refusal. */
  told: Record<string, unknown> | string;
}

/** Runs a write with a fault on its own request, and returns the result. */
async function evidence(
  { sandbox, connection }: Stage,
  operation: Operation,
  fault?: Omit<Fault, 'route'> | ((form: Record<string, unknown>) => Omit<Fault, 'route'>),
): Promise<Evidence> {
  const endpoint = operation.endpoint;
  const fields = freshForm(operation, sandbox);
  const before = recordsOf(sandbox);
  sandbox.forgetRequests();
  sandbox.faults.clear();
  if (fault !== undefined) sandbox.faults.add({ route: endpoint, ...(typeof fault === 'function' ? fault(fields) : fault) });
  const said = await told(connection.runOperation(operation, { fields }));
  const requests = requestsTo(sandbox, endpoint).length;
  return { effects: changedSince(before, sandbox), requests, told: typeof said === 'string' ? said : (said[0] ?? {}) };
}

/** A requirement on every write that the platform offers. */
const onEvery = (id: string, traits: Traits, check: (stage: Stage, operation: Operation) => Promise<void>): Requirement =>
  requirement(`write:${id}`, traits, async (stage) => {
    for (const operation of writes.filter((each) => stage.platform.offers(each))) {
      try {
        await check(stage, operation);
      } catch (error) {
        throw new Error(`${nameOf(operation)}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }
  });

const mayOrMayNot = /may or may not/;

/** Whether the connector can find the result if the response was lost. A subscription's secret is shown only once, so it cannot. */
const isFindable = (operation: Operation): boolean => operation.secret === undefined;

/** A record in which the service has changed everything that it was sent. */
const inItsOwnWords = {
  id: 'own_1',
  status: 'ACCEPTED',
  invitee_email: 'other@example.net',
  invitee_name: 'LOVELACE, A.',
  url: 'https://x.example/',
};

/** A separate service, which allows several bookings at a time. */
const alone = { forms: { slots: 'shared' } } as const;

/** The same for requests of unknown outcome, whose effect the connector looks for repeatedly. */
const waiting = { alone, waits: true } as const;

export const writeEvidence: readonly Requirement[] = [
  onEvery('healthy:one-request-and-one-effect', { source: 'RFC 9110, 9.2.2' }, async (stage, operation) => {
    const { effects, requests, told } = await evidence(stage, operation);
    expect({ effects, requests, told: typeof told }).toEqual({ effects: 1, requests: 1, told: 'object' });
  }),
  onEvery('record-in-its-own-words:believed', { source: 'G43' }, async (stage, operation) => {
    const body = operation.secret === undefined ? oneOf(inItsOwnWords) : madeWith(inItsOwnWords, 'whsec_own');
    const { effects, requests, told } = await evidence(stage, operation, { kind: 'status', status: 200, body, commits: true });
    expect({ effects, requests }).toEqual({ effects: 1, requests: 1 });
    // A cancelled or deleted record has the requested id.
    if (isCreate(operation)) expect(told).toMatchObject({ id: 'own_1' });
  }),
  onEvery('answer-without-record:one-request', { source: 'G12' }, async (stage, operation) => {
    const { effects, requests, told } = await evidence(stage, operation, { kind: 'status', status: 204, body: '', commits: true });
    // A subscription is useless without its secret.
    expect(requests).toBe(1);
    if (isFindable(operation)) expect({ effects, told: typeof told }).toEqual({ effects: 1, told: 'object' });
    else expect(told).toContain(operation.secret);
  }),
  onEvery('answer-lost:done-once-and-told-so', { source: 'softonic/axios-retry#17', ...waiting }, async (stage, operation) => {
    const { effects, requests, told } = await evidence(stage, operation, { kind: 'drop-after' });
    expect(effects).toBe(1);
    expect(requests).toBeLessThanOrEqual(operation.isIdempotent === true ? 2 : 1);
    if (isFindable(operation)) expect(typeof told).toBe('object');
    else expect(told).toMatch(mayOrMayNot);
  }),
  onEvery(
    'request-lost:never-sent-twice-in-a-run-unless-that-is-harmless',
    { source: 'RFC 9110, 9.2.2', ...waiting },
    async (stage, operation) => {
      const { effects, requests, told } = await evidence(stage, operation, { kind: 'drop-before' });
      const isHeld = requests === 2;
      expect(requests).toBeLessThanOrEqual(2);
      expect(effects).toBe(isHeld ? 1 : 0);
      if (operation.isIdempotent === true) expect(isHeld).toBe(true);
      if (!isHeld) expect(told).toMatch(mayOrMayNot);
    },
  ),
  requirement(
    'write:request-lost-among-others:sent-by-a-later-try',
    { source: 'G29', ...waiting, uses: [createBooking] },
    async (stage) => {
      const { sandbox, connection } = stage;
      const form = freshForm(createBooking, sandbox);
      const weekly = Array.from({ length: 5 }, () => ({ ...form, start_time: freshForm(createBooking, sandbox)['start_time'] }));
      const start = String(weekly[2]?.start_time);
      const seat = (at: number) =>
        sandbox.host.book({ start_time: start, invitee_name: 'Somebody', invitee_email: `seat-${at}@example.net` });
      for (let count = 0; count < 40; count += 1) seat(count);
      for (const fields of weekly) {
        if (fields.start_time === start) sandbox.faults.add({ route: createBooking.endpoint, kind: 'drop-before' });
        const said = await told(connection.runOperation(createBooking, { fields }));
        if (typeof said === 'string') expect([fields.start_time, said]).toEqual([start, expect.stringMatching(mayOrMayNot)]);
      }
      const made = () =>
        sandbox
          .bookings()
          .flatMap((each) => (each.invitee_email === form['invitee_email'] ? [Date.parse(each.start_time)] : []))
          .sort();
      if (made().length < weekly.length)
        expect(await told(connection.runOperation(createBooking, { fields: { ...weekly[2] } }))).toHaveLength(1);
      expect(made()).toEqual(weekly.map((each) => Date.parse(String(each.start_time))));
      expect(requestsTo(sandbox, createBooking.endpoint)).toHaveLength(6);
    },
  ),
  onEvery("always-refused-with-500:the-service's-words", { source: 'section 7', alone }, async (stage, operation) => {
    const body = { error: 'Internal server error', message: 'The calendar is being moved' };
    const { effects, requests, told } = await evidence(stage, operation, { kind: 'status', status: 500, body, times: 'always' });
    expect(effects).toBe(0);
    expect(requests).toBeLessThanOrEqual(operation.isIdempotent === true ? 2 : 1);
    expect(told).toContain('The calendar is being moved');
    expect(told).toContain('500');
  }),
];

/** A service that heeds idempotency keys. */
const heeding = { source: 'G48', alone: { forms: { slots: 'shared', idempotencyKey: 'heeded' } } } as const;

/** The requirements on every write if `idempotencyKey.isHeeded` is true. */
export const keyEvidence: readonly Requirement[] = [
  onEvery('key-heeded-and-answer-lost:settled-by-one-repeat', heeding, async (stage, operation) => {
    const { effects, told } = await evidence(stage, operation, { kind: 'drop-after' });
    const made = requestsTo(stage.sandbox, operation.endpoint);
    const keys = made.map(({ headers }) => headers['idempotency-key']);
    const all = stage.sandbox.requests();
    const written = all.flatMap(({ headers }, index) => (headers['idempotency-key'] === undefined ? [] : [index]));
    expect({ effects, told: typeof told, sent: made.length }).toEqual({ effects: 1, told: 'object', sent: 2 });
    expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
    // Nothing is searched for between them.
    expect(all.slice(written[0], written.at(-1)).filter(({ method }) => method === 'GET')).toEqual([]);
    const again = await evidence(stage, operation);
    expect({ effects: again.effects, requests: again.requests }).toEqual({ effects: 1, requests: 1 });
    expect(requestsTo(stage.sandbox, operation.endpoint)[0]?.headers['idempotency-key']).not.toBe(keys[0]);
  }),
];
