/**
 * `npm run check`: everything that can be said about the sources without running them. Words after `--` choose the steps whose names contain them:
 * `npm run check -- types lint`.
 */
import { steps } from '../check/steps.ts';

// n8n's rules take every file for a fixture of their own tests where this says "test", as it does inside jest.
delete process.env.NODE_ENV;

const wanted = process.argv.slice(2);
const chosen = steps.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
if (chosen.length === 0) {
  console.error(`No step is named so. There are:\n${steps.map(({ name }) => `  ${name}`).join('\n')}`);
  process.exitCode = 1;
}

const failed: string[] = [];
for (const { name, run } of chosen) {
  const started = performance.now();
  let complaint: string | undefined;
  try {
    await run();
  } catch (error) {
    complaint = error instanceof Error ? error.message : String(error);
    failed.push(name);
  }
  console.log(
    `${complaint === undefined ? 'ok    ' : 'FAILED'} ${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${name}`,
  );
  if (complaint !== undefined) console.log(complaint.replace(/^/gm, '         '));
}
if (failed.length > 0) {
  console.error(`check: ${failed.length} of ${chosen.length} failed: ${failed.join('; ')}`);
  process.exitCode = 1;
}
