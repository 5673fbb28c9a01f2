import * as z from 'zod/v4';
import { field } from '../../shared/operations/define.ts';
import { formSchema } from '../../shared/operations/form.ts';
import { createBooking, getManyEventTypes } from '../../shared/operations/index.ts';

const text = (change: object = {}) => ({ label: 'Name', help: '', control: 'text' as const, ...change });

it('describes each field by its help, or else its label, a remark and its example', () => {
  const form = {
    bare: field(z.string(), text()),
    full: field(z.string().optional(), text({ help: 'Who comes', example: 'Ada' })),
    remarked: field(z.string().optional(), text({ help: 'Who comes', example: 'Ada' })),
  };
  expect(formSchema(form, ({ key }) => (key === 'remarked' ? 'From the list.' : undefined))).toEqual({
    type: 'object',
    properties: {
      bare: { type: 'string', description: 'Name.' },
      full: { type: 'string', description: 'Who comes. Example: Ada' },
      remarked: { type: 'string', description: 'Who comes. From the list. Example: Ada' },
    },
    required: ['bare'],
    additionalProperties: false,
  });
});

it('says what a field accepts, without the patterns that its own messages explain better', () => {
  const { properties, required } = formSchema(createBooking.input);
  expect(required).toEqual(['event_type_id', 'start_time', 'invitee_name', 'invitee_email']);
  expect(Object.keys(properties)).toEqual(Object.keys(createBooking.input));
  expect(properties['invitee_name']).toEqual({ type: 'string', description: "The invitee's full name. Example: Ada Lovelace" });
  expect(properties['invitee_email']).not.toHaveProperty('pattern');
  expect(properties['locale']).toMatchObject({ type: 'string', enum: ['en', 'es', 'fr'] });
  expect(properties['question_responses']).toEqual({
    type: 'object',
    description: "Answers to the event type's questions, keyed by question.",
  });
});

it('of a form without required fields names none', () => {
  expect(formSchema(getManyEventTypes.input)).not.toHaveProperty('required');
});
