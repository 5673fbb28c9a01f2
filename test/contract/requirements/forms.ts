import { cancelBooking, createBooking, findBooking, getBooking } from '../../../shared/operations/index.ts';
import type { Operation } from '../../../shared/operations/define.ts';
import { filtersOf } from '../../../shared/operations/refusedForm.ts';
import { answersTo, bookingForm, formFor, typeNamed } from '../fixtures.ts';
import { nameOf, offered, refusalOf, saidBy, requestsTo, requirement, type Requirement, type Stage } from '../platform.ts';
import { oneOf } from '../../support/wire.ts';

const create = 'POST /v1/bookings';
/** The body of the only booking request since the requests were last forgotten. */
const sent = ({ sandbox }: Stage): Record<string, unknown> => {
  const requests = requestsTo(sandbox, create);
  expect(requests).toHaveLength(1);
  return requests[0]?.body as Record<string, unknown>;
};

const kickOff = ({ sandbox }: Stage) => typeNamed(sandbox, 'Project Kick-off');

/** Books with a form and returns the body that was sent. */
async function booked(stage: Stage, more: Record<string, unknown>, answers?: Record<string, unknown>) {
  stage.sandbox.forgetRequests();
  await stage.connection.runOperation(createBooking, { fields: bookingForm(stage.sandbox, more), ...(answers && { answers }) });
  return sent(stage);
}

/** Checks that the form is refused with the core's sentence before anything is booked, and returns it. */
async function refused(
  stage: Stage,
  operation: typeof createBooking | typeof cancelBooking,
  fields: Record<string, unknown>,
  answers = {},
) {
  stage.sandbox.forgetRequests();
  const given = { fields, answers };
  const { message } = await refusalOf(stage.connection.runOperation(operation, given));
  expect(requestsTo(stage.sandbox, operation.endpoint)).toEqual([]);
  const expected = await refusalOf(stage.core.runOperation(operation, given));
  expect(message).toBe(saidBy(stage.platform, operation, expected));
  return expected.message;
}

/** A start at nine o'clock on a summer's day, without a zone. */
const wallClock = '2059-07-01T09:00:00';
/** The same time in New York, as it is sent to the service. */
const inNewYork = '2059-07-01T13:00:00Z';

/** One complete form for each filter, in which that filter is empty. */
const oneEmpty = (operation: Operation, sandbox: Stage['sandbox']) =>
  filtersOf(operation).map(({ key, label }) => ({ key, label, fields: { ...formFor(operation, sandbox, true), [key]: '' } }));

/** An empty filter must not widen a search: if an expression gave nothing, it would find strangers. */
const emptyFilters = offered
  .filter((operation) => filtersOf(operation).length > 0)
  .flatMap((operation) => [
    requirement(
      `${nameOf(operation)}:filter-set-but-empty:refused-by-its-name`,
      { source: 'baptisteArno/typebot.io#1702', uses: [operation], needs: ['refusesEmpty'] },
      async (stage) => {
        for (const { label, fields } of oneEmpty(operation, stage.sandbox)) {
          stage.sandbox.forgetRequests();
          const { message } = await refusalOf(stage.connection.runOperation(operation, { fields }));
          expect(message).toContain(`"${label}" is set, but it is empty`);
          expect(message).toContain('remove the field to get everything');
          expect(requestsTo(stage.sandbox, operation.endpoint)).toEqual([]);
        }
      },
    ),
    requirement(
      `${nameOf(operation)}:filter-set-but-empty:left-out-and-told-first`,
      { source: 'baptisteArno/typebot.io#1702', uses: [operation], needs: ['leavesEmptyOut'] },
      async (stage) => {
        for (const { key, label, fields } of oneEmpty(operation, stage.sandbox))
          expect(await stage.connection.firstLine?.(operation, { fields })).toMatch(
            new RegExp(`^Nothing was filtered by "(?:${label}|${key})", because it is empty\\.?$`),
          );
      },
    ),
  ]);

