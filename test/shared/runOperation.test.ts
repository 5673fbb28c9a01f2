import { runOperation, type OperationInput } from '../../shared/operations/runOperation.ts';
import type { Transport } from '../../shared/client/transport.ts';
import { cancelBooking, createBooking, findBooking, getBooking, getManyBookings } from '../../shared/operations/index.ts';
import type { Operation } from '../../shared/operations/define.ts';
import { Runs } from '../../shared/writes/runs.ts';
import { heldStep } from '../support/heldStep.ts';
import { refusal } from '../support/refusal.ts';
import { clockOf, serve, type TestService } from '../support/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await serve({ limits: false });
});
afterEach(() => service.sandbox.stop());

const typeNamed = (name: string) => service.sandbox.eventTypes().find((each) => each.name === name);
const form = (change: Record<string, unknown> = {}) => ({
  event_type_id: typeNamed('Intro Call')?.id,
  start_time: '2030-02-06T09:00:00Z',
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.org',
  ...change,
});
/** A form for the event type that asks questions. */
const asked = (change: Record<string, unknown> = {}) =>
  form({ event_type_id: typeNamed('Project Kick-off')?.id, start_time: '2030-02-07T09:00:00Z', ...change });
const question = (type: string) => {
  const found = typeNamed('Project Kick-off')?.questions.find((each) => each.type === type);
  if (found === undefined) throw new Error(`The sandbox asks no question of type ${type}.`);
  return found;
};
/** An answer to every required question. */
const answers = () =>
  Object.fromEntries(
    (typeNamed('Project Kick-off')?.questions ?? [])
      .filter(({ required }) => required)
      .map(({ key, type, options }) => [
        key,
        type === 'number'
          ? 3
          : type === 'boolean'
            ? true
            : type === 'date'
              ? '2030-01-31'
              : type === 'select'
                ? options[0]
                : type === 'multiselect'
                  ? [options[0]]
                  : type === 'email'
                    ? 'a@example.com'
                    : type === 'phone'
                      ? '+4930123456'
                      : 'An answer',
      ]),
  );
const given = (operation: Operation, { fields, answers: inFields }: OperationInput, client = service.client) =>
  runOperation(client, operation, { fields, ...(inFields && { answers: inFields }) }, { shape: 'presented' });
const requests = (method: string, path: string) =>
  service.sandbox.requests().filter((each) => each.method === method && each.path.startsWith(path)).length;
const books = () => requests('POST', '/v1/bookings');
const typesRead = () => requests('GET', '/v1/event-types/');
const sent = () => service.sandbox.requests().findLast(({ method }) => method === 'POST')?.body as Record<string, unknown>;

describe('an item of a run that the host repeats', () => {
  const item = (run = new Runs().begin('execution 1', clockOf(service.sandbox))) => ({ run, name: '0 booking create' });

  it('returns what it did before, and does nothing again', async () => {
    const context = { shape: 'presented', item: item() } as const;
    const first = await runOperation(service.client, createBooking, { fields: form() }, context);
    expect(await runOperation(service.client, createBooking, { fields: form({ notes: 'at ten' }) }, context)).toEqual(first);
    expect(books()).toBe(1);
  });

  it('finds what its earlier try sent, although its values are different now', async () => {
    const client = service.clientWith({ writes: heldStep({ mayStoreContent: true }).writes(), patience: { readBackMs: [1000] } });
    service.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after' });
    service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 503, times: 'always' });
    const context = { shape: 'presented', item: item() } as const;
    await refusal(runOperation(client, createBooking, { fields: form() }, context));
    service.sandbox.faults.clear();
    const [record] = await runOperation(client, createBooking, { fields: form({ start_time: '2030-02-06T10:00:00Z' }) }, context);
    expect(record?.['start_time']).toMatch(/^2030-02-06T09:00/);
    expect(books()).toBe(1);
    // The open write was its own: another item of the run books for itself.
    service.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after' });
    service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 503, times: 'always' });
    const { run } = item();
    await refusal(
      runOperation(
        client,
        createBooking,
        { fields: form({ start_time: '2030-02-06T11:00:00Z' }) },
        { shape: 'presented', item: { run, name: '1' } },
      ),
    );
    service.sandbox.faults.clear();
    const [other] = await runOperation(
      client,
      createBooking,
      { fields: form({ start_time: '2030-02-06T12:00:00Z' }) },
      { shape: 'presented', item: { run, name: '2' } },
    );
    expect(other?.['start_time']).toMatch(/^2030-02-06T12:00/);
  });
});

