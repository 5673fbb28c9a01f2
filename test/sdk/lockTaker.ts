/** A process that takes the lock each time it is told to, and says whether anybody else was inside. Run by `lock.test.ts`. */
import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from '../../sdk/node/index.ts';

const [, , lock = '', inside = ''] = process.argv;

process.on('message', (heldMs: number) => {
  void withLock(lock, async () => {
    const wasAlone = await writeFile(inside, '', { flag: 'wx' }).then(
      () => true,
      () => false,
    );
    await sleep(heldMs);
    await rm(inside, { force: true });
    return wasAlone;
  }).then((wasAlone) => process.send?.(wasAlone));
});
process.send?.('ready');
