/** `npm run findings`: runs the scripts in findings/ again, which show where software around the project behaves unexpectedly. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { namesIn, runProgram } from '../commandLine/command.ts';
import { mustRun } from '../process/command.ts';
import { root } from '../root.cjs';
import { Progress } from '../start/progress.ts';

const command = {
  name: 'npm run findings',
  does: 'runs the scripts in findings/, each of which shows surprising behavior of a published package without our code, and fails if that has changed.',
  options: {},
  words: { value: '<name>', says: 'Only these, without the ending: `polling-clock`.' },
  examples: [['npm run findings', 'After other versions were pinned in them. They install packages, so it takes some minutes.']],
} as const;

await runProgram(command, async ({ words }) => {
  const files = await readdir(join(root, 'findings'));
  const names = files.map((file) => basename(file, '.sh')).sort();
  const progress = new Progress();
  let failed = 0;
  for (const name of namesIn(words, names, 'finding'))
    await progress
      .step(name, () => mustRun('bash', [`findings/${name}.sh`], { cwd: root }))
      .catch((error: unknown) => {
        console.error((error as Error).message);
        failed = 1;
      });
  return failed;
});
