/** Everybody may have this many: an ordinary conversation has no more at once. */
const ordinary = 4;

/**
 * Counts running work. Beyond {@link ordinary}, nobody may have more than is left for all others, however many take all they can.
 *
 * @returns a function that admits one, and returns a function to call at its end; `undefined` if there are too many
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
