import type { RecordKind } from '../../shared/records/records.ts';
import { present, isWide, simpleFields, simplify } from '../../shared/records/outputs.ts';
import { booking, contact, eventType } from '../../shared/records/samples.ts';

const delivered = ['event', 'delivery_id', 'delivered_at', 'delivery_key', 'change_key'];
const bookings = 'invitee_name start_time event_type_name status invitee_email end_time invitee_timezone id event_type_id notes';
const more = 'question_responses meeting_url location cancellation_reason previous_start_time';
const fields: [RecordKind, string[]][] = [
  ['booking', [...`${bookings} ${more}`.split(' '), ...delivered]],
  ['contact', ['name', 'email', 'id', 'phone', 'timezone', 'notes', ...delivered]],
  ['eventType', ['name', 'duration_minutes', 'active', 'id', 'description', 'requires_approval', 'location', 'questions', ...delivered]],
];

describe.each(fields)('the short form of a %s', (kind, names) => {
  it('has its main fields in order, and those of a delivery', () => {
    const whole = Object.fromEntries([...names, 'locale', 'created_at', 'of_the_service'].reverse().map((name) => [name, `the ${name}`]));
    expect(Object.entries(simplify(kind, whole))).toEqual(names.map((name) => [name, `the ${name}`]));
    expect([...simpleFields(kind)]).toEqual(names);
    expect(Object.getPrototypeOf(simplify(kind, whole))).toBe(Object.prototype);
    expect(isWide(kind)).toBe(true);
  });

  it('leaves out what is empty, and keeps values that only look empty', () => {
    for (const nothing of [null, undefined, ''])
      expect(simplify(kind, Object.fromEntries(names.map((name) => [name, nothing])))).toEqual({});
    for (const something of [false, 0, [], {}])
      expect(Object.keys(simplify(kind, Object.fromEntries(names.map((name) => [name, something]))))).toEqual(names);
  });
});

it('has nothing that is added for people, so that it can be made from the bare record', () => {
  for (const [kind, record] of [
    ['booking', booking],
    ['contact', contact],
    ['eventType', eventType],
  ] as const) {
    const bare = Object.fromEntries(
      Object.entries(record).filter(([name]) => !/^invitee_(?:start|end|first|last)_|^(?:first|last)_name$|^answers$/.test(name)),
    );
    expect(simplify(kind, present(kind, bare))).toEqual(simplify(kind, bare));
  }
});

it.each(['user', 'subscription'] as const)('a %s has so few fields that it stays as it is', (kind) => {
  const record = { id: 'a', created_at: null };
  expect(simplify(kind, record)).toBe(record);
  expect(simpleFields(kind).size).toBe(0);
  expect(isWide(kind)).toBe(false);
});
