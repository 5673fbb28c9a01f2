import { fieldsOf, Mapped, samplesOf } from '../support/zapierForm.ts';
import type { OutputField } from './definition.ts';
import { book, calls, find, introCall, onStage, refused, typeNamed } from './stage.ts';

const stage = onStage();
const question = (key: string) => `question_responses_${key}`;

describe("the chosen event type's questions", () => {
  it('are asked as fields with their required flags, in a group of their own, which Zapier does not convert', async () => {
    const fields = await fieldsOf(stage.zapier, 'creates.create_booking', { event_type_id: typeNamed(stage, 'Project Kick-off') });
    const asked = fields.filter(({ key }) => key.startsWith(question('')));
    expect(asked.map(({ key, type, list, required }) => [key.slice(question('').length), type, list ?? false, required])).toEqual([
      ['company', 'string', false, true],
      ['goals', 'text', false, false],
      ['team_size', 'string', false, false],
      ['nda_signed', 'string', false, false],
      ['budget', 'string', false, true],
      ['services', 'string', true, false],
      ['mobile', 'string', false, false],
      ['billing_email', 'string', false, false],
      ['deadline', 'string', false, false],
    ]);
    expect(asked.every(({ group, helpText }) => group === 'questions' && helpText === undefined)).toBe(true);
    const budget = asked.find(({ key }) => key === question('budget'))?.choices as { value: string }[];
    expect(budget.map(({ value }) => value)).toEqual(['Up to 5,000', '5,000 to 20,000', 'More than 20,000']);
    // Nothing is asked of the service before a type is chosen.
    stage.sandbox.forgetRequests();
    for (const none of [undefined, '', ['evt_1']]) await fieldsOf(stage.zapier, 'creates.create_booking', { event_type_id: none });
    expect(stage.sandbox.requests()).toEqual([]);
  });

  it.each([
    ['{{77251676__id}}', 'The event type comes from an earlier step.', 0],
    ['evt_{{77251676__id}}', 'The event type comes from an earlier step.', 0],
    ['evt_gone', '"evt_gone" was not found.', 2],
    ['evt 1', '"evt 1" was not found.', 2],
    ['../me', '"../me" cannot be an id.', 0],
  ])('of %j are none, but the form opens, says why, and has a field for other answers', async (event_type_id, why, requests) => {
    stage.sandbox.forgetRequests();
    const fields = await fieldsOf(stage.zapier, 'creates.create_booking', { event_type_id });
    const shown = fields.filter(({ group }) => group === 'questions');
    expect(shown).toMatchObject([
      { key: 'questions_note', type: 'copy', helpText: expect.stringContaining(why) as unknown },
      { key: 'question_responses', label: 'Other Answers' },
    ]);
    expect(shown[0]?.helpText).toMatch(/ No questions are shown\. If it asks any, use "Other Answers"\.$/);
    const outputs = await stage.zapier.invoke('creates.create_booking.operation.outputFields', { inputData: { event_type_id } });
    expect(JSON.stringify(outputs)).not.toContain('answers__');
    expect(stage.sandbox.requests()).toHaveLength(requests);
  });

  it.each([
    ['deadline', '2030-01-31T00:00:00Z', '2030-01-31'],
    ['deadline', '2030-01-31', '2030-01-31'],
    ['company', '12345678901234567890', '12345678901234567890'],
    ['team_size', '7', 7],
    ['nda_signed', 'No', false],
    ['nda_signed', 'TRUE', true],
    ['nda_signed', '', undefined],
  ])('are answered in the type of the question: %s with %j', async (key, given, sent) => {
    const answers = { [question('company')]: 'Globex', [question('budget')]: 'Up to 5,000', [question(key)]: given };
    const made = await book(stage, introCall(stage, { event_type_id: typeNamed(stage, 'Project Kick-off'), ...answers }));
    expect((made['answers'] as Record<string, unknown>)[key]).toEqual(sent);
  });

  it.each([
    ['deadline', '05/06/2026', 'takes a date such as 2030-01-31'],
    ['team_size', 'many', 'takes a number'],
    ['nda_signed', 'perhaps', 'takes yes or no'],
    ['company', ' ', 'is required'],
  ])('are refused in the words of the question where Zapier would have changed them: %s with %j', async (key, given, words) => {
    const answers = { [question('company')]: 'Globex', [question('budget')]: 'Up to 5,000', [question(key)]: given };
    const raw = introCall(stage, { event_type_id: typeNamed(stage, 'Project Kick-off'), ...answers });
    await refused(book(stage, raw), 'AppError', 'The question "', words);
  });

  it('label the answers in the output, each with a sample', async () => {
    const inputData = { event_type_id: typeNamed(stage, 'Project Kick-off') };
    const outputs = (await stage.zapier.invoke('creates.create_booking.operation.outputFields', { inputData })) as OutputField[];
    expect(outputs).toContainEqual({ key: 'answers__budget', label: 'Budget', sample: 'Up to 5,000' });
    // The samples are answers that the service takes.
    const samples = new Map(
      outputs.filter(({ sample }) => sample !== undefined).map(({ key, sample }) => [key.split('__')[1] ?? '', sample]),
    );
    const inFields = Object.fromEntries([...samples].map(([key, sample]) => [question(key), sample]));
    const made = await book(stage, introCall(stage, { ...inputData, ...inFields }));
    expect([samples.size, made['answers']]).toEqual([9, Object.fromEntries(samples)]);
  });
});

