/** The class `Date` as many milliseconds ahead as this says. */
export function dateAhead(ahead: () => number): DateConstructor {
  const RealDate = Date;
  class DateAhead extends RealDate {
    constructor(...given: unknown[]) {
      // The same arguments as the constructor of Date: none, one of three kinds, or the parts of a date.
      super(...((given.length === 0 ? [DateAhead.now()] : given) as [number]));
    }

    static override now(): number {
      return RealDate.now() + ahead();
    }
  }
  return DateAhead as DateConstructor;
}

/** Runs every test file with its date this many years ahead, so that any fixed date in a test has passed by then. */
const ahead = Number(process.env['YEARS_AHEAD'] ?? 0) * 365.25 * 24 * 60 * 60_000;
if (ahead !== 0) globalThis.Date = dateAhead(() => ahead);
