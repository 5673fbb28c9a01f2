import type * as ShortTime from '../support/shortTime.ts';
import type * as InProcess from './inProcess.ts';
import type * as Parts from './parts/index.ts';

// Zapier's steps and holds wait in seconds.
jest.mock('node:timers/promises', () => jest.requireActual<typeof ShortTime>('../support/shortTime.ts').shortTime());

// Imported after the mock, because they take their waits from there.
const { quick, asTests } = jest.requireActual<typeof Parts>('./parts/index.ts');
const { startSources } = jest.requireActual<typeof InProcess>('./inProcess.ts');

for (const part of quick) asTests(part, { name: 'the Zapier app', start: startSources });
