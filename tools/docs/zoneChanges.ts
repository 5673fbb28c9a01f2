import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import moment from 'moment-timezone';
import type { ZoneChange } from '../../shared/time/zones.ts';
import { root } from '../root.cjs';

/** A zone's rules in one release of the zone data: the end of each period in milliseconds since the epoch, and its minutes ahead of UTC. */
interface Rules {
  untils: readonly number[];
  ahead: readonly number[];
}

export type Release = Awaited<ReturnType<typeof releaseIn>>;

/** @param name the name of the release's package in `package.json` */
export async function releaseIn(name: string) {
  const file = join(root, 'node_modules', name, 'data', 'packed', 'latest.json');
  const { version, zones, links } = JSON.parse(await readFile(file, 'utf8')) as { version: string; zones: string[]; links: string[] };
  const rules = new Map<string, Rules>();
  for (const packed of zones) {
    const { name: zone, untils, offsets } = moment.tz.unpack(packed);
    rules.set(zone, { untils: untils.map((until) => until ?? Infinity), ahead: offsets.map((west) => -west) });
  }
  for (const [zone = '', link = ''] of links.map((each) => each.split('|'))) rules.set(link, rules.get(zone) ?? { untils: [], ahead: [] });
  return { version, rules };
}

/** Minutes ahead of UTC at an instant. */
export const aheadAt = ({ untils, ahead }: Rules, at: number): number => ahead[untils.findIndex((until) => at < until)] ?? Number.NaN;

/** Older bookings are rarely read. The data ends in 2037, and a difference that lasts until shortly before that counts as permanent. */
const [first, last, goesOn] = [Date.UTC(2020, 0), Date.UTC(2037, 11), Date.UTC(2035, 0)];

/** The instants in the range at which one of these rules changes. */
const cuts = (from: number, ...several: readonly Rules[]): number[] =>
  [...new Set([from, ...several.flatMap(({ untils }) => untils)])]
    .filter((at) => at >= from && at < last)
    .sort((one, other) => one - other);

/** The first comparison already tells most zones apart, without looking at all their periods. */
const isSame = (one: Rules, other: Rules, from: number, until = last): boolean =>
  aheadAt(one, from) === aheadAt(other, from) &&
  cuts(from, one, other).every((at) => at >= until || aheadAt(one, at) === aheadAt(other, at));

/** The changes between two releases, with one row for all names that share a change. */
function changesBetween(before: Release, now: Release): ZoneChange[] {
  const unchanged = [...now.rules].filter(([name, rules]) => isSame(rules, before.rules.get(name) ?? { untils: [], ahead: [] }, first));
  /** A zone with the same clocks: preferably a plain offset, otherwise one of the same area. */
  const likeOf = (name: string, rules: Rules, from: number, until?: number): string | undefined => {
    const [area = ''] = name.split('/');
    const fitting = unchanged.filter(([, other]) => isSame(rules, other, from, until)).map(([other]) => other);
    return ['Etc/GMT', area, ''].flatMap((start) => fitting.find((each) => each.startsWith(start)) ?? [])[0];
  };
  const changeOf = (name: string, rules: Rules): Omit<ZoneChange, 'zones'> | undefined => {
    const old = before.rules.get(name);
    const differing = old && cuts(first, old, rules).filter((at) => aheadAt(old, at) !== aheadAt(rules, at));
    if (differing?.length === 0) return undefined;
    // A new name shares the clocks of another zone only since its own law began.
    const [from = first] = differing ?? cuts(first, rules).filter((at) => likeOf(name, rules, at) !== undefined);
    const end = old && cuts(differing?.at(-1) ?? 0, old, rules)[1];
    const until = end !== undefined && end < goesOn ? end : undefined;
    const like = likeOf(name, rules, from, until);
    if (like === undefined)
      throw new Error(`No zone has had the clocks of ${name} since ${textOf(from)}: its rule needs a form of its own.`);
    return { from: textOf(from), ...(until !== undefined && { until: textOf(until) }), ...(old && { was: aheadAt(old, from) }), like };
  };
  const rows = new Map<string, ZoneChange>();
  for (const [name, rules] of [...now.rules].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const change = changeOf(name, rules);
    const key = JSON.stringify(change);
    if (change !== undefined) rows.set(key, { zones: [...(rows.get(key)?.zones ?? []), name], ...change });
  }
  return [...rows.values()];
}

const textOf = (at: number): string => new Date(at).toISOString().replace(':00.000Z', 'Z');

/** The text of `shared/time/zoneChanges.ts`: the changes since the release in the oldest engines. */
export async function zoneChanges(): Promise<string> {
  const [before, now] = [await releaseIn('moment-timezone-2024a'), await releaseIn('moment-timezone')];
  return `/** What changed between the releases ${before.version} and ${now.version} of the IANA time zone database. \`npm run docs\` writes it. */
export const zoneChanges = ${JSON.stringify(changesBetween(before, now))} as const;
`;
}
