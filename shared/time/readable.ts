import { asText } from '../values.ts';
import { inZone } from './time.ts';
import { certainZone } from './zones.ts';

/**
 * A zone with its offset at a time, so that people see which time-zone rule was used: `Asia/Kolkata, UTC+5:30`. @param local see
 * {@link inZone}
 */
export function zoneText(zone: string, local: string): string {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(local) ?? [];
  return sign === undefined ? zone : `${zone}, UTC${sign}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}

type Language = 'en' | 'es' | 'fr';
type DayNames = Readonly<Record<'weekday' | 'day' | 'month' | 'year', string>>;

/**
 * How a day is written in each language that a booking can have (section 4). Not left to the engine, whose order and commas differ between
 * versions.
 */
const written: Readonly<Record<Language, (parts: DayNames) => string>> = {
  en: ({ weekday, day, month, year }) => `${weekday} ${day} ${month} ${year}`,
  es: ({ weekday, day, month, year }) => `${weekday}, ${day} de ${month} de ${year}`,
  fr: ({ weekday, day, month, year }) => `${weekday} ${day === '1' ? '1er' : day} ${month} ${year}`,
};

interface Names {
  days: readonly string[];
  months: readonly string[];
}

const named = new Map<Language, Names>();

/** The names of days and months. Cached for each language, because asking the engine takes some milliseconds. */
function namesIn(language: Language): Names {
  const known = named.get(language);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const name = (type: 'weekday' | 'month', month: number, day: number): string =>
    format.formatToParts(Date.UTC(2023, month, day)).find((part) => part.type === type)?.value ?? '';
  const names = {
    // 2023 begins on a Sunday.
    days: Array.from({ length: 7 }, (_, day) => name('weekday', 0, day + 1)),
    months: Array.from({ length: 12 }, (_, month) => name('month', month, 1)),
  };
  named.set(language, names);
  return names;
}

/** The language of a locale such as `fr-CA`. English for any other language, and if the engine lacks its names. */
function languageOf(locale: unknown): Language {
  const [name = ''] = asText(locale).trim().toLowerCase().split(/[-_]/, 1);
  return (name === 'es' || name === 'fr') && Intl.DateTimeFormat.supportedLocalesOf(name).length > 0 ? name : 'en';
}

/**
 * An instant as a person writes it in a zone: `Thursday 31 January 2030, 09:00 (Europe/London, UTC+0)`. `undefined` if the instant or the
 * zone cannot be read: a time without an offset is not an instant, and `BST` is ambiguous. It follows today's time-zone rules, even in
 * older engines.
 *
 * @param locale English, Spanish or French; any other language becomes English
 */
export function readableTime(instant: unknown, zone: unknown, locale?: unknown): string | undefined {
  const known = certainZone(zone);
  return readableLocal(inZone(instant, known), known, locale);
}

/** Like {@link readableTime}. @param local the time in the zone, see {@link inZone} */
export function readableLocal(local = '', zone = '', locale?: unknown): string | undefined {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(local) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const language = languageOf(locale);
  const { days, months } = namesIn(language);
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const weekday = days[new Date(`${date}T00:00Z`).getUTCDay()] ?? '';
  const words = { weekday, day: String(day), month: months[month - 1] ?? '', year: String(year) };
  return `${written[language](words)}, ${time} (${zoneText(zone, local)})`;
}
