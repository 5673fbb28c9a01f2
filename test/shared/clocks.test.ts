import { zoneChanges } from '../../shared/time/zoneChanges.ts';
import { aheadAt, type Release, releaseIn } from '../../tools/docs/zoneChanges.ts';
import { offsetText } from '../../shared/time/zones.ts';
import type { wrongClocks } from '../support/wrongClocks.ts';

type Rules = Parameters<typeof wrongClocks>[0];

let before: Release;
let now: Release;
beforeAll(async () => void ([before, now] = [await releaseIn('moment-timezone-2024a'), await releaseIn('moment-timezone')]));
afterEach(() => jest.restoreAllMocks());

/** The rules of the zones whose law has changed since the oldest release, and of some others. */
const some = ({ rules }: Release): Rules =>
  Object.fromEntries(
    ['Europe/Berlin', 'America/Los_Angeles', ...zoneChanges.flatMap(({ zones }) => zones)].flatMap((name) => {
      const known = rules.get(name);
      return known === undefined ? [] : [[name, known]];
    }),
  );

/** An engine with these rules. */
function engineWith(rules: Release['rules']): void {
  const format = (_: string, { timeZone = '' }: Intl.DateTimeFormatOptions): Pick<Intl.DateTimeFormat, 'formatToParts'> => {
    const name = [...rules.keys()].find((each) => each.toLowerCase() === timeZone.toLowerCase());
    const known = rules.get(name ?? '');
    if (known === undefined) throw new RangeError(`Invalid time zone specified: ${timeZone}`);
    return { formatToParts: (at) => [{ type: 'timeZoneName', value: `GMT${offsetText(aheadAt(known, Number(at)))}` }] };
  };
  jest.spyOn(Intl, 'DateTimeFormat').mockImplementation(format as typeof Intl.DateTimeFormat);
}

/** The core without what it remembers of another engine. */
async function wrong(): Promise<string[]> {
  let clocks: string[] = [];
  await jest.isolateModulesAsync(async () => {
    const { wrongClocks: compare } = await import('../support/wrongClocks.ts');
    clocks = compare(some(now), some(before)).wrong;
  });
  return clocks;
}

test('every zone whose law has changed has the time of the law of today, in this engine', async () => {
  expect(await wrong()).toEqual([]);
});

test('so it has in an engine with the oldest rules, and in one that has some of the changes', async () => {
  engineWith(before.rules);
  expect(await wrong()).toEqual([]);
  engineWith(new Map([...before.rules, ...[...now.rules].filter(([name]) => name.startsWith('America/V') || name.startsWith('Europe/'))]));
  expect(await wrong()).toEqual([]);
});

test.each([
  ['another law since the same day', { untils: [Date.UTC(2026, 10, 1, 9), Infinity], ahead: [-420, -360] }],
  ['another law since a later day', { untils: [Date.UTC(2027, 10, 7, 9), Infinity], ahead: [-420, -480] }],
])('an engine that knows %s is newer, and decides', async (_, law) => {
  engineWith(new Map([...now.rules, ['America/Vancouver', law]]));
  await jest.isolateModulesAsync(async () => {
    const { offsetAt } = await import('../../shared/time/zones.ts');
    for (const at of [Date.UTC(2026, 11, 15), Date.UTC(2027, 11, 15)]) expect(offsetAt('America/Vancouver', at)).toBe(aheadAt(law, at));
  });
});
