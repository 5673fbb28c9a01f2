import * as z from 'zod/v4';
import { copied, inAscii, isBlank, isInexact, onlyOne, visible, yesOrNo } from '../values.ts';
import { listed } from './choices.ts';
import type { FieldText, Form, Operation, ParsedInput, RunContext } from './define.ts';
import { complaint, filtersOf, ignoredFiltersNote, refusedFilters, refusedForm, leftover, type Complaint } from './refusedForm.ts';
import { formFields } from './form.ts';
import { unplaced } from '../time/time.ts';
import { certainZone, zoneFault } from '../time/zones.ts';
import { startsOf } from './times.ts';

/** How a form was filled in. */
interface Filling extends Pick<RunContext, 'note'> {
  /** The platform's own time zone, for a time without an offset if the form names no zone. */
  timeZone?: string | undefined;
  /** The zone in which a day begins, if neither the form nor the platform names one. */
  dayZone?: string | undefined;
  /** Filters that are left out if they came out empty, and the note says so. */
  mayBeEmpty?: readonly string[] | undefined;
}

/**
 * The values of a form, completely checked and parsed. Empty fields count as left out, but a filter that somebody filled in and that came
 * out empty, see {@link filtersOf}, is refused, because without it everything would be found. A time without an offset is read in the
 * form's own time zone, otherwise in the platform's, and becomes an instant.
 *
 * @param raw the fields that somebody filled in, and no others
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
  // Without the zone that is complained about, nobody can say what is wrong with a time in it.
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
 * A declared choice is meant in any letter case, by its label as well, and in either spelling: `canceled` is `CANCELLED`. Expressions and
 * command lines write yes and no as text.
 */
function asDeclared(field: Partial<FieldText>, value: unknown): unknown {
  const isSeveral = field.control === 'choices' || field.control === 'events';
  const several = isSeveral && typeof value === 'string' ? listed(value, field.choices ?? []) : value;
  if (Array.isArray(several)) return several.map((each) => asDeclared({ ...field, control: 'choice' }, each));
  if (typeof value !== 'string') return value;
  if (field.control === 'boolean') return yesOrNo(value) ?? value;
  const said = value.trim().toLowerCase();
  // Of `en-US`, only the language is declared.
  const meant = [said.replace(/^canceled/, 'cancelled'), said.split(/[-_]/, 1)[0]];
  return field.choices?.find((choice) => [choice.value, choice.label].some((each) => meant.includes(each.toLowerCase())))?.value ?? value;
}

/** How far ahead of UTC a zone is, as lists and readable times show it beside its name. */
const shownOffset = /^\((?:UTC|GMT)[^()]*\)\s*| \((?:UTC|GMT)[^()]*\)$|, UTC[+-][\d:]+$/;

/** Ids, addresses, times and zones as they were meant: lists show zones with spaces. Names and notes stay as they are, and so do the letters of ids. */
function asMeant({ control = 'text', lookup }: Partial<FieldText>, given: unknown): unknown {
  const value = onlyOne(given);
  if (typeof value !== 'string' || (lookup === undefined && !['email', 'dateTime', 'choice', 'url'].includes(control))) return value;
  const typed = control === 'text' ? visible(value) : inAscii(value);
  const text = copied(control === 'email' ? addressAlone(typed) : typed);
  return control === 'timeZone' ? zoneMeant(text.replace(shownOffset, '')) : text;
}

/** Windows' name of a zone becomes the usual one, if it is not one that people also use for a clock without summer time. */
const zoneMeant = (name: string): string => (zoneFault(name) === undefined && certainZone(name)) || name.replaceAll(' ', '_');

/** An email address without what programs write around it: in the headers of a mail the name of its owner (RFC 5322), in pages and chats a link. */
function addressAlone(text: string): string {
  const [, linked = text] = /^\[[^[\]]*\]\(([^()]*)\)$/.exec(text) ?? [];
  const [, address = linked] = /^(?:"[^"<>]*" ?|[^"<>@,;]*)<([^<>]*)>$/.exec(linked) ?? [];
  return address.replace(/^mailto:([^?]*).*$/is, '$1');
}

/** The fields that are not empty, as they were meant. Numbers become text where an expression returned them for an id or a note. */
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

/** Made on first use: when a platform starts, it shows every form but checks none. */
function schemaOf(form: Form): z.ZodObject {
  const known = schemas.get(form);
  if (known !== undefined) return known;
  const schema = z.object(Object.fromEntries(Object.entries(form).map(([key, { schema: inner }]) => [key, inner])));
  schemas.set(form, schema);
  return schema;
}
