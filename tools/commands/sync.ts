/** `npm run sync`: updates everything that is generated and committed, in the right order. `npm run check` compares it. */
import { join } from 'node:path';
import { runProgram } from '../commandLine/command.ts';
import { mustRun } from '../process/command.ts';
import { root } from '../root.cjs';
import { Progress } from '../start/progress.ts';

const command = {
  name: 'npm run sync',
  does: 'brings everything that is generated up to date: the documents, the tables of the READMEs, the types of the package, the golden files, the format.',
  options: {},
  examples: [['npm run sync', 'After a change to declarations or texts. Then review `git diff`.']],
} as const;

const tool = (...path: string[]): string => join(root, 'node_modules', ...path);
const goldens = ['test/n8n/golden', 'test/mcp/golden', 'test/zapier/definition'];

await runProgram(command, async () => {
  const progress = new Progress();
  const run = (args: string[], env = {}) => mustRun(process.execPath, args, { cwd: root, env });
  await progress.step('the documents, tables and types', () => run([join(root, 'tools', 'commands', 'docs.ts')]));
  await progress.step('the golden files', () =>
    run([tool('jest', 'bin', 'jest.js'), ...goldens, '-t', '^(?!the pictures)'], { UPDATE_GOLDEN: '1' }),
  );
  await progress.step('the format', () => run([tool('prettier', 'bin', 'prettier.cjs'), '--write', '--log-level', 'warn', '.']));
  console.log('\nReview `git diff`. A name that changed in test/__golden__/ breaks what users have saved.');
});
