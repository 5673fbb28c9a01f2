/** Every test file runs with its calendar this many years ahead: a day that is written down somewhere has passed then. */
const ahead = Number(process.env['YEARS_AHEAD'] ?? 0) * 365.25 * 24 * 60 * 60_000;

const RealDate = Date;

class DateAhead extends RealDate {
  constructor(...given: unknown[]) {
    // As a constructor of its own takes them: none, one of three kinds, or the parts of a date.
    super(...((given.length === 0 ? [RealDate.now() + ahead] : given) as [number]));
  }

  static override now(): number {
    return RealDate.now() + ahead;
  }
}

if (ahead !== 0) globalThis.Date = DateAhead as DateConstructor;
