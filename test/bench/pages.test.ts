import { bodyOf } from '../../bench/material.ts';
import { bookingOf } from '../../bench/service/bookings.ts';
import { readRecord } from '../../shared/api/records.ts';

it('the bookings that are listed are records as the service sends them, without what the core adds', () => {
  const sent = bookingOf(3, 'bkg_3');
  expect(readRecord('booking', sent)).toEqual(sent);
  for (const added of ['invitee_start_time', 'invitee_first_name', 'answers']) expect(sent).not.toHaveProperty(added);
});

it.each([1_000, 100_000])('bodies have about the size that they are asked for: %d bytes', (bytes) => {
  expect(Math.abs(bodyOf(bytes).length - bytes)).toBeLessThan(100);
});