export const forms: readonly Requirement[] = [
  ...emptyFilters,
  requirement('form:empty-fields:not-sent', { source: 'section 2' }, async (stage) => {
    const form = bookingForm(stage.sandbox, { invitee_timezone: '', notes: '', locale: '' });
    stage.sandbox.forgetRequests();
    await stage.connection.runOperation(createBooking, { fields: form });
    expect(Object.keys(sent(stage)).sort()).toEqual(['event_type_id', 'invitee_email', 'invitee_name', 'start_time']);
  }),
  requirement('form:required-field-empty:named', { source: 'section 2', needs: ['emptyField'] }, async (stage) => {
    expect(await refused(stage, createBooking, bookingForm(stage.sandbox, { invitee_name: '' }))).toContain('"Invitee Name"');
  }),
  ...(
    [
      ['email', { invitee_email: 'ada at example' }, '"Invitee Email"'],
      ['start', { start_time: 'soon' }, '"Start"'],
      ['zone', { invitee_timezone: 'Mars/Base' }, '"Invitee Time Zone"'],
    ] as const
  ).map(([what, wrong, label]) =>
    requirement(`form:wrong-${what}:named-and-nothing-sent`, { source: 'section 2' }, async (stage) => {
      expect(await refused(stage, createBooking, bookingForm(stage.sandbox, wrong))).toContain(label);
    }),
  ),
  requirement('form:id-leaves-its-path:refused', { source: 'RFC 3986, 5.2.4' }, async (stage) => {
    expect(await refused(stage, cancelBooking, { booking_id: '..' })).toContain('"Booking" must be an ID alone, not an address');
  }),
  requirement('form:number-beyond-2^53-as-id:refused-in-words', { source: 'n8n-io/n8n#14715', needs: ['numbers'] }, async (stage) => {
    // JavaScript itself rounds it.
    expect(await refused(stage, cancelBooking, { booking_id: Number('9007199254740993') })).toContain('"Booking"');
  }),
  ...[getBooking, findBooking].map((operation) =>
    requirement(
      `answer:number-beyond-2^53-as-id(${operation.name}):refused-in-words`,
      { source: 'G3', uses: [operation] },
      async ({ sandbox, connection }) => {
        const { id } = sandbox.host.book();
        const body = JSON.stringify(oneOf({ id: 'large', status: 'CONFIRMED' })).replace('"large"', '9007199254740993');
        const headers = { 'content-type': 'application/json' };
        sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 200, headers, body, times: 'always' });
        const { message } = await refusalOf(connection.runOperation(operation, { fields: { booking_id: id } }));
        expect(message).toMatch(/number.*exact|too large|digits/);
      },
    ),
  ),
  requirement("start:no-offset:in-the-platform's-zone", { source: 'section 2', needs: ['zone'] }, async (stage) => {
    expect((await booked(stage, { start_time: wallClock }))['start_time']).toBe(inNewYork);
  }),
  requirement("start:no-offset:in-the-form's-zone", { source: 'section 2', needs: ['formZone'] }, async (stage) => {
    const { start_time: sentStart } = await booked(stage, { start_time: wallClock, invitee_timezone: 'Asia/Tokyo' });
    expect(sentStart).toBe('2059-07-01T00:00:00Z');
  }),
  requirement('start:no-offset-and-no-zone:refused', { source: 'section 2', needs: ['zoneless'] }, async (stage) => {
    const connection = await stage.another();
    stage.sandbox.forgetRequests();
    const asked = { fields: bookingForm(stage.sandbox, { start_time: wallClock }) };
    expect((await refusalOf(connection.runOperation(createBooking, asked))).message).toContain('no time zone is set');
    expect(stage.sandbox.requests()).toEqual([]);
  }),
  requirement('start:offset:that-instant', { source: 'section 2' }, async (stage) => {
    const { start_time: sentStart } = await booked(stage, { start_time: `${wallClock}+0200` });
    expect(Date.parse(String(sentStart))).toBe(Date.parse('2059-07-01T07:00:00Z'));
  }),
  requirement('questions:every-kind:answers-in-their-types', { source: 'G28' }, async (stage) => {
    const answers = answersTo(kickOff(stage));
    const { question_responses: sentAnswers } = await booked(stage, { event_type_id: kickOff(stage).id }, answers);
    expect(sentAnswers).toEqual(answers);
  }),
  requirement('questions:answer-left-from-another-type:not-sent', { source: 'section 2', needs: ['answerFields'] }, async (stage) => {
    const { id: event_type_id } = typeNamed(stage.sandbox, 'Coffee Chat');
    expect(await booked(stage, { event_type_id }, { company: 'Left over' })).not.toHaveProperty('question_responses');
  }),
  requirement(
    'questions:a-choice-that-is-not-listed:the-service-decides',
    { source: 'section 7', needs: ['answerWords'] },
    async (stage) => {
      const answers = { ...answersTo(kickOff(stage)), budget: 'A lot' };
      const fields = bookingForm(stage.sandbox, { event_type_id: kickOff(stage).id });
      stage.sandbox.forgetRequests();
      const { message } = await refusalOf(stage.connection.runOperation(createBooking, { fields, answers }));
      const isInField = stage.platform.lacks.answerFields === undefined;
      expect(message).toMatch(isInField ? / "Budget": must be one of/ : / "budget" in "\w+": must be one of/);
      expect(requestsTo(stage.sandbox, 'POST /v1/bookings')).toHaveLength(1);
    },
  ),
  requirement('questions:required-one-unanswered:named', { source: 'G6', needs: ['emptyField'] }, async (stage) => {
    const { budget: _left, ...answers } = answersTo(kickOff(stage));
    const asked = { fields: bookingForm(stage.sandbox, { event_type_id: kickOff(stage).id }), answers };
    const before = stage.sandbox.bookings().length;
    expect((await refusalOf(stage.connection.runOperation(createBooking, asked))).message).toContain('"Budget" is required');
    expect(stage.sandbox.bookings()).toHaveLength(before);
  }),
];
