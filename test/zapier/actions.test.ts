import type { OutputField } from './definition.ts';
import { book, calls, find, introCall, onStage, refused, typeNamed } from './stage.ts';

const stage = onStage();
const question = (key: string) => `question_responses_${key}`;

describe("the chosen event type's questions", () => {
  it('are asked as typed fields with their required flags, in a group of their own', async () => {
    const fields = await stage.zapier.fields('creates.create_booking', { event_type_id: typeNamed(stage, 'Project Kick-off') });
    const asked = fields.filter(({ key }) => key.startsWith(question('')));
    expect(asked.map(({ key, type, list, required }) => [key.slice(question('').length), type, list ?? false, required])).toEqual([
      ['company', 'string', false, true],
      ['goals', 'text', false, false],
      ['team_size', 'number', false, false],
      ['nda_signed', 'boolean', false, false],
      ['budget', 'string', false, true],
      ['services', 'string', true, false],
      ['mobile', 'string', false, false],
      ['billing_email', 'string', false, false],
      ['deadline', 'datetime', false, false],
    ]);
    expect(asked.every(({ group, helpText }) => group === 'questions' && helpText === undefined)).toBe(true);
    const budget = asked.find(({ key }) => key === question('budget'))?.choices as { value: string }[];
    expect(budget.map(({ value }) => value)).toEqual(['Up to 5,000', '5,000 to 20,000', 'More than 20,000']);
    // Nothing is asked of the service before a type is chosen.
    stage.sandbox.forgetRequests();
    for (const none of [undefined, '', ['evt_1']]) await stage.zapier.fields('creates.create_booking', { event_type_id: none });
    expect(stage.sandbox.requests()).toEqual([]);
  });

  it('label the answers in the output, each with a sample', async () => {
    const inputData = { event_type_id: typeNamed(stage, 'Project Kick-off') };
    const outputs = (await stage.zapier.invoke('creates.create_booking.operation.outputFields', { inputData })) as OutputField[];
    expect(outputs).toContainEqual({ key: 'question_responses__budget', label: 'Budget', sample: 'Up to 5,000' });
    // The samples are answers that the service takes.
    const samples = new Map(
      outputs.filter(({ sample }) => sample !== undefined).map(({ key, sample }) => [key.split('__')[1] ?? '', sample]),
    );
    const inFields = Object.fromEntries([...samples].map(([key, sample]) => [question(key), sample]));
    const made = await book(stage, introCall(stage, { ...inputData, ...inFields }));
    expect([samples.size, made['question_responses']]).toEqual([9, Object.fromEntries(samples)]);
  });
});

it('what the editor asks for is refused in words, without the bundle, if it cannot be read', async () => {
  const fault = { kind: 'status', status: 422, body: { error: 'Not now' }, times: 'always' } as const;
  for (const route of ['GET /v1/bookings', 'GET /v1/event-types/:id'] as const) stage.sandbox.faults.add({ route, ...fault });
  const { zapier } = stage;
  for (const asked of [
    () => zapier.samples('booking_created'),
    () => zapier.fields('creates.create_booking', { event_type_id: typeNamed(stage, 'Intro Call') }),
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
