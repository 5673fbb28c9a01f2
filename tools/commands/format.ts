/** `npm run format`: formats every file in the project's style. */
import { join } from 'node:path';
import { runProgram } from '../commandLine/command.ts';
import { runCommand } from '../process/command.ts';
import { root } from '../root.cjs';

const command = {
  name: 'npm run format',
  does: 'formats files with Prettier.',
  options: {},
  words: { value: '<path>', says: "Only these files or folders, relative to the project's folder." },
  examples: [
    ['npm run format', 'The whole project.'],
    ['npm run format -- docs shared/time/time.ts', 'A folder and a file.'],
  ],
} as const;

await runProgram(command, async ({ words }) => {
  const prettier = join(root, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
  const { code, output } = await runCommand(process.execPath, [prettier, '--write', '--', ...(words.length === 0 ? ['.'] : words)], {
    cwd: root,
  });
  console.log(output.trimEnd());
  return code ?? 1;
});
