import assert from 'node:assert/strict';
import { resolveInputs } from '../../../tools/rigs/zapier/inputs.ts';
import { book, freeStart, introCall } from './booking.ts';
import { assertTypes, type OutputShape } from './outputs.ts';
import { calls, onSandbox, record, refused, same, typeNamed, type Part, type Stage } from './stage.ts';

const sent = (stage: Stage) => record(calls(stage, 'POST', '/v1/bookings').at(-1)?.body);
const question = (key: string) => `question_responses_${key}`;

export const creates: Part = {
  name: 'Create Booking',
  checks: [
    {
      title: 'a booking that was made has the types that the output fields promise',
      run: async (stage) => {
        const made = await book(stage, introCall(stage));
        assertTypes(made, (await stage.zapier.invoke('creates.create_booking.operation.outputFields')) as OutputShape[]);
      },
    },
    {
      title: "a start without an offset is read in the Zap's zone; the invitee's zone only affects the invitee",
      run: async (stage) => {
        const start = freeStart();
        const made = await book(
          stage,
          introCall(stage, { start_time: start, invitee_timezone: 'Asia/Tokyo', notes: 'With milk', locale: 'es' }),
        );
        const inNewYork = [4, 5].map((hours) => new Date(Date.parse(`${start}Z`) + hours * 3_600_000).toISOString().replace('.000Z', 'Z'));
        assert.ok(inNewYork.includes(String(sent(stage)['start_time'])), 'New York, where the Zap is');
        assert.equal(made['invitee_timezone'], 'Asia/Tokyo');
        assert.match(String(made['invitee_start_time']), /\+09:00$/);
        assert.equal(Date.parse(String(made['invitee_start_time'])), Date.parse(String(made['start_time'])));
        same([made['notes'], made['locale']], ['With milk', 'es']);
      },
    },
    {
      title: "asks the chosen type's own questions as typed fields with their required flags, in a group of their own",
      run: async (stage) => {
        stage.sandbox.forgetRequests();
        for (const none of [undefined, null, '', 5, ['evt_1']]) {
          const before = await stage.zapier.fields('creates.create_booking', { event_type_id: none });
          assert.ok(before.every(({ key }) => !key.startsWith(question(''))));
        }
        assert.equal(stage.sandbox.requests().length, 0);
        const fields = await stage.zapier.fields('creates.create_booking', { event_type_id: typeNamed(stage, 'Project Kick-off') });
        const shape = Object.fromEntries(
          fields.filter(({ key }) => key.startsWith(question(''))).map((field) => [field.key.slice(question('').length), field]),
        );
        const types = Object.fromEntries(
          Object.entries(shape).map(([key, { type, list, required }]) => [key, [type, list ?? false, required]]),
        );
        same(types, {
          company: ['string', false, true],
          goals: ['text', false, false],
          team_size: ['number', false, false],
          nda_signed: ['boolean', false, false],
          budget: ['string', false, true],
          services: ['string', true, false],
          mobile: ['string', false, false],
          billing_email: ['string', false, false],
          deadline: ['datetime', false, false],
        });
        assert.ok(Object.values(shape).every(({ group, helpText }) => group === 'questions' && helpText === undefined));
        same(
          (shape['budget']?.choices as { value: string }[]).map(({ value }) => value),
          ['Up to 5,000', '5,000 to 20,000', 'More than 20,000'],
        );
      },
    },
    {
      title: 'sends typed answers, shows them keyed and as line items, and labels them by their questions',
      run: async (stage) => {
        const type = typeNamed(stage, 'Project Kick-off');
        const answers = {
          company: 'Engines Ltd',
          team_size: '12',
          nda_signed: 'yes',
          budget: 'Up to 5,000',
          services: ['Design', 'Support'],
          deadline: '2031-03-04',
          billing_email: 'pay@example.com',
        };
        const made = await book(
          stage,
          introCall(stage, {
            event_type_id: type,
            ...Object.fromEntries(Object.entries(answers).map(([key, value]) => [question(key), value])),
          }),
        );
        const expected = { ...answers, team_size: 12, nda_signed: true };
        same(sent(stage)['question_responses'], expected);
        same(made['question_responses'], expected);
        assert.equal((made['answers'] as unknown[]).length, 7);
        const outputs = (await stage.zapier.invoke('creates.create_booking.operation.outputFields', {
          inputData: { event_type_id: type },
        })) as OutputShape[];
        assert.equal(outputs.find(({ key }) => key === 'question_responses__budget')?.label, 'Budget');
      },
    },
    {
      title: 'names a required question without an answer, even if the form did not ask it, and books nothing',
      run: async (stage) => {
        const raw = introCall(stage, { event_type_id: typeNamed(stage, 'Project Kick-off'), [question('company')]: 'Engines Ltd' });
        await refused(book(stage, raw), 'MissingFields', 'Budget');
        const inputData = resolveInputs([], raw, { timeZone: 'UTC', clean: true });
        stage.sandbox.forgetRequests();
        await refused(stage.zapier.invoke('creates.create_booking.operation.perform', { inputData }), 'AppError', '"Budget" is required');
        assert.equal(calls(stage, 'POST', '/v1/bookings').length, 0);
      },
    },
    {
      title: 'accepts Other Answers by key, for questions that the connection may not read',
      run: async (stage) => {
        const { zapier } = stage;
        const saved = zapier.connection;
        const { access_token } = stage.sandbox.issueToken({ scopes: ['bookings:read', 'bookings:write'] });
        try {
          zapier.connection = { label: '', authData: { access_token } };
          const raw = introCall(stage, {
            event_type_id: typeNamed(stage, 'Support Session'),
            question_responses: { phone: '+34 600 123 456' },
          });
          const made = await book(stage, raw);
          same(made['question_responses'], { phone: '+34 600 123 456' });
        } finally {
          zapier.connection = saved;
        }
      },
    },
    {
      title: 'accepts Other Answers by key together with typed ones, which come first',
      run: async (stage) => {
        await book(
          stage,
          introCall(stage, {
            event_type_id: typeNamed(stage, 'Support Session'),
            [question('phone')]: '+34 600 000 001',
            question_responses: { phone: 'not this one', urgent: 'yes' },
          }),
        );
        same(sent(stage)['question_responses'], { phone: '+34 600 000 001', urgent: true });
      },
    },
    {
      title: 'reads the questions in every form in which the service may send them',
      run: async (stage) => {
        for (const forms of [
          { questions: 'custom_questions' },
          { questionKey: 'label' },
          { options: 'objects', questionKey: 'id' },
        ] as const) {
          await onSandbox(stage, { forms }, async (own) => {
            const type = typeNamed(own, 'Support Session');
            const fields = await own.zapier.fields('creates.create_booking', { event_type_id: type });
            const phone = fields.find(({ label }) => label === 'Phone number');
            assert.ok(phone?.required, JSON.stringify(forms));
            await book(own, introCall(own, { event_type_id: type, [phone.key]: '+34 600 000 002' }));
            same(own.sandbox.bookings().at(-1)?.question_responses, { phone: '+34 600 000 002' });
          });
        }
      },
    },
    {
      title: 'books once and at once on services that write what they were sent their own way',
      run: async (stage) => {
        for (const forms of [
          { email: 'untagged' },
          { name: 'contact', typeId: 'prefixed' },
          { start: 'minutes', createdAt: 'local', listLag: '45s' },
          { created: '204' },
        ] as const) {
          await onSandbox(stage, { forms }, async (own) => {
            own.sandbox.host.book({ invitee_email: 'ada@example.org', invitee_name: 'Countess of Lovelace' });
            const before = own.sandbox.bookings().length;
            own.sandbox.forgetRequests();
            const record = await book(own, introCall(own, { invitee_email: 'Ada+work@example.org' }));
            assert.equal(own.sandbox.bookings().length, before + 1, JSON.stringify(forms));
            assert.equal(record['id'], own.sandbox.bookings().at(-1)?.id);
            assert.equal(calls(own, 'POST', '/v1/bookings').length, 1);
            // Only an answer without a record is looked for, and nothing waits.
            if (!('created' in forms)) assert.equal(calls(own, 'GET', '/v1/bookings').length, 0);
          });
        }
      },
    },
    {
      title: "shows the service's own words in the first run, and does not ask to be held",
      run: async (stage) => {
        const body = { error: 'Internal server error', message: 'The calendar is being moved' };
        stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status: 500, body });
        await refused(
          book(stage, introCall(stage, { invitee_email: 'words@example.com' })),
          'AppError',
          'The calendar is being moved',
          'may or may not exist',
        );
      },
    },
    {
      title: 'keeps text with curly braces as it was typed, instead of treating it as a placeholder',
      run: async (stage) => {
        const notes = 'Dear {{name}}, see {{bundle.authData.access_token}} and {{process.env.CLIENT_SECRET}}';
        assert.equal((await book(stage, introCall(stage, { notes })))['notes'], notes);
      },
    },
    {
      title:
        'a token that ends between a lost answer and its look-up does not make Zapier run the step again, nor does the step ask for it where nothing can be kept',
      run: async (stage) => {
        stage.sandbox.forgetRequests();
        stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after' });
        stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 401, times: 'always' });
        stage.zapier.backend.cache.available = false;
        try {
          await refused(
            book(stage, introCall(stage, { invitee_email: 'unsure@example.com' })),
            'AppError',
            'may or may not exist',
            'before you try again',
          );
        } finally {
          stage.zapier.backend.cache.available = true;
        }
        assert.equal(calls(stage, 'POST', '/v1/bookings').length, 1);
      },
    },
  ],
};
