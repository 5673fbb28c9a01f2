import { instantOf, isZone, resolveStart } from '../../shared/time.ts';
import { inZone } from '../../shared/wallClock.ts';
import { ServiceError } from '../../shared/api/errors.ts';

const label = 'Start';
const refusal = (text: string, zones: { zone?: string; platformZone?: string }) => {
  try {
    return resolveStart(text, { ...zones, label });
  } catch (error) {
    if (error instanceof ServiceError) return `${error.kind}: ${error.sentence}`;
    throw error;
  }
};

it.each(['2030-01-31T09:00:00Z', '2030-01-31T09:00:00.000+01:00', '2030-01-31T09:00+0530', '2030-01-31T09:00:00-03'])('sends a start with an offset as it is: %s', (start) => {
  expect(resolveStart(start, { zone: 'Asia/Tokyo', platformZone: 'Asia/Tokyo', label })).toBe(start);
});

it("reads a wall-clock start in the form's zone before the platform's", () => {
  expect(resolveStart('2030-01-31T09:00:00', { zone: 'Europe/Berlin', platformZone: 'Asia/Tokyo', label })).toBe('2030-01-31T09:00:00+01:00');
  expect(resolveStart('2030-01-31 09:00', { platformZone: 'Asia/Tokyo', label })).toBe('2030-01-31T09:00:00+09:00');
});

it('refuses a wall-clock start where no zone is known, naming the field', () => {
  expect(refusal('2030-01-31T09:00:00', {})).toMatch(/^invalid: "Start" has no offset, and no time zone says where it is: "2030-01-31T09:00:00"\./);
});

it('refuses a time that a clock change skips, and takes the first of one that it repeats', () => {
  expect(refusal('2026-03-29T02:30', { zone: 'Europe/Berlin' })).toContain('does not exist in Europe/Berlin');
  expect(refusal('2026-03-08T02:00', { zone: 'America/New_York' })).toContain('does not exist in America/New_York');
  expect(resolveStart('2026-10-25T02:30', { zone: 'Europe/Berlin', label })).toBe('2026-10-25T02:30:00+02:00');
  expect(resolveStart('2026-11-01T01:30', { zone: 'America/New_York', label })).toBe('2026-11-01T01:30:00-04:00');
  // Half an hour, and in the other half of the year.
  expect(refusal('2026-10-04T02:15', { zone: 'Australia/Lord_Howe' })).toContain('does not exist');
  // A whole day that was skipped.
  expect(refusal('2011-12-30T12:00', { zone: 'Pacific/Apia' })).toContain('does not exist');
});

it.each(['tomorrow', '2030-01-31', '09:00', '2030-02-30T09:00:00Z', '2030-01-31T25:00:00Z', '', '2030-01-31T09:00:00Zjunk'])('refuses what is no date and time: %p', (text) => {
  expect(refusal(text, { zone: 'Europe/Berlin' })).toContain('is not a date and time');
});

it('asks the engine for zones, so that valid names which its own list lacks are taken', () => {
  for (const name of ['UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'Europe/Berlin']) expect(isZone(name)).toBe(true);
  for (const name of ['Mars/Olympus', '+02:00', '', 'Europe/', 'a'.repeat(100)]) expect(isZone(name)).toBe(false);
});

it('shows an instant on the clock of a zone, and nothing where either cannot be read', () => {
  expect(inZone('2030-01-31T09:00:00Z', 'America/New_York')).toBe('2030-01-31T04:00:00-05:00');
  expect(inZone('2030-01-31T09:00:00Z', undefined)).toBeUndefined();
  expect(inZone(17, 'UTC')).toBeUndefined();
});

it('compares instants, not texts', () => {
  expect(instantOf('2030-01-31T09:00:00Z')).toBe(instantOf('2030-01-31T10:00:00.000+01:00'));
  expect(instantOf('2030-01-31T09:00:00')).toBeNaN();
});
