import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startQueue } from './startQueue.ts';

const minutes = 60_000;

test(
  'Ctrl-C while it is starting stops everything and leaves no temporary folder',
  async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'queue-interrupted-'));
    // PostgreSQL, run by root, is another user.
    await chmod(temporary, 0o755);
    const { code, output } = await startQueue(['--once'], { temporary, interruptAt: 'a Zap on new bookings is turned on' });
    expect(output).toMatch(/\nStopping \.\.\.\nStopped\.\s*$/);
    expect(output).not.toContain('FAILED');
    expect(code).toBe(130);
    expect((await readdir(temporary)).filter((name) => name !== 'node-compile-cache')).toEqual([]);
    await rm(temporary, { recursive: true });
  },
  5 * minutes,
);

test(
  'an option that does not exist is told in a sentence, and the exit code says so',
  async () => {
    expect(await startQueue(['--wrokers', '5'])).toEqual({
      code: 2,
      output: "Unknown option '--wrokers'. `npm run start:queue -- --help` shows how to use it.\n",
    });
  },
  minutes,
);
