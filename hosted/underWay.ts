/** So many are anybody's: an ordinary conversation has no more under way at once. */
const ordinary = 4;

/**
 * Counts what is under way. Beyond what is {@link ordinary}, nobody has more than are left for all others, however many take all they can.
 *
 * @returns lets one in, and gives back what to call when it is over; `undefined` if there are too many
 */
export function countUnderWay({ ofOne, ofAll }: { ofOne: number; ofAll: number }) {
  const of = new Map<string, number>();
  let all = 0;
  return (who: string): (() => void) | undefined => {
    const own = of.get(who) ?? 0;
    if (own >= Math.max(ordinary, Math.min(ofOne, ofAll - all))) return undefined;
    of.set(who, own + 1);
    all += 1;
    return () => {
      all -= 1;
      const left = (of.get(who) ?? 1) - 1;
      if (left === 0) of.delete(who);
      else of.set(who, left);
    };
  };
}
