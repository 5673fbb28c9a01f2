import { readStart } from '../time/time.ts';
import { quoteValue } from '../values.ts';
import type { Form } from './define.ts';
import type { Complaint } from './refusedForm.ts';

const isDay = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value.trim());

/** Whether a form was filled in with a day, which begins with midnight in some zone. */
export const hasDay = (form: Form, values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(form).some(([key, { mayBeDay }]) => mayBeDay === true && isDay(values[key]));

/**
 * The times of a form as instants, each in the form's own time zone if it has no offset, or else in the platform's.
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
  for (const [field, { control, label, mayBeDay }] of Object.entries(input)) {
    const text = values[field];
    if (control !== 'dateTime' || typeof text !== 'string') continue;
    const day = mayBeDay === true && isDay(text);
    const wanted = day ? (zone ?? dayZone) : zone;
    const inZone = (time: string) => readStart(time, typeof wanted === 'string' ? wanted : undefined);
    const midnight = inZone(day ? `${text.trim()}T00:00` : text);
    // In some zones, such as those of Santiago and Cairo, the clocks skip one midnight a year.
    const start = day && !('instant' in midnight) ? inZone(`${text.trim()}T01:00`) : midnight;
    if ('instant' in start) instants[field] = start.instant;
    else complaints.push({ field, label, message: `${start.complaint}: it is ${quoteValue(text)}` });
  }
  const at = (field: string): number => Date.parse(instants[field] ?? '');
  for (const [field, { label, laterThan = '' }] of Object.entries(input))
    if (at(field) <= at(laterThan))
      complaints.push({ field, label, message: `must be later than "${input[laterThan]?.label ?? laterThan}"` });
  return { instants, complaints };
}
