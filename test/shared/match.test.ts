import { matchBooking, mayShow, type Match } from '../../shared/operations/booking/match.ts';

const ada = 'ada@example.com';
const slot = { event_type_id: 'evt_1', start_time: '2030-01-02T09:00:00Z' };
const sent = { ...slot, invitee_name: 'Ada Lovelace-Byron', invitee_email: ada };
const sentAfter = '2030-01-01T12:00:00Z';
/** Fourteen hours are the width of all time zones, which some services forget. */
const [before, longBefore] = ['2030-01-01T11:59:59Z', '2029-12-31T21:59:59Z'];
const tenOClock = '2030-01-02T10:00:00Z';

/** What a record of the slot and the type that were sent is, among the bookings of one person. */
const matchOf = (change: object, name = sent.invitee_name): Match =>
  matchBooking({ id: 'a', ...slot, ...change }, { ...sent, invitee_name: name }, Date.parse(sentAfter));

describe('after a lost answer, a booking is the one that was sent', () => {
  it.each<[object, Match]>([
    [{}, 'ours'],
    [{ created_at: sentAfter }, 'ours'],
    // Without an offset, nobody can tell.
    [{ created_at: '2030-01-01T11:59:59' }, 'ours'],
    [{ created_at: '2030-01-01' }, 'ours'],
    [{ created_at: before }, 'maybe'],
    [{ created_at: '2029-12-31T22:00:00Z' }, 'maybe'],
    [{ created_at: longBefore }, 'other'],
    [{ created_at: '2029-12-31T21:59:59' }, 'other'],
    [{ updated_at: longBefore }, 'other'],
    // It was there before: a seat that was given out now. Only if nothing else is in doubt.
    [{ updated_at: sentAfter, created_at: longBefore }, 'maybe'],
    [{ updated_at: sentAfter, created_at: longBefore, event_type_id: 'evt_2' }, 'other'],
    [{ updated_at: sentAfter, created_at: longBefore, invitee_name: 'Anna Byron' }, 'other'],
    [{ updated_at: sentAfter, created_at: longBefore, status: 'CANCELLED' }, 'other'],
    [{ updated_at: before, created_at: longBefore }, 'other'],
    // A change before the making says nothing.
    [{ updated_at: '2001-01-01T00:00:00Z', created_at: sentAfter }, 'ours'],
    [{ updated_at: longBefore, created_at: before }, 'maybe'],
    [{ updated_at: longBefore, created_at: sentAfter, status: 'CANCELLED' }, 'maybe'],
    [{ created_at: 'yesterday' }, 'ours'],
    // What programs write in place of no time.
    [{ created_at: sentAfter, updated_at: '0001-01-01T00:00:00Z' }, 'ours'],
    [{ created_at: longBefore, updated_at: '1970-01-01T00:00:00Z' }, 'other'],
    [{ created_at: '1900-01-01' }, 'ours'],
    [{ created_at: '0001-01-01T00:00:00Z', status: 'CANCELLED' }, 'other'],
    [{ status: 'CANCELLED', created_at: sentAfter }, 'maybe'],
    [{ status: 'CANCELLED', created_at: before }, 'maybe'],
    [{ status: 'CANCELLED', created_at: longBefore }, 'other'],
    [{ status: 'CANCELLED' }, 'other'],
    [{ status: 'denied' }, 'other'],
    [{ status: 'CANCELLED', updated_at: sentAfter }, 'other'],
    [{ event_type_id: 'evt_2' }, 'maybe'],
    // A type that is not shown speaks neither for nor against it.
    [{ event_type_id: undefined }, 'ours'],
    [{ event_type_id: '' }, 'ours'],
    [{ event_type_id: 'evt_2', created_at: longBefore }, 'other'],
  ])('by its times, type and status: that of the invitee with %j is %s', (change, match) => {
    expect(matchOf({ invitee_email: ada, ...change })).toBe(match);
  });

  it.each<[object, Match]>([
    [{ invitee_name: 'Ada Lovelace-Byron' }, 'ours'],
    [{}, 'maybe'],
    [{ start_time: undefined, created_at: longBefore }, 'other'],
    [{ invitee_email: 'a***@example.com' }, 'maybe'],
    [{ invitee_email: 'byron@example.net', invitee_name: 'Ada Lovelace-Byron' }, 'maybe'],
    [{ invitee_email: 'byron@example.net' }, 'maybe'],
    [{ invitee_email: 'byron@example.net', invitee_name: 'Ada Lovelace-Byron', created_at: longBefore }, 'other'],
    [{ invitee_email: 'grace@example.net', invitee_name: 'Grace Hopper' }, 'other'],
    [{ invitee_email: 'grace@example.net', invitee_name: 'Grace Hopper', created_at: sentAfter }, 'other'],
    // A family under one address.
    [{ invitee_email: ada, invitee_name: 'Anna Byron', created_at: sentAfter }, 'maybe'],
    [{ invitee_email: ada, invitee_name: 'Anna Byron', created_at: longBefore }, 'other'],
  ])('by its person: %j is %s', (change, match) => {
    expect(matchOf(change)).toBe(match);
  });

  it.each<[object, Match]>([
    [{ start_time: '2030-01-02T09:00:59Z' }, 'ours'],
    [{ start_time: '2030-01-02T10:00:00+01:00' }, 'ours'],
    [{ start_time: '2030-01-02T09:01:00Z' }, 'other'],
    [{ start_time: undefined }, 'maybe'],
    [{ start_time: '9 in the morning' }, 'maybe'],
    // In some zone, this is the slot.
    [{ start_time: '2030-01-02T23:00:00' }, 'maybe'],
    [{ start_time: '2030-01-01T19:00:00' }, 'maybe'],
    [{ start_time: '2030-01-02' }, 'maybe'],
    [{ start_time: '2030-01-05T09:00:00' }, 'other'],
    // Nobody knows which zone is meant, but none makes it this slot.
    [{ start_time: '2030-01-02 04:00:00 EST' }, 'maybe'],
    [{ start_time: '2030-01-05 09:00:00 EST' }, 'other'],
    [{ start_time: '2030-01-05T09:00:00[Asia/Tokyo]' }, 'other'],
    [{ start_time: 'Sat Jan 05 2030 09:00:00 GMT+0100 (CET)' }, 'other'],
    [{ start_time: 'Wed Jan 02 2030 10:00:00 GMT+0100 (CET)' }, 'ours'],
    // Another slot is another booking, even if it was made since.
    [{ start_time: tenOClock, created_at: sentAfter }, 'other'],
    [{ start_time: tenOClock, created_at: sentAfter, previous_start_time: slot.start_time }, 'maybe'],
    [{ start_time: tenOClock, created_at: longBefore, previous_start_time: slot.start_time }, 'other'],
    // Local times marked as UTC: both are off by one offset, or by two an hour apart.
    [{ start_time: '2030-01-02T14:30:00Z', created_at: '2030-01-01T17:35:00Z' }, 'maybe'],
    [{ start_time: '2030-01-02T05:00:00Z', created_at: '2030-01-01T09:05:00Z' }, 'maybe'],
    [{ start_time: '2030-01-02T05:00:00Z', created_at: '2030-01-01T08:05:00Z', event_type_id: 'evt_2' }, 'other'],
    [{ start_time: '2030-01-02T05:00:00Z', created_at: '2030-01-01T08:05:00Z', invitee_name: 'Anna Byron' }, 'other'],
    [{ start_time: '2030-01-02T05:00:00Z', created_at: '2030-01-01T10:05:00Z' }, 'other'],
    [{ start_time: '2030-01-02T05:00:00Z', created_at: '2030-01-01T08:30:00Z' }, 'other'],
    // People who book one slot beside another.
    [{ start_time: '2030-01-02T05:00:00Z', created_at: sentAfter }, 'other'],
    [{ start_time: tenOClock, created_at: '2030-01-01T12:05:00Z' }, 'other'],
    [{ start_time: '2030-01-02T09:30:00Z', created_at: '2030-01-01T12:35:00Z' }, 'other'],
    [{ start_time: '2030-01-03T00:00:00Z', created_at: '2030-01-02T03:05:00Z' }, 'other'],
  ])('by its start: the invitee with %j is %s', (change, match) => {
    expect(matchOf({ invitee_email: ada, ...change })).toBe(match);
  });

  it.each<[string, string, Match]>([
    ['Lovelace-Byron, Ada.', 'Ada Lovelace-Byron', 'ours'],
    ['AdaLovelaceByron', 'Ada Lovelace-Byron', 'ours'],
    ['Adà Lovelace-Byron', 'Ada Lovelace-Byron', 'ours'],
    ['Ada O&#39;Neil &amp; Co', 'Ada O’Neil & Co', 'ours'],
    ['?', 'Ada Lovelace-Byron', 'ours'],
    ['Ada Lovelace-Byron', '?', 'ours'],
    ['Ada Lovelace-Byr', 'Ada Lovelace-Byron', 'ours'],
    // No service cuts names shorter.
    ['Ada Lovelace-By', 'Ada Lovelace-Byron', 'maybe'],
    ['Ada Lovelace    ', 'Ada Lovelace-Byron', 'maybe'],
    ['da Lovelace-Byron', 'Ada Lovelace-Byron', 'maybe'],
    ['Anna Isabella Byron', 'Ada Lovelace-Byron', 'maybe'],
  ])('by its name: the invitee as "%s" for "%s" is %s', (shown, name, match) => {
    expect(matchOf({ invitee_email: ada, invitee_name: shown }, name)).toBe(match);
  });
});

it.each([
  ['the address that was sent', { invitee_email: 'Ada@Example.com' }, true],
  ['no address and the name, in other letters', { invitee_name: 'LOVELACE-BYRON, ADA' }, true],
  ["somebody else's address, and the name", { invitee_email: 'eve@example.com', invitee_name: 'Ada Lovelace-Byron' }, true],
  ["somebody else's address and name", { invitee_email: 'eve@example.com', invitee_name: 'Eve Moore' }, false],
  ['nobody', {}, false],
])('whether a record with %s shows the person who was sent', (_, shown, isShown) => {
  expect(mayShow({ id: 'a', ...slot, ...shown }, sent)).toBe(isShown);
});
