import type { deliveryKeys, RecordKind } from './records.ts';

/** One field of a record, labelled; `children` are the fields of an object, or of a list's entries. */
export interface OutputField {
  key: string;
  label: string;
  /** `any`: whatever the service sent, such as an answer (G28). */
  type: 'string' | 'number' | 'boolean' | 'datetime' | 'object' | 'list' | 'any';
  children?: OutputField[];
}

/** Fields by their key: label and type. A text where only a label is given. */
type Declared = Readonly<Record<string, string | [label: string, type: OutputField['type'], children?: Declared]>>;

const declared = (fields: Declared): OutputField[] =>
  Object.entries(fields).map(([key, field]) => {
    const [label, type, children] = typeof field === 'string' ? [field, 'string' as const] : field;
    return { key, label, type, ...(children && { children: declared(children) }) };
  });

/**
 * The records as they are handed out: the canonical fields of G4 to G9, and what is added for people (an invitee's own
 * clock, answers as a list). Every field may be missing but the id, and unknown ones are kept: a record is read liberally
 * and never refused for what the service added.
 */
export const recordFields: Record<RecordKind, OutputField[]> = {
  user: declared({
    id: 'User ID',
    name: 'Name',
    email: 'Email',
    timezone: 'Time Zone',
    locale: 'Language',
    plan: 'Plan',
  }),
  booking: declared({
    id: 'Booking ID',
    status: 'Status',
    event_type_id: 'Event Type ID',
    event_type_name: 'Event Type Name',
    start_time: ['Start', 'datetime'],
    end_time: ['End', 'datetime'],
    invitee_start_time: ['Start (in the Invitee\'s Time Zone)', 'datetime'],
    invitee_end_time: ['End (in the Invitee\'s Time Zone)', 'datetime'],
    invitee_name: 'Invitee Name',
    invitee_first_name: 'Invitee First Name',
    invitee_last_name: 'Invitee Last Name',
    invitee_email: 'Invitee Email',
    invitee_timezone: 'Invitee Time Zone',
    notes: 'Notes',
    question_responses: ['Answers by Question', 'object'],
    answers: ['Answers', 'list', { question: 'Question', answer: ['Answer', 'any'] }],
    locale: 'Language',
    location: 'Location',
    meeting_url: 'Meeting Link',
    cancellation_reason: 'Cancellation Reason',
    previous_start_time: ['Previous Start', 'datetime'],
    created_at: ['Created At', 'datetime'],
    updated_at: ['Updated At', 'datetime'],
  }),
  eventType: declared({
    id: 'Event Type ID',
    name: 'Name',
    slug: 'Slug',
    description: 'Description',
    duration_minutes: ['Duration (in Minutes)', 'number'],
    active: ['Active', 'boolean'],
    requires_approval: ['Requires Approval', 'boolean'],
    location: 'Location',
    questions: ['Questions', 'list', { key: 'Key', label: 'Label', type: 'Type', required: ['Required', 'boolean'], options: ['Options', 'list'] }],
    created_at: ['Created At', 'datetime'],
    updated_at: ['Updated At', 'datetime'],
  }),
  contact: declared({
    id: 'Contact ID',
    name: 'Name',
    first_name: 'First Name',
    last_name: 'Last Name',
    email: 'Email',
    phone: 'Phone',
    timezone: 'Time Zone',
    locale: 'Language',
    notes: 'Notes',
    created_at: ['Created At', 'datetime'],
    updated_at: ['Updated At', 'datetime'],
  }),
  subscription: declared({
    id: 'Subscription ID',
    url: 'Target Address',
    events: ['Events', 'list'],
    active: ['Active', 'boolean'],
    created_at: ['Created At', 'datetime'],
  }),
};

/** What a delivery adds to the record it carries (section 6). */
export const deliveryFields: OutputField[] = declared({
  event: 'Event',
  delivery_id: 'Delivery ID',
  delivered_at: ['Delivered At', 'datetime'],
  delivery_key: 'Delivery Key',
} satisfies Record<(typeof deliveryKeys)[number], Declared[string]>);
