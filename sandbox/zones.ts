import { DateTime, IANAZone } from 'luxon';
import moment from 'moment-timezone';

/** The year in which the package's data ends. */
const lastYear = Date.UTC(2037, 0);

/** A time zone with the rules of a package, because those of the engine may be older than the law. */
class LawfulZone extends IANAZone {
  /** A type of its own, so that luxon does not take names of days from the engine's rules. */
  override get type(): string {
    return 'lawful';
  }

  override offset(at: number): number {
    const rules = moment.tz.zone(this.name);
    // Zones whose clocks still change in the last year keep changing after it, by the engine's rules.
    const isBeyond = at >= lastYear && rules?.untils.some((until) => until >= lastYear && until !== Infinity);
    return rules === null || isBeyond ? super.offset(at) : -rules.utcOffset(at);
  }
}

/** @param name one that {@link isZone} knows */
export const zoneNamed = (name: string): LawfulZone => new LawfulZone(name);

export const isZone = (name: string): boolean => moment.tz.zone(name) !== null;

/** Whether a meeting is within working hours: Monday to Friday, 9:00 to 18:00 in a zone. Both are milliseconds since the epoch. */
export const inWorkingHours =
  (zone: string) =>
  (start: number, end: number): boolean => {
    const [from, to] = [start, end].map((at) => DateTime.fromMillis(at, { zone: zoneNamed(zone) })) as [DateTime, DateTime];
    return from.weekday <= 5 && from.hour >= 9 && to <= from.startOf('day').set({ hour: 18 });
  };
