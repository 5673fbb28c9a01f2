import { reader } from '../../shared/reading/index.ts';

// Other places in a booking (G5), read as long as nobody knows the service's own. Settling G5 deletes this file.

it('an event type may be an object', () => {
  const raw = { id: 'a', event_type_id: '', event_type: { id: 'evt_1' } };
  expect(reader.read('booking', { raw })).toEqual({ ...raw, event_type_id: 'evt_1' });
});

it('two people are not told as one', () => {
  const raw = { id: 'a', start_time: '2032-05-04T10:00:00Z', customer_email: 'x@y.example', contact_name: 'Q R' };
  expect(reader.read('booking', { raw })).toEqual({ ...raw, invitee_email: 'x@y.example' });
});
