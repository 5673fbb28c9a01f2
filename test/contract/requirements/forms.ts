import { cancelBooking, createBooking, findBooking, getBooking } from '../../../shared/operations/index.ts';
import { answersTo, bookingForm, typeNamed } from '../fixtures.ts';
import { refusalOf, saidBy, requestsTo, type Requirement, type Stage } from '../platform.ts';

const create = 'POST /v1/bookings';
/** The body of the one booking request since the requests were last forgotten. */
const sent = ({ sandbox }: Stage): Record<string, unknown> => {
  const requests = requestsTo(sandbox, create);
  expect(requests).toHaveLength(1);
  return requests[0]?.body as Record<string, unknown>;
};

const kickOff = ({ sandbox }: Stage) => typeNamed(sandbox, 'Project Kick-off');

/** Books with a form and returns what was sent. */
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
  const { sentence } = await refusalOf(stage.connection.runOperation(operation, given));
  expect(requestsTo(stage.sandbox, operation.endpoint)).toEqual([]);
  const expected = await refusalOf(stage.core.runOperation(operation, given));
  expect(sentence).toBe(saidBy(stage.platform, operation, expected));
  return expected.sentence;
}

/** A start at nine o'clock on a summer's day, without a zone. */
const wallClock = '2059-07-01T09:00:00';
/** The same instant in the form that is sent to the service. */
const inNewYork = '2059-07-01T13:00:00Z';

