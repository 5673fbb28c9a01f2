import { isoDay, readStart, startOfDay } from '../time/time.ts';
import { asText, quoteValue } from '../values.ts';
import type { Form } from './define.ts';
import type { Complaint } from './refusedForm.ts';

/** A day; programs may add its calendar: `2030-01-31[u-ca=gregory]`. */
const dayIn = (value: unknown): string | undefined =>
  /^(\d{4}-\d{2}-\d{2})(?:\[!?u-ca=[\w-]{1,64}\])?$/.exec(isoDay(asText(value).trim()))?.[1];

/** The day whose midnight ends the period. A period from a day to the same day is that day, so it ends when the next day begins. */
function beginning(day: string, from: unknown): string {
  const next = new Date(`${day}T00:00Z`);
  if (dayIn(from) !== day || Number.isNaN(next.getTime())) return day;
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

/** Whether a form contains a day, whose midnight depends on a time zone. */
export const hasDay = (form: Form, values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(form).some(([key, { mayBeDay }]) => mayBeDay === true && dayIn(values[key]) !== undefined);

/**
 * The times of a form as instants. A time without an offset is read in the form's own time zone, or else in the platform's.
 *
 * @param dayZone the zone in which a day begins, if there is no other
 */
export function startsOf(
  input: Form,
  values: Readonly<Record<string, unknown>>,
  platformZone: string | undefined,
  dayZone = platformZone,
): { instants: Record<string, string>; complaints: Complaint[] } {
  const [zone = platformZone] = Object.entries(input).flatMap(([key, { control }]) => (control === 'timeZone' ? [values[key]] : []));
  const instants: Record<string, string> = {};
  const complaints: Complaint[] = [];
  for (const [field, { control, label, mayBeDay, laterThan }] of Object.entries(input)) {
    const text = values[field];
    if (control !== 'dateTime' || typeof text !== 'string') continue;
    const written = mayBeDay === true ? dayIn(text) : undefined;
    const day = written && beginning(written, laterThan === undefined ? undefined : values[laterThan]);
    const wanted = day === undefined ? zone : (zone ?? dayZone);
    const named = typeof wanted === 'string' ? wanted : undefined;
    const start = day === undefined ? readStart(text, named) : startOfDay(day, named);
    if ('instant' in start) instants[field] = start.instant;
    else complaints.push({ field, label, message: `${start.complaint}: it is ${quoteValue(text)}` });
  }
  const at = (field: string): number => Date.parse(instants[field] ?? '');
  for (const [field, { label, laterThan = '' }] of Object.entries(input))
    if (at(field) <= at(laterThan))
      complaints.push({ field, label, message: `must be later than "${input[laterThan]?.label ?? laterThan}"` });
  return { instants, complaints };
}
