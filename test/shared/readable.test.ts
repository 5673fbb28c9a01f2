import { readableTime } from '../../shared/time/readable.ts';

it.each([
  ['en', 'Friday 1 February 2030, 00:30 (Europe/Madrid, UTC+1)'],
  ['es-419', 'viernes, 1 de febrero de 2030, 00:30 (Europe/Madrid, UTC+1)'],
  ['FR_ca', 'vendredi 1er février 2030, 00:30 (Europe/Madrid, UTC+1)'],
  ['de', 'Friday 1 February 2030, 00:30 (Europe/Madrid, UTC+1)'],
  [null, 'Friday 1 February 2030, 00:30 (Europe/Madrid, UTC+1)'],
])('a start in the locale %j is written in its language, or in English: %s', (locale, words) => {
  expect(readableTime('2030-01-31T23:30:00Z', 'Europe/Madrid', locale)).toBe(words);
});

it.each([
  ['2030-03-31T00:59:00Z', 'Europe/London', 'Sunday 31 March 2030, 00:59 (Europe/London, UTC+0)'],
  ['2030-03-31T01:00:00Z', 'Europe/London', 'Sunday 31 March 2030, 02:00 (Europe/London, UTC+1)'],
  ['2030-10-27T00:30:00Z', 'Europe/London', 'Sunday 27 October 2030, 01:30 (Europe/London, UTC+1)'],
  ['2030-01-31T00:00:00+01:00', 'Europe/Berlin', 'Thursday 31 January 2030, 00:00 (Europe/Berlin, UTC+1)'],
  ['2030-01-31T24:00:00Z', 'UTC', 'Friday 1 February 2030, 00:00 (UTC)'],
  ['2030-12-31T18:30:00.000Z', 'Asia/Kolkata', 'Wednesday 1 January 2031, 00:00 (Asia/Kolkata, UTC+5:30)'],
  [1_896_000_000, 'America/New_York', 'Wednesday 30 January 2030, 05:40 (America/New_York, UTC-5)'],
])('%s is written as the clock in %s shows it', (instant, zone, words) => {
  expect(readableTime(instant, zone, 'en')).toBe(words);
});

it.each([
  ['without an offset', '2030-01-31T09:00:00', 'Europe/London'],
  ['that is only a day', '2030-01-31', 'Europe/London'],
  ['that is no time', 'soon', 'Europe/London'],
  ['that is missing', null, 'Europe/London'],
  ['in no zone', '2030-01-31T09:00:00Z', null],
  ['in an unknown zone', '2030-01-31T09:00:00Z', 'Europe/Atlantis'],
  ['in a zone of several meanings', '2030-07-31T09:00:00Z', 'BST'],
  ['in an offset', '2030-01-31T09:00:00Z', '+01:00'],
])('a time %s has no readable form', (_, instant, zone) => {
  expect(readableTime(instant, zone, 'en')).toBeUndefined();
});