it('what the editor asks for is refused in words, without the bundle, if it cannot be read', async () => {
  const fault = { kind: 'status', status: 422, body: { error: 'Not now' }, times: 'always' } as const;
  stage.sandbox.faults.add({ route: 'GET /v1/bookings', ...fault });
  stage.sandbox.faults.add({ route: 'GET /v1/event-types/:id', ...fault, status: 409 });
  const { zapier } = stage;
  for (const asked of [
    () => samplesOf(zapier, 'booking_created'),
    () => fieldsOf(zapier, 'creates.create_booking', { event_type_id: typeNamed(stage, 'Intro Call') }),
  ])
    expect((await refused(asked(), 'AppError', 'Not now')).raw).not.toContain('with bundle');
});

it('text with curly braces is sent as it was typed, and is no placeholder', async () => {
  const notes = 'Dear {{name}}, see {{bundle.authData.access_token}} and {{process.env.CLIENT_SECRET}}';
  expect((await book(stage, introCall(stage, { notes })))['notes']).toBe(notes);
});

it("a start without an offset that Zapier did not read is read in the Zap's zone, by an action and by a search", async () => {
  const inputData = introCall(stage);
  const start = Date.parse(`${String(inputData['start_time'])}Z`);
  const made = (await stage.zapier.invoke('creates.create_booking.operation.perform', { inputData })) as Record<string, string>;
  expect([4, 5]).toContain((Date.parse(made['start_time'] ?? '') - start) / 3_600_000);
  const found = await stage.zapier.invoke('searches.find_booking.operation.perform', {
    inputData: { start_time: inputData['start_time'] },
  });
  expect(found).toMatchObject({ results: [{ id: made['id'] }] });
});

it('a lost booking whose token ends is not refreshed and run again, nor held where nothing can be kept', async () => {
  stage.sandbox.forgetRequests();
  stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after' });
  stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 401, times: 'always' });
  stage.zapier.backend.cache.available = false;
  const raw = introCall(stage, { invitee_email: 'unsure@example.com' });
  try {
    await refused(book(stage, raw), 'AppError', 'may or may not exist', 'before you try again');
  } finally {
    stage.zapier.backend.cache.available = true;
  }
  expect(calls(stage, 'POST', '/v1/bookings')).toHaveLength(1);
});

/** Refuses every request to book, in this way. */
const refuseBookings = (status: number, body: unknown, headers?: Record<string, string>): void =>
  stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status, body, ...(headers && { headers }), times: 'always' });

describe('the class of the error in which a booking ends decides what Zapier does', () => {
  it('a time that is taken stops this run, and does not count as an error of the Zap', async () => {
    const raw = introCall(stage);
    await book(stage, raw);
    const taken = book(stage, { ...raw, invitee_email: 'grace@example.com' });
    const { raw: told } = await refused(taken, 'HaltedError', 'That time is not free for this event type', 'Choose another start.');
    expect(told).not.toContain('with bundle');
  });

  it('so does one that another service refuses in its own words', async () => {
    refuseBookings(422, { error: 'This time is no longer available' });
    await refused(book(stage, introCall(stage)), 'HaltedError');
  });

  it.each<{ kind: string; status: number; body: object; headers?: Record<string, string> }>([
    { kind: 'AppError', status: 422, body: { error: 'The email is already taken' } },
    { kind: 'AppError', status: 403, body: { code: 'INSUFFICIENT_SCOPE' } },
    { kind: 'AppError', status: 403, body: { code: 'PLAN_REQUIRED' } },
    { kind: 'AppError', status: 404, body: { code: 'NOT_FOUND' } },
    { kind: 'ThrottledError', status: 429, body: { code: 'RATE_LIMITED' }, headers: { 'retry-after': '600' } },
    { kind: 'AppError', status: 503, body: { code: 'INTERNAL_ERROR' } },
    { kind: 'RefreshAuthError', status: 401, body: { code: 'INVALID_TOKEN' } },
  ])('$kind: $status $body', async ({ kind, status, body, headers }) => {
    refuseBookings(status, body, headers);
    await refused(book(stage, introCall(stage)), kind);
  });

  it('ThrottledError: a lost answer, so that the step looks again', async () => {
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before', times: 'always' });
    await refused(book(stage, introCall(stage)), 'ThrottledError', 'may or may not exist');
  });

  it('AppError: what is entered is wrong, or not there', async () => {
    await refused(book(stage, introCall(stage, { invitee_email: 'ada' })), 'AppError', 'is not an email address');
    await refused(book(stage, introCall(stage, { event_type_id: 'evt_none' })), 'AppError', 'there is no event type evt_none');
    const named = `"intro call" is the name of an event type, whose ID is "${typeNamed(stage, 'Intro Call')}".`;
    await refused(book(stage, introCall(stage, { event_type_id: 'intro call' })), 'AppError', named);
  });
});