it("a start without an offset is read in the platform's zone", async () => {
  await runOperation(
    service.client,
    createBooking,
    { fields: form({ start_time: '2030-02-06T09:00' }) },
    { shape: 'presented', timeZone: 'America/New_York' },
  );
  expect(sent()['start_time']).toBe('2030-02-06T14:00:00Z');
});

describe('a list', () => {
  const cut = async (operation: Operation, fields: Record<string, unknown>, limit?: number) => {
    const onCut = jest.fn();
    const records = await runOperation(service.client, operation, { fields }, { shape: 'simplified', limit, onCut });
    return [records.length, onCut.mock.calls.length];
  };

  it('that continues after the wanted number says so, once', async () => {
    const all = service.sandbox.bookings().length;
    expect(await cut(getManyBookings, {}, all - 1)).toEqual([all - 1, 1]);
    expect(await cut(getManyBookings, {}, all)).toEqual([all, 0]);
    expect(await cut(getManyBookings, {})).toEqual([all, 0]);
    expect(await runOperation(service.client, getManyBookings, { fields: {} }, { shape: 'simplified', limit: 2 })).toHaveLength(2);
  });

  it('of the best matches, and a single record, say nothing', async () => {
    expect(await cut(findBooking, { status: 'CONFIRMED' }, 1)).toEqual([1, 0]);
    expect(await cut(getBooking, { booking_id: service.sandbox.bookings()[0]?.id })).toEqual([1, 0]);
  });
});

describe('answers', () => {
  it('in fields of their own and by key are sent together, those in fields first', async () => {
    const [note, other] = [question('text'), question('textarea')];
    await given(createBooking, {
      fields: asked({ question_responses: JSON.stringify({ ...answers(), [note.key]: 'by key', [other.key]: 'by key' }) }),
      answers: { [note.key]: 'in its field' },
    });
    expect(sent()['question_responses']).toMatchObject({ [note.key]: 'in its field', [other.key]: 'by key' });
    expect(typesRead()).toBe(1);
  });

  it('by key alone, and in fields alone, are checked as well', async () => {
    const { key, label } = question('number');
    for (const form of [
      { fields: asked({ question_responses: { ...answers(), [key]: 'many' } }) },
      { fields: asked(), answers: { ...answers(), [key]: 'many' } },
    ]) {
      const error = await refusal(given(createBooking, form));
      expect([error.kind, error.message]).toEqual(['invalid', `The question "${label}" takes a number.`]);
    }
    expect(books()).toBe(0);
  });

  it('that are not an object are refused with the name of their field, before anything is sent', async () => {
    const error = await refusal(given(createBooking, { fields: asked({ question_responses: '[1]' }) }));
    expect(error.message).toBe('"Answers" is not an object.');
    expect(service.sandbox.requests()).toEqual([]);
  });

  it('that are empty ask for nothing and send nothing', async () => {
    for (const [hour, empty] of ['', '{}', {}, null, undefined].entries())
      await given(createBooking, {
        fields: form({ start_time: `2030-02-06T${10 + hour}:00:00Z`, question_responses: empty }),
        answers: {},
      });
    expect(typesRead()).toBe(0);
    expect(sent()).not.toHaveProperty('question_responses');
  });

  it('to an operation that has no questions are not looked at', async () => {
    const id = service.sandbox.bookings()[0]?.id;
    expect(await given(getBooking, { fields: { booking_id: id }, answers: { any: 'thing' } })).toMatchObject([{ id }]);
    expect(typesRead()).toBe(0);
  });

  it.each([403, 404, 503])('that nobody can check are sent unchanged: status %i', async (status) => {
    service.sandbox.faults.add({ route: 'GET /v1/event-types/:id', kind: 'status', status, times: 'always' });
    await given(createBooking, { fields: asked({ question_responses: answers() }) });
    expect(sent()['question_responses']).toEqual(answers());
  });
});

