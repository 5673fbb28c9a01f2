import { matchBooking, type FoundIn, type Match } from '../../shared/operations/booking/match.ts';

const ada = 'ada@example.com';
const slot = { event_type_id: 'evt_1', start_time: '2030-01-02T09:00:00Z' };
const sent = { ...slot, invitee_name: 'Ada Lovelace-Byron', invitee_email: ada };
const sentAfter = '2030-01-01T12:00:00Z';
const before = '2030-01-01T11:59:59Z';
const tenOClock = '2030-01-02T10:00:00Z';

/** What a record of the slot and the type that were sent is, among the bookings of one person or of everybody. */
const matchOf = (change: object, foundIn: FoundIn = 'person', name = sent.invitee_name): Match =>
  matchBooking({ id: 'a', ...slot, ...change }, { ...sent, invitee_name: name }, Date.parse(sentAfter), foundIn);

describe('after a lost answer, a booking is the one that was sent', () => {
  it.each<[object, FoundIn, Match]>([
    [{ invitee_email: ada }, 'person', 'same'],
    [{ invitee_email: ada }, 'everybody', 'same'],
    [{ invitee_email: ada, created_at: sentAfter }, 'person', 'same'],
    [{ invitee_email: ada, created_at: before }, 'person', 'possible'],
    // Without an offset, nobody can tell.
    [{ invitee_email: ada, created_at: '2030-01-01T11:59:59' }, 'person', 'same'],
    [{ invitee_email: ada, status: 'CANCELLED' }, 'person', 'possible'],
    [{ invitee_email: ada, event_type_id: 'evt_2' }, 'person', 'possible'],
    // A type that is not shown speaks neither for nor against it.
    [{ invitee_email: ada, event_type_id: undefined }, 'person', 'same'],
    [{ invitee_email: ada, event_type_id: null }, 'person', 'same'],
    [{ invitee_email: ada, event_type_id: '' }, 'person', 'same'],
  ])('by its time, type and status: %j among those of one %s is %s', (change, foundIn, match) => {
    expect(matchOf(change, foundIn)).toBe(match);
  });

  it.each<[object, FoundIn, Match]>([
    [{ invitee_name: 'Ada Lovelace-Byron' }, 'person', 'same'],
    [{}, 'person', 'possible'],
    [{}, 'everybody', 'possible'],
    [{ created_at: before }, 'everybody', 'other'],
    [{ start_time: tenOClock }, 'everybody', 'other'],
    [{ start_time: undefined }, 'everybody', 'other'],
    [{ invitee_email: 'a***@example.com' }, 'person', 'possible'],
    [{ invitee_email: 'a***@example.com' }, 'everybody', 'possible'],
    [{ invitee_email: 'b***@example.com' }, 'everybody', 'possible'],
    [{ invitee_email: 'byron@example.net', invitee_name: 'Ada Lovelace-Byron' }, 'person', 'possible'],
    [{ invitee_email: 'byron@example.net', invitee_name: 'Ada Lovelace-Byron', created_at: before }, 'person', 'possible'],
    [{ invitee_email: 'byron@example.net', invitee_name: 'Ada Lovelace-Byron', created_at: before }, 'everybody', 'other'],
    [{ invitee_email: 'grace@example.net', invitee_name: 'Grace Hopper', created_at: before }, 'person', 'other'],
    [{ invitee_email: 'grace@example.net', invitee_name: 'Grace Hopper', created_at: sentAfter }, 'everybody', 'possible'],
    [{ invitee_email: 'grace@example.net', created_at: sentAfter, start_time: tenOClock }, 'person', 'other'],
  ])('by its person: %j among those of one %s is %s', (change, foundIn, match) => {
    expect(matchOf(change, foundIn)).toBe(match);
  });

  it.each<[object, Match]>([
    [{ start_time: '2030-01-02T09:00:59Z' }, 'same'],
    [{ start_time: '2030-01-02T10:00:00+01:00' }, 'same'],
    [{ start_time: '2030-01-02T09:01:00Z' }, 'other'],
    [{ start_time: undefined }, 'possible'],
    // In some zone, this is the slot.
    [{ start_time: '2030-01-02T23:00:00' }, 'possible'],
    [{ start_time: '2030-01-01T19:00:00' }, 'possible'],
    [{ start_time: '2030-01-05T09:00:00' }, 'other'],
    [{ start_time: tenOClock, created_at: sentAfter }, 'possible'],
    [{ start_time: tenOClock, created_at: before }, 'other'],
    [{ start_time: tenOClock, created_at: before, previous_start_time: slot.start_time }, 'possible'],
  ])('by its start: the invitee with %j is %s', (change, match) => {
    expect(matchOf({ invitee_email: ada, ...change })).toBe(match);
  });

  it.each<[string, string, Match]>([
    ['ADA LOVELACE-BYRON', 'Ada Lovelace-Byron', 'same'],
    ['Lovelace-Byron, Ada.', 'Ada Lovelace-Byron', 'same'],
    ['AdaLovelaceByron', 'Ada Lovelace-Byron', 'same'],
    ['Adà Lovelace-Byron', 'Ada Lovelace-Byron', 'same'],
    ['Ada O&#39;Neil &amp; Co', 'Ada O’Neil & Co', 'same'],
    ['?', 'Ada Lovelace-Byron', 'same'],
    ['Ada Lovelace-Byron', '?', 'same'],
    ['Ada Lovelace-Byr', 'Ada Lovelace-Byron', 'same'],
    // No service cuts names shorter.
    ['Ada Lovelace-By', 'Ada Lovelace-Byron', 'possible'],
    ['Ada Lovelace    ', 'Ada Lovelace-Byron', 'possible'],
    ['da Lovelace-Byron', 'Ada Lovelace-Byron', 'possible'],
    ['Anna Isabella Byron', 'Ada Lovelace-Byron', 'possible'],
  ])('by its name: the invitee as "%s" for "%s" is %s', (shown, name, match) => {
    expect(matchOf({ invitee_email: ada, invitee_name: shown }, 'person', name)).toBe(match);
  });
});
