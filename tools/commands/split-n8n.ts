/** `npm run split-n8n -- --to <folder>`: writes the n8n package as a separate repository, which n8n requires to verify a package. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Misuse, runProgram, text } from '../commandLine/command.ts';
import { root } from '../root.cjs';

const command = {
  name: 'npm run split-n8n',
  does: 'writes the n8n package as a separate repository, which n8n requires to verify a package.',
  options: {
    to: text(
      '<folder>',
      'Where it goes, outside this project or below .local/. What an earlier split wrote there is replaced; your own files there stay.',
    ),
  },
  examples: [
    ['npm run split-n8n -- --to .local/n8n-repository', 'To look at it first.'],
    ['npm run split-n8n -- --to ../n8n-package', 'Beside this project.'],
  ],
} as const;

await runProgram(command, async ({ values: { to } }) => {
  if (to === undefined) throw new Misuse('Name a folder for the repository.');
  const folder = resolve(to);
  if (isOfTheProject(folder))
    throw new Misuse(
      `${folder} belongs to this project and would be overwritten. Name a folder outside it, or below .local/: npm run split-n8n -- --to .local/n8n-repository`,
    );
  // Only loaded here, because it needs the compiler, while --help and wrong options need nothing.
  const { splitN8n } = await import('../build/split/repository.ts');
  await splitN8n(folder);
  console.log(
    `Written to ${to}. In that folder, with Node.js 24 or newer, run node scripts/install.mjs, npm run build, npm run types, npm run lint and npm run scan.`,
  );
});

/** A copy of the project below .local/ counts as a separate project. */
function isOfTheProject(folder: string): boolean {
  const inside = relative(root, folder);
  if (inside === '') return true;
  const [first = ''] = inside.split(/[/\\]/);
  return first !== '..' && first !== '.local' && !inside.includes(':') && existsSync(join(root, first));
}
