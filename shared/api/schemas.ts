import * as z from 'zod/v4';
import type { deliveryKeys, RecordKind } from './records.ts';

/**
 * The records as they are handed out, for labels, output schemas and types: the canonical fields of G4 to G9, and what
 * is added for people (an invitee's own clock, answers as a list). Every field may be missing but the id, and unknown
 * ones are kept: a record is read liberally and never refused for what the service added.
 */
const [someText, someFlag] = [z.string().nullish(), z.boolean().nullish()];

// Each field is a copy of one of these with its words: building every one from its parts would slow every start.
const text = (label: string) => someText.meta({ title: label });
const time = (label: string) => someText.meta({ title: label, format: 'date-time' });
const flag = (label: string) => someFlag.meta({ title: label });

const id = (label: string) => z.string().meta({ title: label });

export const User = z.looseObject({
  id: text('User ID'),
  name: text('Name'),
  email: text('Email'),
  timezone: text('Time Zone'),
  locale: text('Language'),
  plan: text('Plan'),
});

export const Answer = z.looseObject({
  question: z.string().meta({ title: 'Question' }),
  answer: z.unknown().meta({ title: 'Answer' }),
});

export const Booking = z.looseObject({
  id: id('Booking ID'),
  status: text('Status'),
  event_type_id: text('Event Type ID'),
  event_type_name: text('Event Type Name'),
  start_time: time('Start'),
  end_time: time('End'),
  invitee_start_time: time('Start (in the Invitee\'s Time Zone)'),
  invitee_end_time: time('End (in the Invitee\'s Time Zone)'),
  invitee_name: text('Invitee Name'),
  invitee_first_name: text('Invitee First Name'),
  invitee_last_name: text('Invitee Last Name'),
  invitee_email: text('Invitee Email'),
  invitee_timezone: text('Invitee Time Zone'),
  notes: text('Notes'),
  question_responses: z.record(z.string(), z.unknown()).nullish().meta({ title: 'Answers by Question' }),
  answers: z.array(Answer).optional().meta({ title: 'Answers' }),
  locale: text('Language'),
  location: text('Location'),
  meeting_url: text('Meeting Link'),
  cancellation_reason: text('Cancellation Reason'),
  previous_start_time: time('Previous Start'),
  created_at: time('Created At'),
  updated_at: time('Updated At'),
});

export const Question = z.looseObject({
  key: z.string().meta({ title: 'Key' }),
  label: z.string().meta({ title: 'Label' }),
  type: z.string().meta({ title: 'Type' }),
  required: z.boolean().meta({ title: 'Required' }),
  options: z.array(z.unknown()).nullish().meta({ title: 'Options' }),
});

export const EventType = z.looseObject({
  id: id('Event Type ID'),
  name: text('Name'),
  slug: text('Slug'),
  description: text('Description'),
  duration_minutes: z.number().nullish().meta({ title: 'Duration (in Minutes)' }),
  active: flag('Active'),
  requires_approval: flag('Requires Approval'),
  location: text('Location'),
  questions: z.array(Question).nullish().meta({ title: 'Questions' }),
  created_at: time('Created At'),
  updated_at: time('Updated At'),
});

export const Contact = z.looseObject({
  id: id('Contact ID'),
  name: text('Name'),
  first_name: text('First Name'),
  last_name: text('Last Name'),
  email: text('Email'),
  phone: text('Phone'),
  timezone: text('Time Zone'),
  locale: text('Language'),
  notes: text('Notes'),
  created_at: time('Created At'),
  updated_at: time('Updated At'),
});

export const Subscription = z.looseObject({
  id: id('Subscription ID'),
  url: text('Target Address'),
  events: z.array(z.string()).nullish().meta({ title: 'Events' }),
  active: flag('Active'),
  created_at: time('Created At'),
});

export const schemas = { user: User, booking: Booking, eventType: EventType, contact: Contact, subscription: Subscription } as const satisfies Record<RecordKind, z.ZodObject>;

/** What a delivery adds to the record it carries (section 6). */
export const DeliveryFields = z.object({
  event: z.string().meta({ title: 'Event' }),
  delivery_id: z.string().meta({ title: 'Delivery ID' }),
  delivered_at: z.string().meta({ title: 'Delivered At', format: 'date-time' }),
} satisfies Record<(typeof deliveryKeys)[number], z.ZodString>);
