import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Opened } from '../../tools/start/opened.ts';

describe('what a start has opened', () => {
  test('is stopped in the opposite order', async () => {
    const opened = new Opened();
    const stopped: string[] = [];
    for (const name of ['first', 'second'])
      await opened.start(
        name,
        () => Promise.resolve(name),
        (started) => Promise.resolve(stopped.push(started)),
      );
    expect(await opened.closeAll()).toEqual([]);
    expect(stopped).toEqual(['second', 'first']);
  });

  test('is stopped, too, where it was still starting: Ctrl-C does not wait for a start, and leaves nothing', async () => {
    const opened = new Opened();
    const stopped: string[] = [];
    const { promise, resolve } = Promise.withResolvers<string>();
    const slow = opened.start(
      'slow',
      () => promise,
      (started) => Promise.resolve(stopped.push(started)),
    );
    const endless = opened.start(
      'endless',
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up')))),
      () => Promise.resolve(),
    );
    const givenUp = expect(endless).rejects.toThrow('given up');
    const closing = opened.closeAll();
    resolve('slow');
    expect(await closing).toEqual([]);
    await givenUp;
    expect(await slow).toBe('slow');
    expect(stopped).toEqual(['slow']);
    await expect(
      opened.start(
        'late',
        () => Promise.resolve(),
        () => Promise.resolve(),
      ),
    ).rejects.toThrow('Stopping everything.');
  });

  test('is stopped, too, where something else cannot be, and that is told in a sentence', async () => {
    const opened = new Opened();
    const folder = await opened.temporaryFolder('opened-test-');
    await writeFile(join(folder, 'file'), '');
    opened.add('the engine', () => Promise.reject(new Error('it is stuck\nat line 1')));
    expect(await opened.closeAll()).toEqual(['the engine did not stop properly: it is stuck']);
    expect(existsSync(folder)).toBe(false);
  });
});