describe('a refusal of the service', () => {
  const refused = (fields: { field: string; message: string }[], status = 400) =>
    service.sandbox.faults.add({
      route: 'POST /v1/bookings',
      kind: 'status',
      status,
      body: { error: 'Refused', code: status === 400 ? 'VALIDATION_ERROR' : 'SLOT_UNAVAILABLE', details: fields },
    });

  it('for an unanswered question is explained in the words of the question', async () => {
    const error = await refusal(given(createBooking, { fields: asked() }));
    const [required] = (typeNamed('Project Kick-off')?.questions ?? []).filter((each) => each.required);
    expect(error.message).toContain(`"${required?.label}" is required`);
    expect(typesRead()).toBe(1);
  });

  it.each([
    ['the event type cannot be read', { status: 503, times: 'always' as const }],
    ['the event type may not be read', { status: 403 }],
  ])('is shown as it came if %s', async (_, fault) => {
    service.sandbox.faults.add({ route: 'GET /v1/event-types/:id', kind: 'status', ...fault });
    const error = await refusal(given(createBooking, { fields: asked() }));
    const [required] = (typeNamed('Project Kick-off')?.questions ?? []).filter((each) => each.required);
    expect(error).toMatchObject({ kind: 'invalid', status: 400 });
    expect(error.message).toContain(`"Answers" to "${required?.key}"`);
  });

  it('is shown as it came if no question was answered wrongly', async () => {
    refused([{ field: 'question_responses.company', message: 'is odd' }]);
    const error = await refusal(given(createBooking, { fields: form() }));
    expect(error.message).toContain('is odd');
    expect(typesRead()).toBe(1);
  });

  it.each([
    ['another field', 400, ['invitee_email']],
    ['a field that only begins alike', 400, ['question_responses_more']],
    ['a slot that is taken', 409, ['question_responses.company']],
  ])('for %s does not read the questions', async (_, status, fields) => {
    refused(
      fields.map((field) => ({ field, message: 'is odd' })),
      status,
    );
    await refusal(given(createBooking, { fields: form() }));
    expect(typesRead()).toBe(0);
  });

  it('for several fields, one of them a question, is explained in the words of the question', async () => {
    refused([
      { field: 'notes', message: 'is odd' },
      { field: `question_responses.${question('text').key}`, message: 'is required' },
    ]);
    const error = await refusal(given(createBooking, { fields: asked() }));
    expect(error.message).toMatch(/^The question ".+" is required/);
    expect(typesRead()).toBe(1);
  });

  it('for an operation without questions is shown as it came', async () => {
    service.sandbox.faults.add({
      route: 'POST /v1/bookings/:id/cancel',
      kind: 'status',
      status: 400,
      body: { error: 'Refused', code: 'VALIDATION_ERROR', details: [{ field: 'reason', message: 'is odd' }] },
    });
    const error = await refusal(
      given(cancelBooking, { fields: { booking_id: service.sandbox.bookings().find(({ status }) => status === 'CONFIRMED')?.id } }),
    );
    expect(error).toMatchObject({ kind: 'invalid', message: expect.stringContaining('is odd') as string });
  });

  it('for which the platform has an error of its own passes that on', async () => {
    const signal = new Error('refresh the token');
    const client = service.clientWith({
      transport: (inner) => (request) => (request.url.includes('/event-types/') ? Promise.reject(signal) : inner(request)),
    });
    await expect(given(createBooking, { fields: asked() }, client)).rejects.toBe(signal);
  });
});

describe('an earlier try that was left open', () => {
  /** Makes a booking whose answer is lost, and returns the client of the next run. */
  async function lost(kind: 'drop-after' | 'drop-before' = 'drop-after', transport: (inner: Transport) => Transport = (inner) => inner) {
    const { writes } = heldStep();
    const patience = { readBackMs: [1000, 32_000] };
    service.sandbox.faults.add({ route: 'POST /v1/bookings', kind });
    service.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 503, times: 'always' });
    await refusal(
      given(createBooking, { fields: asked({ question_responses: answers() }) }, service.clientWith({ writes: writes(), patience })),
    );
    service.sandbox.faults.clear();
    service.sandbox.forgetRequests();
    return service.clientWith({ writes: writes(), patience, transport });
  }
  const cannotRead = () => service.sandbox.faults.add({ route: 'GET /v1/event-types/:id', kind: 'status', status: 404, times: 'always' });

  it('is reported if its answers can no longer be checked', async () => {
    const client = await lost();
    cannotRead();
    expect(await given(createBooking, { fields: asked({ question_responses: answers() }) }, client)).toMatchObject([
      { invitee_email: 'ada@example.org', status: 'CONFIRMED' },
    ]);
    expect(books()).toBe(0);
  });

  it('is not asked about if the platform itself ends the step', async () => {
    const signal = new Error('refresh the token');
    const client = await lost(
      'drop-after',
      (inner) => (request) => (request.url.includes('/event-types/') ? Promise.reject(signal) : inner(request)),
    );
    await expect(given(createBooking, { fields: asked({ question_responses: answers() }) }, client)).rejects.toBe(signal);
    expect(service.sandbox.requests()).toEqual([]);
  });
});
