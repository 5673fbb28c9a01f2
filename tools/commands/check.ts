/** `npm run check`: every check of the sources that does not run them. */
import { steps } from '../check/steps.ts';
import { Refused, runProgram } from '../commandLine/command.ts';
import { sentenceOf } from '../process/sentence.cjs';

const names = steps.map(({ name }) => `  ${name}`).join('\n');

const command = {
  name: 'npm run check',
  does: 'checks the sources without running them.',
  options: {},
  words: { value: '<part>', says: 'Only the steps whose names contain one of these words.' },
  examples: [
    ['npm run check', 'Every step.'],
    ['npm run check -- types lint', 'The steps about types or lint.'],
  ],
  more: [`Steps:\n${names}`],
} as const;

// If NODE_ENV is "test", as inside jest, n8n's rules treat every file as a fixture of their own tests.
delete process.env.NODE_ENV;

await runProgram(command, async ({ words }) => {
  const chosen = steps.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new Refused(`There is no such step. The steps are:\n${names}`);

  const failed: string[] = [];
  for (const { name, run } of chosen) {
    const started = performance.now();
    let complaint: string | undefined;
    try {
      await run();
    } catch (error) {
      complaint = sentenceOf(error);
      failed.push(name);
    }
    console.log(
      `${complaint === undefined ? 'ok    ' : 'FAILED'} ${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${name}`,
    );
    if (complaint !== undefined) console.log(complaint.replace(/^/gm, '         '));
  }
  if (failed.length > 0) throw new Error(`check: ${failed.length} of ${chosen.length} failed: ${failed.join('; ')}`);
});
