import type * as ShortTime from '../../support/shortTime.ts';
import type * as Sources from '../platforms/zapierSources.ts';
import type * as Suite from '../suite.ts';

// Zapier's steps and holds wait in seconds.
jest.mock('node:timers/promises', () => jest.requireActual<typeof ShortTime>('../../support/shortTime.ts').shortTime());

// Imported after the mock, because they take their waits from there.
const { contractOf } = jest.requireActual<typeof Suite>('../suite.ts');
const { zapierSources } = jest.requireActual<typeof Sources>('../platforms/zapierSources.ts');

contractOf(zapierSources);
