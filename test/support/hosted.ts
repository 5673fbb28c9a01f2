import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { Opened } from '../../tools/start/opened.ts';

/** What the tests of one file start: all of it is stopped after them, in order. */
export function openedForFile(): Opened {
  const opened = new Opened();
  afterAll(async () => {
    expect(await opened.closeAll()).toEqual([]);
  });
  return opened;
}

/** A sandbox that refuses no pace. */
export const openSandbox = (opened: Opened): Promise<Sandbox> =>
  opened.start(
    'the sandbox',
    () => startSandbox({ file: ':memory:', limits: false }),
    (started) => started.stop(),
  );
