/**
 * Timers of one length, which no other timer has, so that a test says itself when they end and need not wait for them.
 *
 * @returns what each of them would do at its end, in the order of their beginnings, and a function that leaves all later ones alone
 */
export function timersOf(length: number): { ends: (() => void)[]; restore: () => void } {
  const ends: (() => void)[] = [];
  const { setTimeout: set } = globalThis;
  const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation((work: () => void, ms?: number, ...given: []) => {
    if (ms === length) ends.push(work);
    return set(work, ms, ...given);
  });
  return { ends, restore: () => spy.mockRestore() };
}
