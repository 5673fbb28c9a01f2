import { reader } from '../../shared/reading/index.ts';

// Another name of an id (G3), read as long as nobody knows the service's own. Settling G3 deletes this file.

it('a record without an `id` is known by its `uid`', () => {
  expect(reader.read('booking', { raw: { id: null, uid: 'a', status: null } })).toEqual({ id: 'a', uid: 'a', status: null });
});

it.each([
  { bookingNumber: 'a', productId: 'p1', startTime: '2032-05-04T10:00:00Z' },
  { event: 'https://x.example/scheduled_events/a', email: 'bo@lind.example' },
])('a record is known by what its service knows it by: %j', (raw) => {
  expect(reader.idOf('booking', raw)).toBe('a');
});
