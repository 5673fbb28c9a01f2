import { instantOf, inZone, isoDay as yearFirst, readStart, wallTimeOf } from '../time/time.ts';
import { keysAt } from './shapes.ts';
import { statusTransitions } from '../assumptions.ts';
import { isKnownStatus, statusText } from './status.ts';
import { asText, hasValue, idText, isObject, onlyOne, yesOrNo } from '../values.ts';

/** Returns a value in its canonical form, or `undefined` if it is not of this kind. */
export type Read = (value: unknown) => unknown;

export const none: Read = () => undefined;
const nothing = /^(?:(?:[Nn]one|NONE|null|NULL|nil|NIL|[Nn]\/[Aa]|-)?$|000[01]-\d\d-\d\d)/;
/** Whether a text stands for "nothing": a word such as `null`, or the zero time of a database. */
const saysNothing = (value: unknown): boolean => typeof value === 'string' && nothing.test(value.trim());
const matching =
  (...forms: RegExp[]): Read =>
  (value) =>
    typeof value === 'string' && !saysNothing(value) && forms.every((form) => form.test(value)) ? value : undefined;
const text = matching();

const emailIn = matching(/^[^@]*[^@\s]@[^@\s][^@]*$/);
const webAddress = matching(/^https?:\/\//i);
/** A link to a map is a place, not a meeting. */
const ofMap = /^https?:\/\/(?:www\.)?(?:maps\.|google\.[a-z.]{2,6}\/maps|goo\.gl\/maps)/i;

const ofPlaces = /person|physical|address|venue|place|office|site|store|custom/i;
const ofMeetings = [
  /^https:\/\/meet\.[\w.-]+\/\w/i,
  /^https:\/\/(?:[\w-]+\.)*(?:zoom(?:gov)?\.(?:us|com)\/(?:j|my|w|wc)|teams\.(?:microsoft|live)\.com|webex\.com|jit\.si|gotomeet(?:ing)?\.(?:com|me)|whereby\.com|daily\.co|chime\.aws|8x8\.vc)\/\w/i,
];

const phoneIn: Read = (value) => (typeof value === 'number' ? String(value) : matching(/\d.*\d/)(value));
const among =
  (system: string, read: Read): Read =>
  (value) =>
    (Array.isArray(value) ? value : [])
      .map((each) => (isObject(each) && each['system'] === system ? read(each['value']) : undefined))
      .find(hasValue);

/** How each kind of value in the table is read. */
export const factValues: Readonly<Record<string, Read>> = {
  any: (value) => (hasValue(value) ? value : undefined),
  /** Also as MongoDB writes it. */
  id: (value) => idText(isObject(value) ? value['$oid'] : value),
  text,
  /** A word, not a number: only the service knows what its numbers mean. */
  word: (value) => {
    const said = isObject(value) ? text(statusText(value)) : value;
    return hasValue(said) && typeof said !== 'boolean' && !/^-?\d+$/.test(asText(said)) ? said : undefined;
  },
  /** A status that bookings have, not the state of an address. */
  status: (value) => (isKnownStatus(value) ? value : undefined),
  /** A word of the service's own, not a code. */
  said: matching(/^\p{L}[\p{L} _-]{2,40}$/u),
  /** An event type's name, not a program's constant. */
  phrase: matching(/\p{L}/u, /[\p{L}\p{N}'-] +\S/u),
  /** A person's name, not a login. */
  name: matching(/^[^@]+$/, /\p{L}/u),
  /** All given names of a person. */
  names: (value) =>
    Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each !== '').join(' ') || undefined : undefined,
  email: emailIn,
  /** The first of one person's addresses: all are equally good. */
  emails: (value) => (Array.isArray(value) ? value.map(emailIn).find((each) => each !== undefined) : undefined),
  phone: phoneIn,
  /** From a list of contact points, each of which names its kind (FHIR's `telecom`). */
  mailed: among('email', emailIn),
  called: among('phone', phoneIn),
  /** A phone number under a name that may also be that of a customer number. */
  dialled: matching(/^\+?[\d ()-]{8,24}$/),
  zone: matching(/^[A-Za-z][\w+\-/ ]{1,60}$/),
  url: (value) => (ofMap.test(asText(value)) ? undefined : webAddress(value)),
  /** A link to an online meeting, known by its host name, not to a place's website. */
  meeting: (value) => (ofMeetings.some((each) => each.test(asText(value))) ? value : undefined),
  /** The same, known by the location's kind. */
  online: (value) => {
    const kinds = isObject(value) ? keysAt(value, '(?:location_?)?(?:type|kind)').map((key) => asText(value[key])) : [];
    return isObject(value) && kinds.length > 0 && !kinds.some((each) => ofPlaces.test(each)) ? webAddress(value['value']) : undefined;
  },
  time: timeOf,
  local: timeOf,
  minutes: minutesIn,
  /** A time whose name says that it is in UTC. */
  utc: (value) => {
    const at = timeOf(value);
    return at !== undefined && !at.endsWith('Z') && wallTimeOf(at) !== undefined ? `${at.replace(' ', 'T')}Z` : at;
  },
  ref: idInAddress,
  /** The id of the booked service, not of an order line that refers to it, or that has times or staff. */
  offer: (value) => {
    const one = onlyOne(value);
    return isObject(one) && keysAt(one, '(?:service|staff|{start}|scheduled)(?:_.*)?').length === 0 ? idText(one['id']) : undefined;
  },
  /** An id that cannot be mistaken for a name. */
  code: matching(/\d/, /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,}|[A-Z]{2,6}-[A-Z0-9]{6,})$/),
  cancelled: (value) =>
    hasValue(value) && yesOrNo(value) !== false && !isEmpty(value) && !saysNothing(value) ? statusTransitions.cancelled : undefined,
  confirmed: (value) => (value === true ? statusTransitions.confirmed : value === false ? statusTransitions.pending : undefined),
};

