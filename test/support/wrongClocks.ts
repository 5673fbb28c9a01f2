import { instantsOf } from '../../shared/time/time.ts';
import { offsetAt } from '../../shared/time/zones.ts';

/** A zone in one release of the zone data: until when, in milliseconds since the epoch, each offset applies, in minutes ahead of UTC. */
interface Rules {
  untils: readonly number[];
  ahead: readonly number[];
}

const [hour, day] = [3_600_000, 86_400_000];
const [first, last] = [Date.UTC(2026, 0), Date.UTC(2037, 0)];
const months = Array.from({ length: 132 }, (_, month) => Date.UTC(2026, month, 15, 9));

const aheadBy = ({ untils, ahead }: Rules, at: number): number => ahead[untils.findIndex((until) => at < until)] ?? Number.NaN;

function instantsBy(rules: Rules, wall: number): number[] {
  const offsets = new Set([wall - day, wall, wall + day].map((at) => aheadBy(rules, at) * 60_000));
  return [...offsets].map((offset) => wall - offset).filter((at) => at + aheadBy(rules, at) * 60_000 === wall);
}

/**
 * Finds where the core's local times differ from the zone data in this engine: for each month from 2026 to 2036 and the hours around each
 * change, converted in both directions.
 *
 * @param known a release, such as an older one, whose changes are checked as well
 * @returns zones and times, such as `America/Vancouver 2026-12-15T09:00:00.000Z`, and how many were compared
 */
export function wrongClocks(
  rules: Readonly<Record<string, Rules>>,
  known: Readonly<Record<string, Rules>>,
): { compared: number; wrong: string[] } {
  const wrong: string[] = [];
  let compared = 0;
  for (const [zone, now] of Object.entries(rules)) {
    const changes = [...now.untils, ...(known[zone]?.untils ?? [])].filter((at) => at >= first && at < last);
    const around = [...new Set(changes)].flatMap((at) => [-1, -1 / 60, 0, 1 / 60, 1].map((hours) => at + hours * hour));
    const isRight = (at: number): boolean => offsetAt(zone, at) === aheadBy(now, at);
    // The local time at this instant, and what it would be without the change: each may occur twice, or never.
    const isReadRight = (at: number): boolean =>
      [at, at - day].every((then) => {
        const wall = at + aheadBy(now, then) * 60_000;
        return String(instantsOf(wall, zone)) === String(instantsBy(now, wall));
      });
    compared += months.length + around.length;
    const wrongHere = [...months.filter((at) => !isRight(at)), ...around.filter((at) => !isRight(at) || !isReadRight(at))];
    wrong.push(...wrongHere.map((at) => `${zone} ${new Date(at).toISOString()}`));
  }
  return { compared, wrong };
}