export const forms: readonly Requirement[] = [
  {
    id: 'form:empty-fields:not-sent',
    uses: [createBooking],
    async hold(stage) {
      const form = bookingForm(stage.sandbox, { invitee_timezone: '', notes: '', locale: '' });
      stage.sandbox.forgetRequests();
      await stage.connection.runOperation(createBooking, { fields: form });
      expect(Object.keys(sent(stage)).sort()).toEqual(['event_type_id', 'invitee_email', 'invitee_name', 'start_time']);
    },
  },
  {
    id: 'form:required-field-empty:named',
    uses: [createBooking],
    needs: ['emptyField'],
    hold: async (stage) => {
      expect(await refused(stage, createBooking, bookingForm(stage.sandbox, { invitee_name: '' }))).toContain('"Invitee Name"');
    },
  },
  ...(
    [
      ['email', { invitee_email: 'ada at example' }, '"Invitee Email"'],
      ['start', { start_time: 'soon' }, '"Start"'],
      ['zone', { invitee_timezone: 'Mars/Base' }, '"Invitee Time Zone"'],
    ] as const
  ).map(
    ([what, wrong, label]): Requirement => ({
      id: `form:wrong-${what}:named-and-nothing-sent`,
      uses: [createBooking],
      async hold(stage) {
        expect(await refused(stage, createBooking, bookingForm(stage.sandbox, wrong))).toContain(label);
      },
    }),
  ),
  ...['..', '.', 'a/b', 'a\\b'].map(
    (id): Requirement => ({
      id: `form:id-leaves-its-path(${id}):refused`,
      uses: [cancelBooking],
      async hold(stage) {
        expect(await refused(stage, cancelBooking, { booking_id: id })).toContain('"Booking" must be an ID alone, not an address');
      },
    }),
  ),
  {
    id: 'form:number-beyond-2^53-as-id:refused-in-words',
    uses: [cancelBooking],
    needs: ['numbers'],
    async hold(stage) {
      // How JavaScript itself reads a longer one.
      expect(await refused(stage, cancelBooking, { booking_id: Number('9007199254740993') })).toContain('"Booking"');
    },
  },
  ...[getBooking, findBooking].map(
    (operation): Requirement => ({
      id: `answer:number-beyond-2^53-as-id(${operation.name}):refused-in-words`,
      uses: [operation],
      async hold({ sandbox, connection }) {
        const { id } = sandbox.host.book();
        const body = `{"data":{"id":9007199254740993,"status":"CONFIRMED"}}`;
        const headers = { 'content-type': 'application/json' };
        sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 200, headers, body, times: 'always' });
        const { sentence } = await refusalOf(connection.runOperation(operation, { fields: { booking_id: id } }));
        expect(sentence).toMatch(/number.*exact|too large|digits/);
      },
    }),
  ),
  {
    id: "start:no-offset:in-the-platform's-zone",
    uses: [createBooking],
    needs: ['zone'],
    async hold(stage) {
      expect((await booked(stage, { start_time: wallClock }))['start_time']).toBe(inNewYork);
    },
  },
  {
    id: "start:no-offset:in-the-form's-zone",
    uses: [createBooking],
    needs: ['formZone'],
    async hold(stage) {
      const { start_time: sentStart } = await booked(stage, { start_time: wallClock, invitee_timezone: 'Asia/Tokyo' });
      expect(sentStart).toBe('2059-07-01T00:00:00Z');
    },
  },
  {
    id: 'start:no-offset-and-no-zone:refused',
    uses: [createBooking],
    needs: ['zoneless'],
    async hold(stage) {
      const connection = await stage.another();
      stage.sandbox.forgetRequests();
      const asked = { fields: bookingForm(stage.sandbox, { start_time: wallClock }) };
      expect((await refusalOf(connection.runOperation(createBooking, asked))).sentence).toContain('no time zone is set');
      expect(stage.sandbox.requests()).toEqual([]);
    },
  },
  ...['+0200', '+02', '+02:00'].map(
    (offset): Requirement => ({
      id: `start:offset-as-${offset.replace(':', '.')}:that-instant`,
      uses: [createBooking],
      async hold(stage) {
        const { start_time: sentStart } = await booked(stage, { start_time: wallClock + offset });
        expect(Date.parse(String(sentStart))).toBe(Date.parse('2059-07-01T07:00:00Z'));
      },
    }),
  ),
  {
    id: 'questions:every-kind:answers-in-their-types',
    uses: [createBooking],
    async hold(stage) {
      const answers = answersTo(kickOff(stage));
      const { question_responses: sentAnswers } = await booked(stage, { event_type_id: kickOff(stage).id }, answers);
      expect(sentAnswers).toEqual(answers);
    },
  },
  {
    id: 'questions:answer-left-from-another-type:not-sent',
    uses: [createBooking],
    needs: ['answerFields'],
    async hold(stage) {
      const { id: event_type_id } = typeNamed(stage.sandbox, 'Coffee Chat');
      expect(await booked(stage, { event_type_id }, { company: 'Left over' })).not.toHaveProperty('question_responses');
    },
  },
  {
    id: 'questions:a-choice-that-is-not-listed:the-service-decides',
    uses: [createBooking],
    needs: ['answerWords'],
    async hold(stage) {
      const answers = { ...answersTo(kickOff(stage)), budget: 'A lot' };
      const fields = bookingForm(stage.sandbox, { event_type_id: kickOff(stage).id });
      stage.sandbox.forgetRequests();
      const { sentence } = await refusalOf(stage.connection.runOperation(createBooking, { fields, answers }));
      const isInField = stage.platform.lacks.answerFields === undefined;
      expect(sentence).toMatch(isInField ? / "Budget": must be one of/ : / "budget" in "\w+": must be one of/);
      expect(requestsTo(stage.sandbox, 'POST /v1/bookings')).toHaveLength(1);
    },
  },
  {
    id: 'questions:required-one-unanswered:named',
    uses: [createBooking],
    needs: ['emptyField'],
    async hold(stage) {
      const { budget: _left, ...answers } = answersTo(kickOff(stage));
      const asked = { fields: bookingForm(stage.sandbox, { event_type_id: kickOff(stage).id }), answers };
      const before = stage.sandbox.bookings().length;
      expect((await refusalOf(stage.connection.runOperation(createBooking, asked))).sentence).toContain('"Budget" is required');
      expect(stage.sandbox.bookings()).toHaveLength(before);
    },
  },
];