/**
 * A date with a time of day, as sent. A number since the epoch becomes an ISO time, and a local time beside its zone becomes an instant.
 * `undefined` for a day or a time of day alone.
 */
function timeOf(value: unknown): string | undefined {
  if (!hasValue(value) || saysNothing(value)) return undefined;
  if (typeof value === 'string' && usual.test(value)) return value;
  if (isObject(value)) {
    const [seconds, at, zone] = [['sec(?:onds)?|timestamp'], ['date_time', 'utc', 'date', 'iso'], ['{zone}']].map((names) =>
      names.flatMap((name) => keysAt(value, name).map((key) => value[key])).find(hasValue),
    );
    if (seconds !== undefined) return timeOf(seconds);
    if (typeof at !== 'string') return undefined;
    const wall = wallTimeOf(at.replace(/(\.\d{1,9})\d*$/, '$1'));
    const read = wall === undefined ? undefined : readStart(at, asText(zone));
    return read === undefined ? timeOf(at) : 'instant' in read ? read.instant : undefined;
  }
  const written = typeof value === 'string' ? isoDay(value) : value;
  if (written !== value) return written === undefined ? undefined : timeOf(written);
  const at = instantOf(value);
  const isEpoch = /^\d+(?:\.\d+)?$/.test(asText(value));
  if (Number.isFinite(at)) return isEpoch ? new Date(at).toISOString().replace('.000Z', 'Z') : (value as string);
  return wallTimeOf(asText(value).replace(/ ?[[(]?[A-Z][A-Za-z_/]{1,40}[\])]?$/, '')) === undefined ? undefined : asText(value);
}

const months = 'janfebmaraprmayjunjulaugsepoctnovdec';

/** Puts a date into ISO 8601's order; `undefined` if either number may be the month. With dots, the second number is the month. */
function isoDay(text: string): string | undefined {
  if (/^\d{4}[-/]/.test(text)) return yearFirst(text);
  const [, epoch] = /^\/Date\((\d{9,14})(?:[+-]\d{4})?\)\/$/.exec(text) ?? [];
  if (epoch !== undefined) return epoch;
  // As calendars write it (iCalendar).
  if (/^\d{8}T\d{6}(?:Z|[+-]\d{4})?$/.test(text)) return text.replace(/^(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5');
  const [, one = '', by, other = '', year = '', rest = ''] =
    /^(\d{1,2})([./-])(\d{1,2}|[A-Za-z]{3})[./-](\d{4})\b(.{0,40})$/.exec(text.trim()) ?? [];
  if (year === '') return text;
  const [first, second] = [Number(one), Number(other) || months.indexOf(other.toLowerCase()) / 3 + 1];
  if (!Number.isInteger(second) || second < 1 || (by !== '.' && /\d/.test(other) && first <= 12 && second <= 12 && first !== second))
    return undefined;
  const [day, month] = second > 12 && by !== '.' ? [second, first] : [first, second];
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}${rest}`;
}

/**
 * Joins a day and its time of day from another field, as a local time of the zone beside them, if one is named. `undefined` if the end is
 * before the start, because it is then on another day.
 */
export function onDay(day: unknown, beside: Readonly<Record<string, unknown>>, clock: string): string | undefined {
  const [at, from = ''] = clock.split('&').map((names) =>
    keysAt(beside, names)
      .map((key) => asText(beside[key]))
      .find((text) => /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/.test(text)),
  );
  const [, sent = '00:00'] = /[T ](\d\d:\d\d)/.exec(asText(day)) ?? [];
  // If the day has another time of its own, it is unknown which one counts.
  if ((at ?? '') < from || (sent !== '00:00' && !at?.startsWith(sent))) return undefined;
  const local = timeOf(`${isoDay(asText(day))?.slice(0, 10)}T${at}`);
  return local && inZoneBeside(local, beside);
}

/** A local time as an instant, if its zone is beside it. */
export function inZoneBeside(local: string, beside: Readonly<Record<string, unknown>>): string {
  const zone = keysAt(beside, '{zone}').map((key) => beside[key])[0];
  return inZone(timeOf({ dateTime: local, timeZone: zone }), zone) ?? local;
}

const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** The form that nearly all services use, recognized without parsing. */
const usual =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/;

/** A duration of this many minutes or more is not read: the number may be in seconds. */
const notMinutes = 600;

function minutesIn(value: unknown): number | undefined {
  const said = asText(value);
  const [, hours = 0, minutes = 0] =
    /^PT(?=\d)(?:(\d{1,2})H)?(?:(\d{1,3})M)?$/.exec(said) ?? /^()(\d{1,3}) min(?:ute)?s?$/.exec(said) ?? [];
  const count = Number(hours) * 60 + Number(minutes) || (/^\d{1,4}$/.test(said) ? Number(value) : 0);
  return count > 0 && count < notMinutes ? count : undefined;
}

/** The id at the end of an API address. The part before it says what it identifies, see {@link kindInAddress}. */
function idInAddress(value: unknown): string | undefined {
  const [, id] = /^https?:\/\/[^?#]+\/([^/?#]+?)(?:\.json)?\/?$/.exec(asText(value)) ?? [];
  return idText(id);
}

/** The kind of thing that an API address identifies: `scheduled_events` in `/scheduled_events/E1`. */
export const kindInAddress = (value: unknown): string => /\/([^/?#]+)\/[^/?#]+\/?$/.exec(asText(value))?.[1]?.replaceAll('-', '_') ?? '';
