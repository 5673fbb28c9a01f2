import type * as ShortTime from '../../support/shortTime.ts';
import type * as InProcess from '../inProcess.ts';
import type * as Stage from '../parts/stage.ts';

// Zapier's steps and holds wait in seconds.
jest.mock('node:timers/promises', () => jest.requireActual<typeof ShortTime>('../../support/shortTime.ts').shortTime());

/** A part as tests of the app from its sources. It is loaded after the mock, because it takes its waits from there. */
export function quickly(file: string, name = file): void {
  const part = jest.requireActual<Record<string, Stage.Part>>(`../parts/${file}.ts`)[name];
  const { asTests } = jest.requireActual<typeof Stage>('../parts/stage.ts');
  const { startSources } = jest.requireActual<typeof InProcess>('../inProcess.ts');
  if (part === undefined) throw new Error(`${file}.ts has no part ${name}.`);
  asTests(part, { name: 'the Zapier app', start: startSources });
}