describe('a search field that is mapped to something empty', () => {
  const empty = new Mapped('');
  const sentence =
    '"Invitee Email" is set, but it is empty, so it would filter nothing. Fill it in, or remove the field to get everything.';

  it('stops the step without an error, whatever else is searched for', async () => {
    for (const others of [{}, { status: 'CONFIRMED', start_time: '2059-03-03T09:00:00Z' }])
      for (const email of [empty, new Mapped(undefined), new Mapped(' \u200b')]) {
        const { raw } = await refused(find(stage, 'booking', { ...others, email }), 'HaltedError', sentence);
        expect(raw).not.toContain('with bundle');
      }
  });

  it('is another thing than one that nobody touched', async () => {
    const { id, invitee_email: email } = stage.sandbox.host.book({ invitee_email: 'touched@example.com' });
    for (const untouched of [{}, { status: '' }, { status: undefined, event_type_id: '' }])
      expect((await find(stage, 'booking', { ...untouched, email }))[0]).toMatchObject({ id });
    await refused(find(stage, 'booking', { email: '' }), 'AppError', 'Enter at least one search field.');
  });

  it('stops find or create too: it finds no stranger in the slot, and books nothing', async () => {
    const raw = introCall(stage);
    await book(stage, raw);
    const before = stage.sandbox.bookings().length;
    for (const more of [{}, { email: empty }, { invitee_name: empty }, { invitee_name: empty, email: empty, notes: empty }])
      await refused(
        findOrCreate({ ...raw, invitee_email: empty, ...more }),
        'HaltedError',
        `To find or create a booking, the invitee's email, the event type and the start are all needed: "Invitee Email" is empty.`,
      );
    expect(stage.sandbox.bookings()).toHaveLength(before);
  });
});

it('an answer with several choices may come as one text with commas', async () => {
  const event_type_id = typeNamed(stage, 'Project Kick-off');
  const fields = { [question('company')]: 'Analytical Engines', [question('budget')]: 'Up to 5,000' };
  for (const services of ['Design,Hosting', ['Design,Hosting'], 'Design, Hosting', '["Design", "Hosting"]', [['Design', 'Hosting']]]) {
    const made = await book(stage, introCall(stage, { event_type_id, ...fields, [question('services')]: services }));
    expect(made['answers']).toMatchObject({ services: ['Design', 'Hosting'] });
  }
});

/** "Find or create", as Zapier runs it: the search with all fields of the step, and the create if it finds nothing. */
const findOrCreate = async (raw: Record<string, unknown>) =>
  (await find(stage, 'booking', raw))[0]?.['id'] ?? (await book(stage, raw))['id'];

it('find or create finds the same email, type and start, and books anew for any other, a cancelled one, or one that the search names', async () => {
  const email = 'again@example.com';
  const old = stage.sandbox.host.book({ invitee_email: email, event_type_id: typeNamed(stage, 'Intro Call') });
  const raw = introCall(stage, { email, invitee_email: email });
  const first = String(await findOrCreate(raw));
  expect(await findOrCreate(raw)).toBe(first);
  stage.sandbox.host.cancel(first);
  const second = await findOrCreate({ ...raw, status: 'CANCELLED', booking_id: old.id });
  const booked = stage.sandbox.bookings().filter(({ invitee_email: of }) => of === email);
  expect(booked.map(({ id }) => id)).toEqual([old.id, first, second]);
});
