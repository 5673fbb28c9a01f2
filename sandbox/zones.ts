import { IANAZone } from 'luxon';
import moment from 'moment-timezone';

/** The year in which the package's data ends. */
const lastYear = Date.UTC(2037, 0);

/** A time zone by the rules of a package, because those of the engine may be older than the law. */
class LawfulZone extends IANAZone {
  /** Of any other type, so that names of days do not come from the engine's rules. */
  override get type(): string {
    return 'lawful';
  }

  override offset(at: number): number {
    const rules = moment.tz.zone(this.name);
    // Where the clocks still change in the last year, they go on changing.
    const isBeyond = at >= lastYear && rules?.untils.some((until) => until >= lastYear && until !== Infinity);
    return rules === null || isBeyond ? super.offset(at) : -rules.utcOffset(at);
  }
}

/** @param name as {@link isZone} knows it */
export const zoneNamed = (name: string): LawfulZone => new LawfulZone(name);

export const isZone = (name: string): boolean => moment.tz.zone(name) !== null;
