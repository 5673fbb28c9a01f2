import * as z from 'zod/v4';
import { copied, inAscii, isBlank, isInexact, onlyOne, visible, yesOrNo } from '../values.ts';
import { listed } from './choices.ts';
import type { FieldText, Form, Operation, ParsedInput, RunContext } from './define.ts';
import { complaint, filtersOf, ignoredFiltersNote, refusedFilters, refusedForm, leftover, type Complaint } from './refusedForm.ts';
import { formFields } from './form.ts';
import { unplaced } from '../time/time.ts';
import { certainZone, zoneFault } from '../time/zones.ts';
import { startsOf } from './times.ts';

/** How a form is filled in. */
interface Filling extends Pick<RunContext, 'note'> {
  /** The platform's own time zone, for a time without an offset if the form specifies no zone. */
  timeZone?: string | undefined;
  /** The zone in which days begin, if neither the form nor the platform specifies one. */
  dayZone?: string | undefined;
  /** Filters that are left out if their values turn out empty; the note then says so. */
  mayBeEmpty?: readonly string[] | undefined;
}

/**
 * Checks and parses all values of a form. Empty fields count as left out. But a filter (see {@link filtersOf}) that someone filled in and
 * whose value turned out empty is refused, because without it everything would be found. A time without an offset is read in the form's own
 * time zone, otherwise in the platform's, and becomes an instant.
 *
 * @param raw the fields that someone filled in, and no others
 * @throws ServiceError `invalid` that names each wrong field by its label and says what is wrong
 */
export function parseInput<Input extends Form>(
  operation: { input: Input; yields?: Operation['yields'] },
  raw: Readonly<Record<string, unknown>>,
  { timeZone, dayZone, mayBeEmpty = [], note }: Filling = {},
): ParsedInput<Input> {
  const { input } = operation;
  const empty = filtersOf(operation).filter(({ key }) => Object.hasOwn(raw, key) && isBlank(raw[key]));
  const values = filledIn(input, raw);
  const result = schemaOf(input).safeParse(values);
  const complaints = formFields(input).flatMap((field) => leftover(field, values[field.key]));
  for (const issue of result.error?.issues ?? []) {
    const key = String(issue.path[0] ?? '');
    if (complaints.every(({ field }) => field !== key))
      complaints.push({ field: key, label: input[key]?.label ?? key, message: complaint(issue, values[key], raw[key]) });
  }
  const times = startsOf(input, result.data ?? values, timeZone, dayZone);
  // If the zone itself is wrong, a complaint that a time cannot be placed adds nothing.
  const isZoneWrong = complaints.some(({ field }) => input[field]?.control === 'timeZone');
  const isOwn = ({ field, message }: Complaint): boolean =>
    !complaints.some((each) => each.field === field) && !(isZoneWrong && message.startsWith(unplaced));
  complaints.push(...times.complaints.filter(isOwn));
  const refused = empty.filter(({ key }) => !mayBeEmpty.includes(key));
  if (refused.length > 0) throw refusedFilters(refused, complaints);
  if (complaints.length > 0) throw refusedForm(complaints);
  if (empty.length > 0) note?.(ignoredFiltersNote(empty));
  return { ...result.data, ...times.instants } as ParsedInput<Input>;
}

/**
 * A declared choice is recognized in any letter case, by its label, and in either spelling: `canceled` is `CANCELLED`. A boolean may be
 * text, because expressions and command lines write yes and no.
 */
function asDeclared(field: Partial<FieldText>, value: unknown): unknown {
  const isSeveral = field.control === 'choices' || field.control === 'events';
  const several = isSeveral && typeof value === 'string' ? listed(value, field.choices ?? []) : value;
  if (Array.isArray(several)) return several.map((each) => asDeclared({ ...field, control: 'choice' }, each));
  if (typeof value !== 'string') return value;
  if (field.control === 'boolean') return yesOrNo(value) ?? value;
  const said = value.trim().toLowerCase();
  // For `en-US`, only the language is declared.
  const meant = [said.replace(/^canceled/, 'cancelled'), said.split(/[-_]/, 1)[0]];
  return field.choices?.find((choice) => [choice.value, choice.label].some((each) => meant.includes(each.toLowerCase())))?.value ?? value;
}

/** A zone's offset from UTC, as lists and readable times show it next to its name. */
const shownOffset = /^\((?:UTC|GMT)[^()]*\)\s*| \((?:UTC|GMT)[^()]*\)$|, UTC[+-][\d:]+$/;

/**
 * Cleans up ids, addresses, times and zones (lists show zones with spaces). Names and notes stay unchanged, as does the letter case of ids.
 */
function asMeant({ control = 'text', lookup }: Partial<FieldText>, given: unknown): unknown {
  const value = onlyOne(given);
  if (typeof value !== 'string' || (lookup === undefined && !['email', 'dateTime', 'choice', 'url'].includes(control))) return value;
  const typed = control === 'text' ? visible(value) : inAscii(value);
  const text = copied(control === 'email' ? addressAlone(typed) : typed);
  return control === 'timeZone' ? zoneMeant(text.replace(shownOffset, '')) : text;
}

/** Replaces Windows' name of a zone by the IANA name, unless people also use it for a clock without daylight saving time. */
const zoneMeant = (name: string): string => (zoneFault(name) === undefined && certainZone(name)) || name.replaceAll(' ', '_');

/** An email address without what programs write around it: the name of its owner in email headers (RFC 5322), a link in pages and chats. */
function addressAlone(text: string): string {
  const [, linked = text] = /^\[[^[\]]*\]\(([^()]*)\)$/.exec(text) ?? [];
  const [, address = linked] = /^(?:"[^"<>]*" ?|[^"<>@,;]*)<([^<>]*)>$/.exec(linked) ?? [];
  return address.replace(/^mailto:([^?]*).*$/is, '$1');
}

/** The fields that are not empty, cleaned up. A number that an expression returned for an id or a note becomes text. */
export function filledIn(input: Form, raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const filled = Object.entries(raw).filter(([, value]) => !isBlank(value));
  return Object.fromEntries(
    filled.map(([key, given]) => {
      const field: Partial<FieldText> = input[key] ?? {};
      const value = asMeant(field, given);
      return [key, Number.isFinite(value) && !isInexact(value) && field.control !== 'number' ? String(value) : asDeclared(field, value)];
    }),
  );
}

const schemas = new WeakMap<Form, z.ZodObject>();

/** Created on first use, because a starting platform shows every form but checks none. */
function schemaOf(form: Form): z.ZodObject {
  const known = schemas.get(form);
  if (known !== undefined) return known;
  const schema = z.object(Object.fromEntries(Object.entries(form).map(([key, { schema: inner }]) => [key, inner])));
  schemas.set(form, schema);
  return schema;
}
